/// A value as the text of one JSON object, for a file or a terminal.
/// Specification: RFC 8259, section 4.
public enum JSONObject {
    /// UTF-8, on one line, its keys in alphabetical order. The value's type must encode as an object.
    public static func text(of value: some Encodable) -> [UInt8] {
        var bytes: [UInt8] = []
        appendObject(value, to: &bytes)
        return bytes
    }
}
