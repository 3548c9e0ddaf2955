public import Varlink

extension Interface {
    /// This interface as Swift source. Throws if it is valid in Varlink and cannot be spelled in Swift.
    public func swiftSource() throws(NoSwiftName) -> String { try SwiftSource(of: self).text }
}

/// An interface definition as Swift source: an enum with the interface's name. It holds a struct or an enum for each type,
/// a `Method` for each method and an `ErrorReply` for each error.
struct SwiftSource {
    private(set) var text = ""

    private let interface: Interface
    private let names: SwiftNames
    private var indentation = 0
    /// The replies written so far. Methods that answer with the same fields share one Swift type.
    private var replies: [(fields: [Interface.Field], name: String)] = []

    init(of interface: Interface) throws(NoSwiftName) {
        self.interface = interface
        names = try SwiftNames(of: interface)
        line("// Generated from \(interface.name).varlink. Edit that file, not this one.")
        line("\(names.usesRawJSON ? "public import" : "import") JSON")
        line("public import Varlink")
        line("")
        comment(interface.comment)
        block("public enum \(names.interface)") { this in
            this.members()
            for type in interface.types { this.type(type.name, type.type, comment: type.comment) }
            for method in interface.methods { this.method(method) }
            for error in interface.errors { this.error(error) }
        }
    }

    // MARK: The interface

    private mutating func members() {
        line("/// The interface's full name.")
        line("public static let name = \"\(interface.name)\"")
        line("/// The methods, in the definition's order.")
        list("public static let methods: [any Method.Type]", interface.methods.map(\.name))
        line("/// The errors, in the definition's order.")
        list("public static let errors: [any ErrorReply.Type]", interface.errors.map(\.name))
        line("/// The definition, parsed.")
        let sign = "\"\"\"" + interface.text.longestRunOfHashes
        let opening = String(sign.dropFirst(3)) + "\"\"\""
        line("public static let interface = Interface(embedded: \(opening)")
        text += interface.text + "\n" + sign + ")\n"
    }

    private mutating func list(_ declaration: String, _ elements: [String]) {
        line("\(declaration) = [\(elements.map { "\($0).self" }.joined(separator: ", "))]")
    }

    // MARK: Types, methods and errors

    private mutating func type(_ name: String, _ type: Interface.FieldType, comment: String = "") {
        self.comment(comment)
        switch type {
        case .structure(let fields): structure(name, ": Codable, Equatable, Sendable", fields)
        case .enumeration(let values):
            block("public enum \(name): String, Codable, Sendable, CaseIterable") { this in
                this.line("case \(values.map(\.asSwiftName).joined(separator: ", "))")
            }
        default: preconditionFailure("the parser lets no other type have a name")
        }
    }

    private mutating func method(_ method: Interface.MethodMember) {
        comment(method.comment)
        structure(method.name, ": Method, Equatable", method.input) { this in
            this.fullName(method.name)
            this.reply(of: method)
        }
    }

    private mutating func reply(of method: Interface.MethodMember) {
        if method.output.isEmpty { return line("public typealias Reply = Nothing") }
        if let shared = replies.first(where: { $0.fields == method.output }) {
            return line("public typealias Reply = \(shared.name)")
        }
        replies.append((method.output, "\(names.interface).\(method.name).Reply"))
        structure("Reply", ": Codable, Equatable, Sendable", method.output)
    }

    private mutating func error(_ error: Interface.ErrorMember) {
        comment(error.comment)
        structure(error.name, ": ErrorReply", error.parameters) { $0.fullName(error.name) }
    }

    private mutating func fullName(_ name: String) {
        line("public static let name = \"\(interface.name).\(name)\"")
    }

    // MARK: Structures

    /// A struct with a variable for each field and an initialiser with `nil` for the optional ones. The types that its
    /// fields define in place are nested in it.
    private mutating func structure(
        _ name: String, _ conformances: String, _ fields: [Interface.Field],
        with more: (inout SwiftSource) -> Void = { _ in }
    ) {
        block("public struct \(name)\(conformances)") { this in
            more(&this)
            for field in fields {
                if let inline = field.type.inline { this.type(field.name.capitalizedFirst, inline) }
            }
            for field in fields {
                this.comment(field.comment)
                this.line("public var \(field.name.asSwiftName): \(this.swift(field))")
            }
            this.initializer(fields)
            this.decoding(fields)
            this.encoding(fields)
        }
    }

    private mutating func initializer(_ fields: [Interface.Field]) {
        let parameters = fields.map { "\($0.name.asSwiftName): \(swift($0))\($0.isOptional ? " = nil" : "")" }
        block("public init(\(parameters.joined(separator: ", ")))") { this in
            for field in fields { this.line("self.\(field.name.asSwiftName) = \(field.name.asSwiftName)") }
        }
    }

    // All structures share one type of key. The compiler would make one for each, with five conformances, and a program's first
    // casts look through all conformances that are linked into it.

    private mutating func decoding(_ fields: [Interface.Field]) {
        block("public init(from decoder: any Decoder) throws") { this in
            guard !fields.isEmpty else { return }
            this.line("let members = try decoder.container(keyedBy: JSONKey.self)")
            for field in fields {
                let (type, suffix) =
                    if case .optional(let wrapped) = field.type { (wrapped, "IfPresent") } else { (field.type, "") }
                let swift = this.swift(type, inline: field.name.capitalizedFirst)
                this.line(
                    "self.\(field.name.asSwiftName) = try members.decode\(suffix)(\(swift).self, forKey: \"\(field.name)\")"
                )
            }
        }
    }

    private mutating func encoding(_ fields: [Interface.Field]) {
        block("public func encode(to encoder: any Encoder) throws") { this in
            guard !fields.isEmpty else { return this.line("_ = encoder.container(keyedBy: JSONKey.self)") }
            this.line("var members = encoder.container(keyedBy: JSONKey.self)")
            for field in fields {
                let suffix = field.isOptional ? "IfPresent" : ""
                this.line("try members.encode\(suffix)(self.\(field.name.asSwiftName), forKey: \"\(field.name)\")")
            }
        }
    }

    private func swift(_ field: Interface.Field) -> String { swift(field.type, inline: field.name.capitalizedFirst) }

    /// A type's name in Swift. `inline` is the name for a type that the definition does not name.
    private func swift(_ type: Interface.FieldType, inline: String) -> String {
        switch type {
        case .bool: "Bool"
        case .int: "Int"
        case .float: "Double"
        case .string: "String"
        case .object, .any: "RawJSON"
        case .named(let name): name
        case .structure([]): "Nothing"
        case .structure, .enumeration: inline
        case .array(let element): "[\(swift(element, inline: inline))]"
        case .map(let element): "[String: \(swift(element, inline: inline))]"
        case .optional(let wrapped): "\(swift(wrapped, inline: inline))?"
        }
    }

    // MARK: Lines

    private mutating func line(_ line: String) {
        text += String(repeating: " ", count: line.isEmpty ? 0 : 4 * indentation) + line + "\n"
    }

    private mutating func comment(_ comment: String) {
        for text in comment.split(separator: "\n", omittingEmptySubsequences: false) where !comment.isEmpty {
            line(text.isEmpty ? "///" : "/// \(text)")
        }
    }

    private mutating func block(_ opening: String, _ body: (inout SwiftSource) -> Void) {
        line("\(opening) {")
        indentation += 1
        body(&self)
        indentation -= 1
        line("}")
    }
}

extension String {
    /// The number signs that a raw string literal needs around this text: one more than the longest run in it.
    fileprivate var longestRunOfHashes: String {
        var longest = 0
        var run = 0
        for byte in utf8 {
            run = byte == UInt8(ascii: "#") ? run + 1 : 0
            longest = max(longest, run)
        }
        return String(repeating: "#", count: longest + 1)
    }
}
