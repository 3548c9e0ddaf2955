import DaybreakInterfaces
import Foundation
import HomeworkWire
import JSON
import Testing
import Varlink

@Suite struct InterfaceDriftTests {
    @Test(arguments: zip(Interfaces.all.indices, ["Homework", "Provider", "Service"]))
    func `an interface is served byte for byte as its file has it`(index: Int, name: String) throws {
        let interface = Interfaces.all[index]
        #expect(interface.name == "org.daybreak.\(name)")
        #expect(try interface.text == ProjectFile.text("Sources/Interfaces/Daybreak/org.daybreak.\(name).varlink"))
    }

    @Test func `the names of the interfaces are those of the files`() {
        let names = [Homework.name, Provider.name, Service.name]
        #expect(Interfaces.all.map(\.name) == names)
    }

    @Test func `every method of the files is one in Swift, and no other is`() {
        let named = Interfaces.all.flatMap { interface in interface.methods.map { "\(interface.name).\($0.name)" } }
        #expect(MethodSample.all.map(\.name) == named)
    }

    @Test func `every error of the files is one in Swift, and no other is`() {
        let named = Interfaces.all.flatMap { interface in interface.errors.map { "\(interface.name).\($0.name)" } }
        #expect(ErrorSample.all.map(\.name) == named)
    }

    @Test(arguments: MethodSample.all.map(\.name))
    func `a method has the fields of its file`(name: String) throws {
        let sample = try #require(MethodSample.all.first { $0.name == name })
        let interface = try #require(Interfaces.all.first { sample.name.hasPrefix("\($0.name).") })
        let method = try #require(interface.method(named: sample.name))
        #expect(try sample.calls.map(Shape.init(encoding:)) == Shape.fullAndMinimal(method.input, in: interface))
        #expect(try sample.replies.map(Shape.init(encoding:)) == Shape.fullAndMinimal(method.output, in: interface))
        #expect(spelling(of: sample.calls[0]) == spelling(of: .structure(method.input), in: interface))
        #expect(spelling(of: sample.replies[0]) == spelling(of: .structure(method.output), in: interface))
        for call in sample.calls { try interface.check(parameters: bytes(call), of: sample.name) }
        for reply in sample.replies { try interface.check(reply: bytes(reply), of: sample.name) }
    }

    @Test(arguments: ErrorSample.all.map(\.name))
    func `an error has the fields of its file`(name: String) throws {
        let sample = try #require(ErrorSample.all.first { $0.name == name })
        let interface = try #require(Interfaces.all.first { sample.name.hasPrefix("\($0.name).") })
        let error = try #require(interface.error(named: sample.name))
        #expect(try sample.errors.map(Shape.init(encoding:)) == Shape.fullAndMinimal(error.parameters, in: interface))
        #expect(spelling(of: sample.errors[0]) == spelling(of: .structure(error.parameters), in: interface))
        for error in sample.errors { try interface.check(parameters: bytes(error), ofError: sample.name) }
    }
}

/// The keys that a JSON object has, and those of the objects in it.
private indirect enum Shape: Equatable {
    case value
    case array(Shape)
    case object([String: Shape])

    init(encoding value: any Encodable) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(bytes(value))))
    }

    private init(_ json: Any) {
        switch json {
        case let object as [String: Any]: self = .object(object.mapValues(Self.init))
        case let array as [Any]: self = .array(array.first.map(Self.init) ?? .value)
        default: self = .value
        }
    }

    static func fullAndMinimal(_ fields: [Interface.Field], in interface: Interface) -> [Self] {
        [true, false].map { Self(.structure(fields), isFull: $0, in: interface) }
    }

    private init(_ type: Interface.FieldType, isFull: Bool, in interface: Interface) {
        switch type {
        case .structure(let fields):
            let present = fields.filter { isFull || !$0.isOptional }
            self = .object(
                Dictionary(
                    uniqueKeysWithValues: present.map { ($0.name, Self($0.type, isFull: isFull, in: interface)) }))
        case .named(let name): self = Self(interface.type(named: name)!.type, isFull: isFull, in: interface)
        case .array(let element): self = .array(Self(element, isFull: isFull, in: interface))
        case .optional(let wrapped): self = Self(wrapped, isFull: isFull, in: interface)
        default: self = .value
        }
    }
}

/// A type as the interface language would have it, with the named ones written out.
private func spelling(of type: Interface.FieldType, in interface: Interface) -> String {
    switch type {
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .object: "object"
    case .any: "any"
    case .named(let name): spelling(of: interface.type(named: name)!.type, in: interface)
    case .structure(let fields):
        "(\(fields.map { "\($0.name): \(spelling(of: $0.type, in: interface))" }.joined(separator: ", ")))"
    case .enumeration(let values): "(\(values.joined(separator: ", ")))"
    case .array(let element): "[]\(spelling(of: element, in: interface))"
    case .map(let element): "[string]\(spelling(of: element, in: interface))"
    case .optional(let wrapped): "?\(spelling(of: wrapped, in: interface))"
    }
}

/// The same for a Swift value: a full one, so that nothing is nil and no array is empty.
private func spelling(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    switch value {
    // First: an optional text is a text as well.
    case _ where mirror.displayStyle == .optional: return "?\(spelling(of: mirror.children.first!.value))"
    case is Bool: return "bool"
    case is Int: return "int"
    case is Double: return "float"
    case is String: return "string"
    case let choice as any CaseIterable: return "(\(cases(of: choice).joined(separator: ", ")))"
    case _ where mirror.displayStyle == .collection: return "[]\(spelling(of: mirror.children.first!.value))"
    default:
        let fields = mirror.children.map { "\($0.label!): \(spelling(of: $0.value))" }
        return "(\(fields.joined(separator: ", ")))"
    }
}

private func cases<C: CaseIterable>(of choice: C) -> [String] {
    C.allCases.map { ($0 as? any RawRepresentable<String>)?.rawValue ?? "\($0)" }
}
