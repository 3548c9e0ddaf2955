/// A JSON text that ``JSONReader`` has found well-formed. It finds members, elements and the ends of values.
final class JSONText {
    struct Member {
        let name: JSONReader.ScannedString
        let value: Int
    }

    let bytes: [UInt8]
    private let reader: JSONReader

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = JSONReader(bytes)
    }

    func skipWhitespace(from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        return place
    }

    /// The members of the object at this place.
    func members(at start: Int) -> [Member] {
        var members: [Member] = []
        var place = skipWhitespace(from: start + 1)
        while bytes[place] != UInt8(ascii: "}") {
            let name = scanString(at: place)
            let value = skipWhitespace(from: skipWhitespace(from: name.range.upperBound + 1) + 1)
            members.append(Member(name: name, value: value))
            place = next(after: value)
        }
        return members
    }

    /// The places of the elements of the array at this place.
    func elements(at start: Int) -> [Int] {
        var starts: [Int] = []
        var place = skipWhitespace(from: start + 1)
        while bytes[place] != UInt8(ascii: "]") {
            starts.append(place)
            place = next(after: place)
        }
        return starts
    }

    /// The place of the next member or element, or of the closing bracket.
    private func next(after value: Int) -> Int {
        let place = skipWhitespace(from: end(ofValueAt: value))
        return bytes[place] == UInt8(ascii: ",") ? skipWhitespace(from: place + 1) : place
    }

    func end(ofValueAt start: Int) -> Int {
        var depth = 0
        var place = start
        repeat {
            switch bytes[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
            case UInt8(ascii: "\""): place = scanString(at: place).range.upperBound + 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20: place += 1
            default: place = endOfLiteral(at: place)
            }
        } while depth > 0
        return place
    }

    private func endOfLiteral(at start: Int) -> Int {
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0...0x20: return place
            default: place += 1
            }
        }
        return place
    }

    private func scanString(at start: Int) -> JSONReader.ScannedString {
        var place = start + 1
        var hasEscapes = false
        while bytes[place] != UInt8(ascii: "\"") {
            let isEscape = bytes[place] == UInt8(ascii: "\\")
            hasEscapes = hasEscapes || isEscape
            place += isEscape ? 2 : 1
        }
        return JSONReader.ScannedString(range: start + 1..<place, hasEscapes: hasEscapes)
    }

    // MARK: Values

    func name(of member: Member) -> String { reader.string(member.name) }

    /// Compares bytes.
    func isNamed(_ member: Member, _ name: String) -> Bool {
        member.name.hasEscapes
            ? self.name(of: member).isSpelled(name)
            : member.name.range.count == name.utf8.count && bytes[member.name.range].elementsEqual(name.utf8)
    }

    /// Nil if the value is no string.
    func string(at start: Int) -> String? {
        bytes[start] == UInt8(ascii: "\"") ? reader.string(scanString(at: start)) : nil
    }

    func isNumber(at start: Int) -> Bool {
        switch bytes[start] {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// A number's text.
    func literal(at start: Int) -> String {
        String(decoding: bytes[start..<endOfLiteral(at: start)], as: UTF8.self)
    }
}
