/// Reads an interface definition by recursive descent, one function for each rule of the grammar.
struct InterfaceParser {
    /// How deep types may be nested. People write three or four levels; a limit keeps any text from overflowing the stack.
    static let depthLimit = 64

    private(set) var name = ""
    private(set) var comment = ""
    private(set) var types: [Interface.TypeMember] = []
    private(set) var methods: [Interface.MethodMember] = []
    private(set) var errors: [Interface.ErrorMember] = []

    private var scanner: InterfaceScanner
    private var names: Set<String> = []
    /// The names of types that fields refer to, in the text's order. They are looked up at the end of the text.
    private var references: [(name: String, offset: Int)] = []

    init(_ text: String) { scanner = InterfaceScanner(text) }

    // MARK: interface, member

    mutating func parse() throws(InterfaceError) {
        comment = scanner.comment
        guard scanner.peekWord() == "interface" else { throw scanner.expected("'interface'") }
        _ = scanner.takeWord()
        let (word, offset) = scanner.takeWord(extras: "-.")
        guard isInterfaceName(word) else { throw scanner.error(at: offset, "expected the name of an interface") }
        name = word
        repeat { try member() } while !scanner.isAtEnd
        try resolveReferences()
    }

    private mutating func member() throws(InterfaceError) {
        let comment = scanner.comment
        let keyword = scanner.peekWord()
        guard ["type", "method", "error"].contains(keyword) else {
            throw scanner.expected("'type', 'method' or 'error'")
        }
        _ = scanner.takeWord()
        let name = try memberName()
        switch keyword {
        case "type": types.append(.init(name: name, type: try composite(depth: 1), comment: comment))
        case "error": errors.append(.init(name: name, parameters: try structure(), comment: comment))
        default:
            let input = try structure()
            try scanner.expect("->")
            methods.append(.init(name: name, input: input, output: try structure(), comment: comment))
        }
    }

    private mutating func memberName() throws(InterfaceError) -> String {
        let start = scanner
        let (word, offset) = scanner.takeWord()
        guard isMemberName(word) else { throw start.expected("a name that begins with a capital") }
        guard names.insert(word).inserted else { throw scanner.error(at: offset, "the name \(word) comes twice") }
        return word
    }

    private func resolveReferences() throws(InterfaceError) {
        let known = Set(types.map(\.name))
        for (name, offset) in references where !known.contains(name) {
            let reason = names.contains(name) ? "\(name) is not a type" : "no type is called \(name)"
            throw scanner.error(at: offset, reason)
        }
    }

    // MARK: type, element_type

    private mutating func fieldType(depth: Int) throws(InterfaceError) -> Interface.FieldType {
        guard depth <= Self.depthLimit else {
            throw scanner.error(at: scanner.offset, "nested deeper than \(Self.depthLimit) levels")
        }
        if scanner.take("?") {
            guard !scanner.sees("?") else { throw scanner.expected("a type that is not optional already") }
            return .optional(try fieldType(depth: depth + 1))
        }
        if scanner.take("[]") { return .array(try fieldType(depth: depth + 1)) }
        if scanner.take("[string]") { return .map(try fieldType(depth: depth + 1)) }
        if scanner.sees("(") { return try composite(depth: depth) }
        return try namedType()
    }

    private mutating func namedType() throws(InterfaceError) -> Interface.FieldType {
        let start = scanner
        let (word, offset) = scanner.takeWord()
        switch word {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        case "any": return .any
        default:
            guard isMemberName(word) else { throw start.expected("a type") }
            references.append((word, offset))
            return .named(word)
        }
    }

    // MARK: struct, enum

    /// The parameters of a method or an error. They are a structure even if there are none.
    private mutating func structure() throws(InterfaceError) -> [Interface.Field] {
        let start = scanner
        guard case .structure(let fields) = try composite(depth: 1) else {
            throw start.error(at: start.offset, "expected fields with types")
        }
        return fields
    }

    /// A structure or an enumeration. The sign after the first name decides which. `()` is a structure.
    private mutating func composite(depth: Int) throws(InterfaceError) -> Interface.FieldType {
        try scanner.expect("(")
        if scanner.take(")") { return .structure([]) }
        var seen: Set<String> = []
        var start = scanner.comment
        let first = try fieldName(among: &seen)
        guard scanner.sees(":") else { return .enumeration(try values(after: first, &seen)) }
        var fields = [try field(first, comment: start, depth: depth)]
        while scanner.take(",") {
            start = scanner.comment
            fields.append(try field(fieldName(among: &seen), comment: start, depth: depth))
        }
        guard scanner.take(")") else { throw scanner.expected("',' or ')'") }
        return .structure(fields)
    }

    private mutating func field(
        _ name: String, comment: String, depth: Int
    ) throws(InterfaceError) -> Interface.Field {
        try scanner.expect(":")
        return .init(name: name, type: try fieldType(depth: depth + 1), comment: comment)
    }

    private mutating func values(after first: String, _ seen: inout Set<String>) throws(InterfaceError) -> [String] {
        var values = [first]
        while scanner.take(",") { values.append(try fieldName(among: &seen)) }
        guard scanner.take(")") else { throw scanner.expected(values.count == 1 ? "':', ',' or ')'" : "',' or ')'") }
        return values
    }

    private mutating func fieldName(among seen: inout Set<String>) throws(InterfaceError) -> String {
        let start = scanner
        let (word, offset) = scanner.takeWord()
        guard isFieldName(word) else { throw start.expected("the name of a field") }
        guard seen.insert(word).inserted else { throw scanner.error(at: offset, "the name \(word) comes twice") }
        return word
    }

    // MARK: interface_name, name, field_name

    private func isInterfaceName(_ word: String) -> Bool {
        let labels = word.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels[0].first?.isDigit == false
            && labels.allSatisfy { label in
                !label.isEmpty && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == "-" }
            }
    }

    private func isMemberName(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return ("A"..."Z").contains(first) && !word.unicodeScalars.contains("_")
    }

    private func isFieldName(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first else { return false }
        return first.isLetter && word.unicodeScalars.last != "_"
            && !zip(word.unicodeScalars, word.unicodeScalars.dropFirst()).contains { $0 == "_" && $1 == "_" }
    }
}
