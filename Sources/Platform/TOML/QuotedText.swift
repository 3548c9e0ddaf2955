// Texts and names in quotes.
extension TOMLReader {
    mutating func text(isKey: Bool = false) throws(TOMLFault) -> String {
        let start = place
        let quote = bytes[offset]
        let isLong = !isKey && bytes[offset...].starts(with: [quote, quote, quote])
        step(isLong ? 3 : 1)
        if isLong, current == UInt8(ascii: "\r") { step() }
        if isLong, current == UInt8(ascii: "\n") { step() }
        var text: [UInt8] = []
        while let byte = current, isLong || byte != UInt8(ascii: "\n") {
            switch byte {
            case quote:
                let quotes = min(bytes[offset...].prefix { $0 == quote }.count, isLong ? 5 : 1)
                step(quotes)
                guard isLong else { return String(decoding: text, as: UTF8.self) }
                // A long text may end with up to two quotes of its own.
                text += repeatElement(quote, count: quotes < 3 ? quotes : quotes - 3)
                if quotes >= 3 { return String(decoding: text, as: UTF8.self) }
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                text += try escape(isLong: isLong).utf8
            default:
                text.append(byte)
                step()
            }
        }
        throw fault("This text has no end: \(isLong ? "three quotes are" : "a quote is") missing.", at: start)
    }

    private mutating func escape(isLong: Bool) throws(TOMLFault) -> String {
        let start = place
        step()
        let letter = current.map { Unicode.Scalar($0) }
        switch letter {
        case "b": step(); return "\u{8}"
        case "t": step(); return "\t"
        case "n": step(); return "\n"
        case "f": step(); return "\u{C}"
        case "r": step(); return "\r"
        case "\"": step(); return "\""
        case "\\": step(); return "\\"
        case "u", "U":
            step()
            let digits = bytes[offset...].prefix(letter == "u" ? 4 : 8).prefix(while: Self.isHexadecimal)
            guard digits.count == (letter == "u" ? 4 : 8),
                let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
            else { break }
            guard scalar.value != 0 else { throw noPlace(for: 0) }
            step(digits.count)
            return String(scalar)
        case " ", "\t", "\r", "\n":
            // A backslash at the end of a line removes the white space that follows.
            skipSpace()
            guard isLong, current == UInt8(ascii: "\n") || current == UInt8(ascii: "\r") else { break }
            while let byte = current, Self.isSpace(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                step()
            }
            return ""
        default: break
        }
        throw fault(#"There is no such escape: a backslash itself is \\, or stands in 'single quotes'."#, at: start)
    }
}
