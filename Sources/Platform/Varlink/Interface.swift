import JSON

/// An interface, parsed from its definition: its methods with their parameters and replies, its types and its errors.
///
/// Specification: varlink.org/Interface-Definition. White space separates words, as in its "Parsing Expression Grammar";
/// members need no line each. Beyond the grammar, these are refused: one name for two members, one name for two fields or
/// values, and a type that is not defined.
public struct Interface: Equatable, Sendable {
    /// The name in reverse-domain notation, `org.example.Thing`.
    public let name: String
    /// The definition, byte for byte.
    public let text: String
    /// The comment just before `interface`.
    public let comment: String
    /// The named types, in the text's order.
    public let types: [TypeMember]
    /// The methods, in the text's order.
    public let methods: [MethodMember]
    /// The errors, in the text's order.
    public let errors: [ErrorMember]

    /// The type of a field (Interface-Definition, "Type").
    public indirect enum FieldType: Equatable, Sendable {
        /// `bool`.
        case bool
        /// `int`: 64 bits with a sign; written without fraction and exponent.
        case int
        /// `float`: an IEEE 754 double; integers are floats as well.
        case float
        /// `string`.
        case string
        /// `object`: any JSON object.
        case object
        /// `any`: any JSON value except null; an optional one may be null (systemd's sd-varlink has it).
        case any
        /// A type that the interface defines.
        case named(String)
        /// `(a: int, b: string)`.
        case structure([Field])
        /// `(one, two)`; a value is one of these strings.
        case enumeration([String])
        /// `[]T`.
        case array(FieldType)
        /// `[string]T`, a JSON object with any keys.
        case map(FieldType)
        /// `?T`: a `T`, or null, or left out.
        case optional(FieldType)
    }

    /// A field of a structure.
    public struct Field: Equatable, Sendable {
        /// Its key.
        public let name: String
        /// Its type.
        public let type: FieldType
        /// The comment just before it.
        public let comment: String

        /// True if the field may be left out.
        public var isOptional: Bool {
            if case .optional = type { true } else { false }
        }

        /// A field.
        public init(name: String, type: FieldType, comment: String = "") {
            self.name = name
            self.type = type
            self.comment = comment
        }
    }

    /// `type Name (…)`.
    public struct TypeMember: Equatable, Sendable {
        /// The bare name.
        public let name: String
        /// A structure or an enumeration.
        public let type: FieldType
        /// The comment just before it.
        public let comment: String

        /// A named type.
        public init(name: String, type: FieldType, comment: String = "") {
            self.name = name
            self.type = type
            self.comment = comment
        }
    }

    /// `method Name(…) -> (…)`.
    public struct MethodMember: Equatable, Sendable {
        /// The bare name.
        public let name: String
        /// The parameters of a call.
        public let input: [Field]
        /// The parameters of a reply.
        public let output: [Field]
        /// The comment just before it.
        public let comment: String

        /// A method.
        public init(name: String, input: [Field], output: [Field], comment: String = "") {
            self.name = name
            self.input = input
            self.output = output
            self.comment = comment
        }
    }

    /// `error Name (…)`.
    public struct ErrorMember: Equatable, Sendable {
        /// The bare name.
        public let name: String
        /// The error's parameters.
        public let parameters: [Field]
        /// The comment just before it.
        public let comment: String

        /// An error.
        public init(name: String, parameters: [Field], comment: String = "") {
            self.name = name
            self.parameters = parameters
            self.comment = comment
        }
    }

    /// Parses a definition.
    public init(parsing text: String) throws(InterfaceError) {
        var parser = InterfaceParser(text)
        try parser.parse()
        name = parser.name
        comment = parser.comment
        types = parser.types
        methods = parser.methods
        errors = parser.errors
        self.text = text
    }

    /// Parses a definition that is part of the program. It was parsed when the program was built, so a definition that does
    /// not parse is a mistake in the program.
    public init(embedded text: String) {
        do { try self.init(parsing: text) } catch { preconditionFailure("an interface of this program: \(error)") }
    }

    /// The method of this name, bare (`Do`) or full (`org.example.Thing.Do`).
    public func method(named name: String) -> MethodMember? { find(name, among: methods, \.name) }

    /// The error of this name, bare or full.
    public func error(named name: String) -> ErrorMember? { find(name, among: errors, \.name) }

    /// The type of this name, bare or full.
    public func type(named name: String) -> TypeMember? { find(name, among: types, \.name) }

    private func find<M>(_ wanted: String, among members: [M], _ name: (M) -> String) -> M? {
        let prefix = self.name + "."
        let bare = wanted.utf8.starts(with: prefix.utf8) ? String(wanted.dropFirst(prefix.count)) : wanted
        return members.first { name($0).isSpelled(bare) }
    }
}

/// A text that defines no interface: the place of the fault and the reason.
/// Specification: varlink.org/Interface-Definition, "Parsing Expression Grammar".
public struct InterfaceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    /// From 1, counted in Unicode scalars.
    public let column: Int
    /// The reason, as part of a sentence: `expected ')', found ','`.
    public let reason: String

    /// An error at a place.
    public init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// `line 3, column 14: expected ')', found ','`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
