import Glibc
import Text

/// Sorts names alphabetically, by a locale of the machine. It belongs to the thread that made it.
///
/// Each name is stored with its sort key, so that every database sorts names alike. If the machine lacks the locale, names
/// are sorted without case and accents, by canonical decomposition (UAX #15).
public struct Collation {
    private let locale: locale_t?
    /// The version of the sort keys: the locale and glibc's version, because another version may sort differently.
    let version: String

    /// - Parameter name: a locale of the machine, such as `es_ES.UTF-8`; empty: sorted by letters without accents.
    public init(locale name: String = "") {
        // Never freed: each thread makes one.
        locale = name.isEmpty ? nil : newlocale(1 << LC_CTYPE | 1 << LC_COLLATE, name, nil)
        version = locale == nil ? "" : "\(name) \(Self.libraryVersion)"
    }

    /// `glibc 2.36` (man 3 confstr).
    private static var libraryVersion: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
            guard let start = room.baseAddress, confstr(Int32(_CS_GNU_LIBC_VERSION), start, room.count) > 0 else {
                return ""
            }
            return String(cString: start)
        }
    }

    /// True if the machine has the named locale.
    public var hasLocale: Bool { locale != nil }

    /// The sort key of a name. Keys are compared byte by byte; equal names have equal keys.
    public func key(of name: String) -> String {
        // The folded name comes first, so that case and accents only decide between names that fold alike.
        guard let locale else { return "\(Self.folded(name)) \(name)" }
        // In hexadecimal digits, because the bytes are no text and a database's collation could sort them differently.
        return Self.weights(of: name, in: locale).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The letter of a name's section in a list: A for Ángeles, unless Á is a letter of the locale.
    public func section(of name: String) -> String {
        guard let first = name.first else { return "" }
        let plain = String(Self.folded(String(first)).uppercased().prefix(1))
        let letter = String(first).uppercased()
        guard let locale else { return plain }
        // Letters differ in their first weights, accents and case in later ones. A byte 1 separates the weights.
        let (mine, folded) = (Self.weights(of: letter, in: locale), Self.weights(of: plain, in: locale))
        return mine.prefix { $0 != 1 } == folded.prefix { $0 != 1 } ? plain : letter
    }

    private static func weights(of text: String, in locale: locale_t) -> [UInt8] {
        let length = strxfrm_l(nil, text, 0, locale)
        var bytes = [CChar](repeating: 0, count: length + 1)
        strxfrm_l(&bytes, text, bytes.count, locale)
        return bytes.dropLast().map(UInt8.init(bitPattern:))
    }

    /// The name without case and accents, `angeles` for `Ángeles`. Searches compare it.
    public static func folded(_ name: String) -> String { name.folded }

    /// A pattern for `LIKE … ESCAPE '\'` on a folded name that has these words, or parts of words, in this order.
    public static func pattern(finding query: String) -> String {
        let parts = folded(query).split(whereSeparator: \.isWhitespace).map { part in
            part.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        return "%" + parts.map { $0 + "%" }.joined()
    }
}
