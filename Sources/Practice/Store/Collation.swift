import Glibc
@_spi(_Unicode) import Swift

/// Puts names in alphabetical order, by a locale of the machine. It belongs to the thread that made it.
///
/// A name is kept with its sort key, so that any database puts names in this order. Where the machine does not have the
/// locale, case and accents are put aside by the Unicode standard's canonical decomposition (UAX #15).
public struct Collation {
    private let locale: locale_t?

    /// - Parameter name: a locale of the machine, such as `es_ES.UTF-8`; without one, letters count without accents.
    public init(locale name: String = "") {
        // Kept until the program ends: one for each thread.
        locale = name.isEmpty ? nil : newlocale(1 << LC_CTYPE | 1 << LC_COLLATE, name, nil)
    }

    /// Whether the machine has the locale that was named.
    public var hasLocale: Bool { locale != nil }

    /// Compared byte by byte, sorts as the name does in this locale. Equal names have equal keys.
    public func key(of name: String) -> String {
        // The folded name first, so that the name itself decides only where two fold alike.
        guard let locale else { return "\(Self.folded(name)) \(name)" }
        let length = strxfrm_l(nil, name, 0, locale)
        var bytes = [CChar](repeating: 0, count: length + 1)
        strxfrm_l(&bytes, name, bytes.count, locale)
        // As digits: the bytes are no text, and a database's own collation must not put them in another order.
        return bytes.dropLast().map { byte in
            let digits = String(UInt8(bitPattern: byte), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
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
