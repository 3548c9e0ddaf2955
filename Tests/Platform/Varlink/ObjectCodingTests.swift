import Foundation
import Testing
import Varlink

@testable import JSON

/// Swift values as JSON objects and back, compared with Foundation's coders.
@Suite struct ObjectCodingTests {
    struct Everything: Codable, Equatable {
        var text = ""
        var truth = false
        var integer = 0
        var fraction = 0.0
        var small: Int8 = 0
        var large: UInt64 = 0
        var narrow: Float = 0
        var nothing: String?
        var kind = Kind.first
        var words: [String] = []
        var numbers: [[Int?]] = []
        var named: [String: Inner] = [:]
        var inner = Inner()
        var empty = Nothing()
        var alpha = 2
        var a10 = 3
        var a9 = 4

        enum Kind: String, Codable { case first, second }
        struct Inner: Codable, Equatable {
            var b: Double? = 0.5
            var a: [Bool] = []
        }
    }

    static let values: [Everything] = [
        Everything(),
        Everything(
            text: "\u{0}\u{8}\t\n\u{C}\r\u{1F} \"\\/\u{7F}é😀\u{2028}", truth: true, integer: .min, fraction: 0.1,
            small: -128, large: .max, narrow: 1.5, nothing: "", kind: .second, words: ["", "ä"],
            numbers: [[], [nil, 1], [-2]],
            named: ["b\"": .init(), "a": .init(b: nil, a: [true, false]), "": .init(), "Z": .init()],
            inner: .init(b: -0.0, a: [])),
        Everything(integer: .max, fraction: 1e300, narrow: -3),
        Everything(fraction: 2.2250738585072014e-308, words: ["1", "2", "3"]),
        Everything(fraction: 123_456_789.25, inner: .init(b: 1e19)),
    ]

    @Test(arguments: values) func `an encoded value is what Foundation encodes, and is decoded by Foundation`(
        value: Everything
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = JSONObject.text(of: value)
        #expect(String(decoding: text, as: UTF8.self) == String(decoding: try encoder.encode(value), as: UTF8.self))
        #expect(try JSONDecoder().decode(Everything.self, from: Data(text)) == value)
    }

    @Test(arguments: values) func `an encoded value is decoded again`(value: Everything) throws {
        #expect(try decodeObject(Everything.self, from: JSONObject.text(of: value)) == value)
    }

    @Test(arguments: values) func `white space, the order of members and unknown members make no difference`(
        value: Everything
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        let more = "\n{ \"unknown\" : [ {\"a]\\\"\" : \"}\\\\\" } , 1e5,null ] ," + text.dropFirst()
        #expect(try decodeObject(Everything.self, from: Array(more.utf8)) == value)
    }

    @Test func `a member's name may have escapes`() throws {
        let text = #"{"\u0061": [true], "\u0062":2}"#
        #expect(try decodeObject(Everything.Inner.self, from: Array(text.utf8)) == .init(b: 2, a: [true]))
    }

    @Test(arguments: [
        ("{}", "a"), (#"{"a":{}}"#, "a"), (#"{"a":null}"#, "a"), (#"{"a":[1]}"#, "a"), (#"{"a":[null]}"#, "a"),
        (#"{"a":[],"b":"1"}"#, "b"), (#"{"a":[],"b":1e400}"#, "b"),
    ])
    func `a value that does not fit is reported by the object's own member`(text: String, member: String) {
        let mismatch = #expect(throws: ObjectMismatch.self) {
            try decodeObject(Everything.Inner.self, from: Array(text.utf8))
        }
        #expect(mismatch?.member == member)
    }

    /// A type with its own `encode(to:)`, which Foundation's encoder encodes too.
    struct ByHand: Encodable {
        func encode(to encoder: any Encoder) throws {
            var all = encoder.container(keyedBy: JSONKey.self)
            var nested = all.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey("nested"))
            var list = all.nestedUnkeyedContainer(forKey: JSONKey("list"))
            try all.encode("between", forKey: JSONKey("m"))
            try list.encode(1)
            try nested.encode(2, forKey: JSONKey("z"))
            var inList = list.nestedUnkeyedContainer()
            try list.encodeNil()
            try inList.encode("late")
            var objectInList = list.nestedContainer(keyedBy: JSONKey.self)
            try objectInList.encodeNil(forKey: JSONKey("nil"))
            try nested.encode(3, forKey: JSONKey("a"))
            try 4.encode(to: all.superEncoder())
            try Everything.Kind.second.encode(to: all.superEncoder(forKey: JSONKey("kind")))
            try [5].encode(to: list.superEncoder())
            _ = all.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey("empty"))
        }
    }

    @Test func `containers may be filled in any order`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: JSONObject.text(of: ByHand()), as: UTF8.self)
                == String(decoding: try encoder.encode(ByHand()), as: UTF8.self))
    }
}
