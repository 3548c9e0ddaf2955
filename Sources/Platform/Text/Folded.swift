@_spi(_Unicode) import Swift

extension String {
    /// The text without case and accents, `angeles` for `Ángeles`, by canonical decomposition (UAX #15). Searches and whole names
    /// compare it.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in lowercased()._nfd
        where scalar.isASCII || scalar.properties.generalCategory != .nonspacingMark {
            folded.append(scalar)
        }
        return String(folded)
    }
}
