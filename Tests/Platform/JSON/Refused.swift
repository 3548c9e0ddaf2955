import JSON
import Testing

extension JSONReader {
    init(_ text: String) { self.init(Array(text.utf8)) }
}

/// A text that the reader refuses, with the place and the reason.
struct Refused: CustomTestStringConvertible {
    let bytes: [UInt8]
    let line: Int
    let column: Int
    let reason: String

    init(_ text: String, _ line: Int, _ column: Int, _ reason: String) {
        self.init(bytes: Array(text.utf8), line, column, reason)
    }

    init(bytes: [UInt8], _ line: Int, _ column: Int, _ reason: String) {
        self.bytes = bytes
        self.line = line
        self.column = column
        self.reason = reason
    }

    var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self) }

    func check(_ location: SourceLocation = #_sourceLocation) {
        do {
            var reader = JSONReader(bytes)
            try reader.skipValue()
            try reader.end()
            Issue.record("was read: \(testDescription)", sourceLocation: location)
        } catch {
            #expect(error.position.line == line, "\(error) in \(testDescription)", sourceLocation: location)
            #expect(error.position.column == column, "\(error) in \(testDescription)", sourceLocation: location)
            #expect(error.reason == reason, sourceLocation: location)
        }
    }
}
