import Glibc

/// Phrases for numbers, counts and lists. A companion adds the phrases that several of its verbs use.
public enum Wording {
    /// "4", "4.5": at most one decimal.
    public static func number(_ value: Double) -> String {
        let tenths = Int((max(-largest, min(largest, value)) * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(sign)\(abs(tenths / 10)).\(abs(tenths % 10))"
    }

    /// A daemon's number may be of any size.
    private static let largest = 1_000_000_000.0

    /// "1 breath", "5 breaths".
    public static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// "0:38": minutes and seconds that are left, rounded up, so that they end at 0:00.
    public static func left(_ seconds: Double) -> String {
        let whole = Int(max(0, min(largest, seconds)).rounded(.up))
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
    }

    /// "calm, tired or hopeful".
    public static func choices(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first?.shown ?? "" }
        return words.dropLast().map(\.shown).joined(separator: ", ") + " or " + last.shown
    }

    /// The name of that user's account; the number where the machine has no name for it.
    public static func account(_ user: Int) -> String {
        uid_t(exactly: user).flatMap(getpwuid).map { String(cString: $0.pointee.pw_name).shown } ?? "\(user)"
    }

    public static func capitalised(_ text: String) -> String {
        guard let first = text.first else { return text }
        return first.uppercased() + text.dropFirst()
    }

    /// A daemon's sentence, with a capital and a full stop.
    public static func sentence(_ text: String) -> String {
        let text = capitalised(text.shown)
        guard let last = text.last else { return "" }
        return ".!?".contains(last) ? text : text + "."
    }
}
