import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time
import Varlink

extension Upkeep.Import: Handled {
    static let right = Right.maintain
    static let isAudited = true
    static let message: PracticeMessage? = .imported

    func answer(in context: CallContext) throws -> Reply {
        guard rows.count <= ImportColumns.mostRows else { throw InvalidParameter(parameter: "rows") }
        let passedOver = Importing.passedOver(rows, kind, in: context)
        let namesakes = try namesakes(in: context)
        let importing = try Importing(kind, in: context)
        let repeated = try repeated(by: importing)
        do {
            // Without a fault, all rows are kept; a dry run takes them back.
            try context.store.transaction {
                let faults = try rows.flatMap { try importing.faults(of: $0) }
                guard faults.isEmpty else { throw Upkeep.Faulty(faults: faults, passedOver: passedOver) }
                if dryRun ?? false { throw DryRun() }
            }
        } catch is DryRun {
            context.isDryRun = true
            context.forgetNews()
        }
        context.what = "\(rows.count) \(kind.rawValue)"
        return Reply(
            rows: rows.count, passedOver: passedOver, namesakes: namesakes.isEmpty ? nil : namesakes,
            repeated: repeated.isEmpty ? nil : repeated)
    }

    /// The rows of sessions that a client had before the import.
    private func repeated(by importing: Importing) throws -> [Reply.Repeated] {
        guard kind == .sessions else { return [] }
        return try rows.compactMap { row in
            guard let found = try importing.known(row.values) else { return nil }
            return .init(line: row.line, client: found.client, number: found.number)
        }
    }

    /// The rows of clients whose name a client had before the import.
    private func namesakes(in context: CallContext) throws -> [Reply.Namesakes] {
        guard kind == .clients else { return [] }
        let known = try context.store.clientNumbers()
        return rows.compactMap { row in
            guard let name = row.values["name"], let numbers = known[Collation.folded(name)] else { return nil }
            return .init(line: row.line, name: name, numbers: numbers)
        }
    }

    private struct DryRun: Error {}
}

/// Imports rows of a spreadsheet, by the same calls that people make.
///
/// The names of people are read once for all rows. They have no index, so that a query for each row would read all of them.
struct Importing {
    private let kind: Upkeep.Import.Kind
    private let context: CallContext
    /// The identifiers of the offered services, by their names.
    private let services: [String: [String]]
    /// The offered words of each vocabulary, by their folded spellings.
    private let words: [String: [String: [(id: String, word: String)]]]
    /// Those who work here and who have left, with their folded names.
    private let thanatologists: [(id: ID<Person>, folded: String, isActive: Bool)]
    /// Nil for an import of clients, whose rows name none.
    private let knownClients: Store.KnownClients?

    init(_ kind: Upkeep.Import.Kind, in context: CallContext) throws {
        (self.kind, self.context) = (kind, context)
        services = try context.store.offeredServices()
        words = [
            "motives": try context.store.offeredWords(in: "motives"),
            "tools": try context.store.offeredWords(in: "tools"),
        ]
        thanatologists = try context.store.namedThanatologists()
        knownClients = try kind == .sessions ? context.store.knownClients() : nil
    }

    /// The columns that mean nothing here, in alphabetical order; nil if there are none.
    static func passedOver(
        _ rows: [Upkeep.ImportedRow], _ kind: Upkeep.Import.Kind, in context: CallContext
    ) -> [String]? {
        let own = context.settings.clientFields.map { (name: $0.name, isNeeded: $0.isRequired) }
        let known = kind == .clients ? ImportColumns.clients.adding(own) : .sessions
        let others = Set(rows.flatMap(\.values.keys)).subtracting(known.names)
        return others.isEmpty ? nil : others.sorted()
    }

    /// Imports a row, and returns its faults with their line.
    func faults(of row: Upkeep.ImportedRow) throws -> [Upkeep.Faulty.Faults] {
        do {
            switch kind {
            case .clients: try client(row.values)
            case .sessions: try session(row.values)
            }
            return []
        } catch let invalid as Practice.Invalid {
            return invalid.faults.map { .init(line: row.line, field: $0.field, reason: $0.reason) }
        }
    }

    /// A cell; nil if it is blank.
    private func cell(_ name: String, _ values: [String: String]) -> String? {
        values[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    private func client(_ values: [String: String]) throws {
        let own = context.settings.clientFields.reduce(into: [String: String]()) { $0[$1.name] = cell($1.name, values) }
        // A name that no thanatologist or several have is refused as an unknown identifier is.
        let therapist = cell("thanatologist", values).map { thanatologist($0)?.description ?? $0 }
        _ = try context.call(
            Records.AddClient(
                name: values["name"] ?? "", born: cell("born", values), phone: cell("phone", values),
                email: cell("email", values), address: cell("address", values),
                emergencyContact: cell("emergencyContact", values), referredBy: cell("referredBy", values),
                motive: cell("motive", values), extra: own.isEmpty ? nil : own, timeZone: cell("timeZone", values),
                account: cell("account", values), thanatologist: therapist,
                since: cell("since", values)), as: context.caller, through: "import")
    }

    /// The thanatologist with this identifier or exactly this name; if nobody has it, the one who works here with the text in their
    /// name. Nil if there are several. A whole name means nobody else, also if its person has left.
    private func thanatologist(_ named: String) -> ID<Person>? {
        let id = ID<Person>(named)
        let active = thanatologists.filter(\.isActive)
        if active.contains(where: { $0.id == id }) { return id }
        let wanted = Collation.folded(named)
        let exact = thanatologists.filter { $0.folded == wanted }
        let found = exact.isEmpty ? active.filter { $0.folded.contains(wanted) } : exact.filter(\.isActive)
        return found.count == 1 ? found[0].id : nil
    }

    private func session(_ values: [String: String]) throws {
        var faults = Faults()
        let record = record(cell("client", values) ?? "", &faults)
        let minutes = number("minutes", values, &faults)
        let fee = cell("fee", values).flatMap { amount in
            faults.check("fee", amount) { text throws(FieldError) in
                try Currency(context.settings.currency).amount(text)
            }
        }
        let named = services(in: values)
        let service = named.first
        if named.isEmpty { faults.add("service", "must be the name of a service that is offered.") }
        if named.count > 1 {
            faults.add("service", "must be one of \(named.joined(separator: " and ")), which have that name.")
        }
        let motives = terms("motives", values, &faults)
        let tools = terms("tools", values, &faults)
        let (on, notes) = (values["on"] ?? "", values["notes"] ?? "")
        // Without an open record, the day is checked by itself.
        func checkAlone() {
            _ = faults.check("on", on) { day throws(FieldError) in try SessionRules.past(day, today: context.today) }
            _ = faults.check("notes", notes, SessionRules.notes)
        }
        guard let record else {
            checkAlone()
            throw Practice.Invalid(faults)
        }
        do {
            // The session was held by the client's own thanatologist. A cell with a fault is empty here, and the session is not kept.
            _ = try context.call(
                Records.AddSession(
                    client: record.client.description, on: on, minutes: minutes ?? 0, service: service ?? "",
                    motives: motives, tools: tools, fee: fee, notes: notes),
                as: context.store.person(record.thanatologist), through: "import", isInPlace: true)
        } catch let invalid as Practice.Invalid {
            for fault in invalid.faults where !faults.has(fault.field) { faults.add(fault.field, fault.reason) }
        } catch let closed as Records.RecordClosed {
            faults.add("client", "must be open: it was closed on \(closed.closedOn).")
            checkAlone()
        } catch is Practice.NotFound {
            faults.add("client", "must be a client of somebody who works here.")
            checkAlone()
        }
        if !faults.list.isEmpty { throw Practice.Invalid(faults) }
    }

    /// The session that a row may repeat: one of the same client, day, service and length. Its number, and that of the client.
    func known(_ values: [String: String]) throws -> (client: Int, number: Int)? {
        guard let on = values["on"].flatMap({ CalendarDay($0) }),
            let minutes = cell("minutes", values).flatMap({ Int($0) }),
            case let services = services(in: values), services.count == 1
        else { return nil }
        let found = clients(cell("client", values) ?? "")
        guard found.count == 1 else { return nil }
        return try context.store.session(of: found[0].client, on: on, service: ID(services[0]), minutes: minutes)
    }

    /// The offered services that a row names, by their name or by an identifier.
    private func services(in values: [String: String]) -> [String] {
        guard let named = cell("service", values).map(Collation.folded) else { return [] }
        return services[named] ?? (services.values.contains { $0.contains(named) } ? [named] : [])
    }

    /// The clients with this number or exactly this name; two at most.
    private func clients(_ named: String) -> [Store.KnownClients.Client] {
        knownClients?.found(numbered: Int(named) ?? 0, orNamed: named) ?? []
    }

    private func record(_ named: String, _ faults: inout Faults) -> Store.KnownClients.Client? {
        let found = clients(named)
        if found.count == 1 { return found[0] }
        faults.add(
            "client",
            found.isEmpty
                ? "must be a client's number or name." : "must be the client's number: several have that name.")
        return nil
    }

    private func number(_ name: String, _ values: [String: String], _ faults: inout Faults) -> Int? {
        if let number = cell(name, values).flatMap({ Int($0) }) { return number }
        faults.add(name, "must be a whole number.")
        return nil
    }

    /// The identifiers of words that are separated by semicolons.
    private func terms(_ vocabulary: String, _ values: [String: String], _ faults: inout Faults) -> [String] {
        let named = (cell(vocabulary, values) ?? "").split(separator: ";")
            .map { String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
            .filter { !$0.isEmpty }
        let known = words[vocabulary] ?? [:]
        return named.compactMap { name in
            let same = known[Collation.folded(name)] ?? []
            // Accents tell two words apart where they are typed.
            let exact = same.filter { $0.word.lowercased() == name.lowercased() }
            if let found = exact.count == 1 ? exact.first : same.count == 1 ? same.first : nil { return found.id }
            let mark = same.isEmpty ? "is not" : "may be \(same.map(\.word).joined(separator: " or "))"
            faults.add(vocabulary, "must be words of the practice's vocabulary: \(name) \(mark).")
            return nil
        }
    }
}

extension CallContext {
    /// Carries out another call within this one, as a person; nil for root.
    ///
    /// - Parameters:
    ///   - settings: other than this call's.
    ///   - isInPlace: the audit names the caller of this call.
    func call<M: Method>(
        _ method: M, as person: Person?, through: String, at now: Instant? = nil, by settings: PracticeSettings? = nil,
        isInPlace: Bool = false
    ) throws -> M.Reply {
        let call = try Call(frame: Array(Call.frame(method).dropLast()))
        let other = CallContext(
            store: store, settings: settings ?? self.settings, now: now ?? self.now, caller: person,
            role: person?.role ?? .administrator, through: through, call: call, zones: zones,
            within: isInPlace ? self : nil)
        let frame = try Routes.frame(for: call, in: other)
        tell(newsOf: other)
        return try Reply(frame: Array(frame.dropLast())).decode(M.Reply.self)
    }
}
