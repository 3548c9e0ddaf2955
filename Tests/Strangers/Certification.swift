// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Varlink

/// org.varlink.certification, the test of Varlink's makers for implementations. Each call takes the reply of the one
/// before, and every kind of type is in one of them.
enum Certification {
    static let name = "org.varlink.certification"

    struct Start: Varlink.Method {
        static let name = "org.varlink.certification.Start"
        struct Reply: Codable, Equatable { var client_id: String }
    }

    struct Test01: Varlink.Method {
        static let name = "org.varlink.certification.Test01"
        struct Reply: Codable, Equatable { var bool: Bool }
        var client_id: String
    }

    struct Test02: Varlink.Method {
        static let name = "org.varlink.certification.Test02"
        struct Reply: Codable, Equatable { var int: Int }
        var client_id: String
        var bool: Bool
    }

    struct Test03: Varlink.Method {
        static let name = "org.varlink.certification.Test03"
        struct Reply: Codable, Equatable { var float: Double }
        var client_id: String
        var int: Int
    }

    struct Test04: Varlink.Method {
        static let name = "org.varlink.certification.Test04"
        struct Reply: Codable, Equatable { var string: String }
        var client_id: String
        var float: Double
    }

    struct Four: Codable, Equatable {
        var bool: Bool
        var int: Int
        var float: Double
        var string: String
    }

    struct Test05: Varlink.Method {
        static let name = "org.varlink.certification.Test05"
        typealias Reply = Four
        var client_id: String
        var string: String
    }

    struct Test06: Varlink.Method {
        static let name = "org.varlink.certification.Test06"
        struct Reply: Codable, Equatable { var `struct`: Four }
        var client_id: String
        var bool: Bool
        var int: Int
        var float: Double
        var string: String
    }

    struct Test07: Varlink.Method {
        static let name = "org.varlink.certification.Test07"
        struct Reply: Codable, Equatable { var map: [String: String] }
        var client_id: String
        var `struct`: Four
    }

    struct Test08: Varlink.Method {
        static let name = "org.varlink.certification.Test08"
        struct Reply: Codable, Equatable { var set: [String: Nothing] }
        var client_id: String
        var map: [String: String]
    }

    struct Test09: Varlink.Method {
        static let name = "org.varlink.certification.Test09"
        struct Reply: Codable, Equatable { var mytype: MyType }
        var client_id: String
        var set: [String: Nothing]
    }

    struct Test10: Varlink.Method {
        static let name = "org.varlink.certification.Test10"
        struct Reply: Codable, Equatable { var string: String }
        var client_id: String
        var mytype: MyType
    }

    struct Test11: Varlink.Method {
        static let name = "org.varlink.certification.Test11"
        typealias Reply = Nothing
        var client_id: String
        var last_more_replies: [String]
    }

    struct End: Varlink.Method {
        static let name = "org.varlink.certification.End"
        struct Reply: Codable, Equatable { var all_ok: Bool }
        var client_id: String
    }

    struct MyType: Codable, Equatable {
        var object: Object
        var `enum`: String
        var `struct`: Pair
        var array: [String]
        var dictionary: [String: String]
        var stringset: [String: Nothing]
        var nullable: String?
        var nullable_array_struct: [Pair]?
        var interface: Inner

        struct Object: Codable, Equatable {
            struct Parameters: Codable, Equatable { var map: [String: String] }
            var method: String
            var parameters: Parameters
        }

        struct Pair: Codable, Equatable {
            var first: Int
            var second: String
        }

        struct Inner: Codable, Equatable {
            struct Anonymous: Codable, Equatable {
                var foo: Bool
                var bar: Bool
            }
            var foo: [[String: String]?]?
            var anon: Anonymous
        }
    }

    // The values that the makers' own server sends and expects.
    static let four = Four(bool: false, int: 2, float: .pi, string: "a lot of string")
    static let map = ["foo": "Foo", "bar": "Bar"]
    static let set = ["one": Nothing(), "two": Nothing(), "three": Nothing()]
    static let mytype = MyType(
        object: .init(method: "org.varlink.certification.Test09", parameters: .init(map: map)), enum: "two",
        struct: .init(first: 1, second: "2"), array: ["one", "two", "three"], dictionary: map, stringset: set,
        interface: .init(
            foo: [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            anon: .init(foo: true, bar: false)))
    static let replies = (1...10).map { "Reply number \($0)" }
}
