import Glibc
@_spi(_Unicode) import Swift

/// Puts names in alphabetical order, by a locale of the machine. It belongs to the thread that made it.
///
/// A name is kept with its sort key, so that any database puts names in this order. Where the machine does not have the
/// locale, case and accents are put aside by the Unicode standard's canonical decomposition (UAX #15).
public struct Collation {
    private let locale: locale_t?
    /// Whose sort keys these are: the locale, and the version of glibc, which may weigh letters otherwise than the last.
    let version: String

    /// - Parameter name: a locale of the machine, such as `es_ES.UTF-8`; without one, letters count without accents.
    public init(locale name: String = "") {
        // Kept until the program ends: one for each thread.
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

    /// Whether the machine has the locale that was named.
    public var hasLocale: Bool { locale != nil }

    /// Compared byte by byte, sorts as the name does in this locale. Equal names have equal keys.
    public func key(of name: String) -> String {
        // The folded name first, so that the name itself decides only where two fold alike.
        guard let locale else { return "\(Self.folded(name)) \(name)" }
        // As digits: the bytes are no text, and a database's own collation must not put them in another order.
        return Self.weights(of: name, in: locale).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// The letter under which a name stands in a list: A for Ángeles, unless the locale has a letter Á.
    public func section(of name: String) -> String {
        guard let first = name.first else { return "" }
        let plain = String(Self.folded(String(first)).uppercased().prefix(1))
        let letter = String(first).uppercased()
        guard let locale else { return plain }
        // Letters differ by their first weights, accents and case by later ones. A byte 1 stands between them.
        let (mine, folded) = (Self.weights(of: letter, in: locale), Self.weights(of: plain, in: locale))
        return mine.prefix { $0 != 1 } == folded.prefix { $0 != 1 } ? plain : letter
    }

    private static func weights(of text: String, in locale: locale_t) -> [UInt8] {
        let length = strxfrm_l(nil, text, 0, locale)
        var bytes = [CChar](repeating: 0, count: length + 1)
        strxfrm_l(&bytes, text, bytes.count, locale)
        return bytes.dropLast().map(UInt8.init(bitPattern:))
    }

    /// Without case and accents, `angeles` for `Ángeles`: what a person types finds a name by it.
    public static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in name.lowercased()._nfd where scalar.properties.generalCategory != .nonspacingMark {
            folded.append(scalar)
        }
        return String(folded)
    }

    /// A pattern for `LIKE … ESCAPE '\'` on a folded name: the name has these words, or parts of words, in this order.
    public static func pattern(finding query: String) -> String {
        let parts = folded(query).split(whereSeparator: \.isWhitespace).map { part in
            part.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        return "%" + parts.map { $0 + "%" }.joined()
    }
}
