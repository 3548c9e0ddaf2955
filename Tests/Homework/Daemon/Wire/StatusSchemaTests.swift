import DaybreakInterfaces
import Foundation
import JSON
import Testing
import Varlink

@testable import HomeworkDaemon

@Suite struct StatusSchemaTests {
    private let schema: [String: Any]
    private let definitions: [String: [String: Any]]

    init() throws {
        let text = try ProjectFile.text("Config/status.schema.json")
        schema = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    }

    /// A schema in the interface language. Parts of the schema that the language cannot express are ignored.
    private func spelling(of schema: [String: Any]) -> String {
        if let reference = schema["$ref"] as? String {
            return spelling(of: definitions[String(reference.dropFirst("#/$defs/".count))] ?? [:])
        }
        if let values = schema["enum"] as? [String] { return "(\(values.sorted().joined(separator: ", ")))" }
        switch schema["type"] as? String {
        case "string": return "string"
        case "integer": return "int"
        case "number": return "float"
        case "boolean": return "bool"
        case "object" where schema["additionalProperties"] as? Bool == false: return structure(schema)
        default: return "?"
        }
    }

    private func structure(_ schema: [String: Any]) -> String {
        let required = schema["required"] as? [String] ?? []
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        let fields = properties.map { "\($0): \(required.contains($0) ? "" : "?")\(spelling(of: $1))" }
        return "(\(fields.sorted().joined(separator: ", ")))"
    }

    private func spelling(of type: Interface.FieldType) -> String {
        switch type {
        case .named(let name): spelling(of: Homework.interface.type(named: name)!.type)
        case .structure(let fields):
            "(\(fields.map { "\($0.name): \(spelling(of: $0.type))" }.sorted().joined(separator: ", ")))"
        case .enumeration(let values): "(\(values.sorted().joined(separator: ", ")))"
        case .optional(let wrapped): "?\(spelling(of: wrapped))"
        default: "\(type)"
        }
    }

    @Test func `the status file's schema has the fields of the interface's Status`() throws {
        let status = try #require(Homework.interface.type(named: "Status"))
        #expect(spelling(of: schema) == spelling(of: status.type))
    }

    @Test func `the schema has the status file's version`() throws {
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties["version"]?["const"] as? Int == Homework.Status.currentVersion)
        #expect(schema["$id"] as? String == "urn:daybreak:status:\(Homework.Status.currentVersion)")
    }

    @Test func `every definition of the schema is used`() throws {
        let text = try ProjectFile.text("Config/status.schema.json")
        let used = Set(text.matches(of: #/"\$ref": "#\/\$defs\/(\w+)"/#).map { String($0.1) })
        #expect(used == Set(definitions.keys))
    }

    /// Of these the schema says more than the interface can: days and instants.
    @Test func `the schema marks days and instants`() {
        var formats: [String: String] = [:]
        for object in [schema] + definitions.values {
            for (name, property) in object["properties"] as? [String: [String: Any]] ?? [:] {
                formats[name] = property["format"] as? String
            }
        }
        #expect(
            formats == [
                "today": "date", "due": "date", "dayEnds": "date-time", "asOf": "date-time", "nextUnlock": "date-time",
                "nextReminder": "date-time", "snoozedUntil": "date-time", "changesAt": "date-time",
                "since": "date-time",
            ])
    }
}
