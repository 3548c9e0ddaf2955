import Storage

/// The rights of a role on a server's tables.
///
/// The tables belong to a role that makes and upgrades them. A daemon's role is another one, which cannot change the tables, nor
/// what is only added to: so neither can anybody who takes over a daemon.
struct Roles {
    private let database: any Database

    init(_ database: any Database) { self.database = database }

    /// The function by which a daemon removes an erased client's rows from the tables that are only added to. It runs with the
    /// rights of the tables' owner, and the triggers refuse the rows of a client without a disposal.
    static let erasure = "erase_what_is_only_added_to"

    /// The role of the connection, as SQL spells it.
    var name: String { get throws { try database.text("SELECT quote_ident(current_user)") } }

    // MARK: The rights that a daemon needs

    /// The tables that a daemon changes freely.
    private static let changing = Tables.onServer.filter { !Tables.onlyAddedTo.contains($0) && $0 != "erasing" }

    private static let needed: KeyValuePairs<String, [String]> = [
        "SELECT": Tables.onServer, "INSERT": Tables.onServer, "UPDATE": changing, "DELETE": changing + ["erasing"],
    ]

    /// Gives a role the rights of a daemon, and takes others from it. Nothing changes if it is the connection's own.
    func grant(to daemon: String) throws {
        try makeErasure()
        try bindTriggers()
        guard try daemon != name else { return }
        let schema = try database.text("SELECT quote_ident(current_schema())")
        try database.execute("GRANT USAGE ON SCHEMA \(schema) TO \(daemon)")
        try database.execute("REVOKE ALL ON \(Tables.onServer.joined(separator: ", ")) FROM \(daemon)")
        for (right, tables) in Self.needed {
            try database.execute("GRANT \(right) ON \(tables.joined(separator: ", ")) TO \(daemon)")
        }
        try database.execute("GRANT EXECUTE ON FUNCTION \(Self.erasure)(BIGINT) TO \(daemon)")
    }

    /// The triggers look into the practice's own tables. A role could make temporary ones of the same names, which are found first
    /// otherwise (PostgreSQL's manual, 5.9.3 and CREATE FUNCTION, "Writing SECURITY DEFINER Functions Safely").
    private func bindTriggers() throws {
        try database.execute(
            """
            DO $body$ DECLARE guard regprocedure; BEGIN
            FOR guard IN SELECT oid FROM pg_proc
                WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
            LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', guard, current_schema()); END LOOP;
            END $body$
            """)
    }

    private func makeErasure() throws {
        let schema = try database.text("SELECT quote_ident(current_schema())")
        try database.execute(
            """
            CREATE OR REPLACE FUNCTION \(Self.erasure)(gone BIGINT) RETURNS void LANGUAGE plpgsql
            SECURITY DEFINER SET search_path = \(schema), pg_temp AS $body$ BEGIN
            \(Tables.erasures.joined(separator: ";\n"));
            END $body$;
            REVOKE ALL ON FUNCTION \(Self.erasure)(BIGINT) FROM PUBLIC
            """)
    }

    /// The rights that the connection's role lacks, as `UPDATE on copy`.
    func lacking() throws -> [String] {
        var lacking = try Self.needed.flatMap { right, tables in
            try these(tables, "NOT coalesce(has_table_privilege(to_regclass(name), '\(right)'), false)").map {
                "\(right) on \($0)"
            }
        }
        let function = "to_regprocedure('\(Self.erasure)(bigint)')"
        let may = try database.number(
            "SELECT CASE WHEN has_function_privilege(\(function), 'EXECUTE') THEN 1 ELSE 0 END")
        if may != 1 { lacking.append("EXECUTE on \(Self.erasure)") }
        return lacking
    }

    // MARK: The rights that a daemon must not have

    /// A sentence for each kind of fault.
    func faults() throws -> [String] {
        let name = try name
        if try database.number("SELECT count(*) FROM pg_roles WHERE rolname = current_user AND rolsuper") == 1 {
            return ["The role \(name) is a superuser, who may do anything."]
        }
        var faults: [String] = []
        func add(_ found: [String], _ sentence: (String) -> String) {
            if !found.isEmpty { faults.append(sentence(Self.some(found))) }
        }
        add(try lacking()) { "The role \(name) lacks rights: \($0)." }
        let owned = try these(
            Tables.onServer,
            "EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass(name) AND pg_has_role(relowner, 'MEMBER'))")
        add(owned) { "The role \(name) owns tables, or belongs to their owner, and so may alter them: \($0)." }
        if owned.isEmpty {
            let changed = try these(
                Tables.onlyAddedTo + ["erasing"],
                """
                has_any_column_privilege(to_regclass(name), 'UPDATE')
                OR name <> 'erasing' AND has_table_privilege(to_regclass(name), 'DELETE')
                """)
            add(changed) { "The role \(name) may change what is only added to: \($0)." }
            let emptied = try these(Tables.onServer, "has_table_privilege(to_regclass(name), 'TRUNCATE, TRIGGER')")
            add(emptied) { "The role \(name) may empty tables, or give them triggers: \($0)." }
        }
        if try database.number("SELECT CASE WHEN has_schema_privilege(current_schema(), 'CREATE') THEN 1 ELSE 0 END")
            == 1
        {
            faults.append("The role \(name) may make tables and functions in the practice's schema.")
        }
        return faults
    }

    /// The tables of which the condition on `name` is true.
    private func these(_ tables: [String], _ condition: String) throws -> [String] {
        try database.rows(
            "SELECT name FROM unnest(string_to_array($1, ' ')) AS name WHERE \(condition) ORDER BY 1",
            tables.joined(separator: " ")
        ) { $0.text(0) ?? "" }
    }

    private static func some(_ names: [String]) -> String {
        let first = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
    }
}

extension Tables {
    /// The names of all tables of a practice on a server. A later step makes one of them anew.
    static let onServer: [String] = {
        let made = (steps + [Store.noticeTables]).flatMap { step in
            step.split(separator: "CREATE TABLE ", omittingEmptySubsequences: false).dropFirst().map {
                String($0.prefix { $0 != " " })
            }
        }
        return Set(made).sorted()
    }()
}

extension Database {
    fileprivate func text(_ sql: String) throws -> String { try first(sql) { $0.text(0) ?? "" } ?? "" }
}
