/// A spreadsheet as text (RFC 4180): rows that end with CR LF, of fields between commas. A field with a comma, a quote or a line
/// break stands in quotes.
public enum CSVText {
    public static func text(_ rows: [[String]]) -> String {
        rows.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func field(_ text: String) -> String {
        // A carriage return and a line feed together are one character.
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            quoted += scalar == "\"" ? "\"\"".unicodeScalars : String(scalar).unicodeScalars
        }
        return String(quoted) + "\""
    }
}
