import Foundation
import Testing

@testable import JSON

@Suite struct RawJSONTests {
    private struct Envelope: Codable, Equatable { var content: RawJSON, more: [String: RawJSON] }

    @Test(arguments: [#"{"b": 1,"a":[ ]}"#, "[1.50,\n2]", #""\u00e9\n""#, "-0.0e+1", "true", #"{"}":"]"}"#])
    func `a value keeps every byte`(text: String) throws {
        let message = #"{"content":\#(text),"more":{"k":\#(text)}}"#
        let envelope = try decodeObject(Envelope.self, from: Array(message.utf8))
        #expect(envelope.content.text == Array(text.utf8))
        #expect(try envelope.content == RawJSON(parsing: Array(text.utf8)))
        #expect(String(decoding: JSONObject.text(of: envelope), as: UTF8.self) == message)
    }

    @Test func `an encoded value has its keys in alphabetical order`() {
        struct Pair: Encodable { let b = 1, a = "x" }
        #expect(String(decoding: RawJSON(Pair()).text, as: UTF8.self) == #"{"a":"x","b":1}"#)
    }

    @Test(arguments: ["", "{", "1 2", "{\"a\":1,\"a\":2}", "\u{FEFF}1"])
    func `bytes that are no JSON value are refused`(text: String) {
        #expect(throws: JSONError.self) { try RawJSON(parsing: Array(text.utf8)) }
    }

    @Test func `another coder gets an error`() throws {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(RawJSON(["a": 1])) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RawJSON.self, from: Data("{}".utf8)) }
    }
}
