import Varlink

/// The Swift names of an interface's members. A name that Swift cannot spell is refused when the interface is built.
struct SwiftNames {
    /// `Homework` for `org.daybreak.Homework`.
    let interface: String
    /// True if a field is an `object` or `any`.
    private(set) var usesRawJSON = false

    private let types: Set<String>

    /// Names that the generated source uses, or that Swift reserves.
    private static let taken: Set<String> = [
        "Any", "Bool", "CaseIterable", "Codable", "Decoder", "Double", "Encoder", "Equatable", "ErrorReply", "Int",
        "Interface",
        "JSONKey", "Method", "Nothing", "Protocol", "RawJSON", "Reply", "Self", "Sendable", "String", "Type",
    ]

    init(of interface: Interface) throws(NoSwiftName) {
        let last = interface.name.split(separator: ".").last ?? ""
        self.interface = last.split(separator: "-").map { String($0).capitalizedFirst }.joined()
        types = Set(interface.types.map(\.name))
        guard !interface.text.utf8.contains(UInt8(ascii: "\r")) else {
            throw NoSwiftName(reason: "lines end with a line feed alone: Swift embeds no carriage return")
        }
        for type in interface.types { try check(type.name, type.type) }
        for method in interface.methods { try check(method.name, method.input + method.output) }
        for error in interface.errors { try check(error.name, error.parameters) }
    }

    private mutating func check(_ name: String, _ type: Interface.FieldType) throws(NoSwiftName) {
        guard !Self.taken.contains(name), name != interface else {
            throw NoSwiftName(reason: "\(name) means something else in Swift: choose another name")
        }
        if case .structure(let fields) = type { try check(fields) }
    }

    private mutating func check(_ name: String, _ fields: [Interface.Field]) throws(NoSwiftName) {
        try check(name, .structure(fields))
    }

    private mutating func check(_ fields: [Interface.Field]) throws(NoSwiftName) {
        for field in fields {
            guard field.name != "self" else { throw NoSwiftName(reason: "self is no field's name in Swift") }
            switch field.type.innermost {
            case .object, .any: usesRawJSON = true
            default: break
            }
            guard let inline = field.type.inline else { continue }
            let name = field.name.capitalizedFirst
            guard !types.contains(name) else {
                throw NoSwiftName(reason: "the type of '\(field.name)' would hide the type \(name): give it a name")
            }
            try check(name, inline)
        }
    }
}

/// A definition that is valid in Varlink and cannot be spelled in Swift.
public struct NoSwiftName: Error, Equatable, CustomStringConvertible {
    let reason: String
    public var description: String { reason }
}

extension Interface.FieldType {
    /// The type inside arrays, maps and optionals.
    var innermost: Self {
        switch self {
        case .array(let type), .map(let type), .optional(let type): type.innermost
        default: self
        }
    }

    /// The structure or enumeration that this type defines in place; nil if it has none, or an empty one.
    var inline: Self? {
        switch innermost {
        case .structure([]): nil
        case .structure, .enumeration: innermost
        default: nil
        }
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// This name, in backticks if it is a keyword of Swift.
    var asSwiftName: String { Self.keywords.contains(self) ? "`\(self)`" : self }

    /// The Swift Programming Language, "Lexical Structure": keywords used in declarations, statements and expressions.
    private static let keywords: Set<String> = [
        "Any", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
        "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
