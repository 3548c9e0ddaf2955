import Varlink

/// Interface definitions.
enum InterfaceFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let interface: Interface
        do { interface = try Interface(parsing: text) } catch {
            return try promise("\(error) is a place", error.line >= 1 && error.column >= 1)
        }
        try promise("the text is kept byte for byte", interface.text.utf8.elementsEqual(text.utf8))
        let again = try Interface(parsing: spelling(of: interface))
        try promise("an interface says the same again", spelling(of: again) == spelling(of: interface))
        for method in interface.methods { hold("{}", method, in: interface) }
    }

    /// For any interface, a check of parameters ends.
    private static func hold(_ parameters: String, _ method: Interface.MethodMember, in interface: Interface) {
        _ = try? interface.check(parameters: Array(parameters.utf8), of: method.name)
    }

    /// Without comments.
    private static func spelling(of interface: Interface) -> String {
        let types = interface.types.map { "type \($0.name) \(spelling(of: $0.type))" }
        let methods = interface.methods.map {
            "method \($0.name)\(spelling(of: .structure($0.input))) -> \(spelling(of: .structure($0.output)))"
        }
        let errors = interface.errors.map { "error \($0.name) \(spelling(of: .structure($0.parameters)))" }
        return (["interface \(interface.name)"] + types + methods + errors).joined(separator: "\n")
    }

    private static func spelling(of type: Interface.FieldType) -> String {
        switch type {
        case .bool: "bool"
        case .int: "int"
        case .float: "float"
        case .string: "string"
        case .object: "object"
        case .any: "any"
        case .named(let name): name
        case .structure(let fields):
            "(\(fields.map { "\($0.name): \(spelling(of: $0.type))" }.joined(separator: ", ")))"
        case .enumeration(let values): "(\(values.joined(separator: ", ")))"
        case .array(let element): "[]\(spelling(of: element))"
        case .map(let element): "[string]\(spelling(of: element))"
        case .optional(let wrapped): "?\(spelling(of: wrapped))"
        }
    }
}
