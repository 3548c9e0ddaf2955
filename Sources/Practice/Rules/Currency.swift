/// A currency by ISO 4217. Amounts are stored in its smallest unit.
public struct Currency: Equatable, Sendable {
    /// Three capital letters.
    public let code: String

    public init(_ code: String) { self.code = code }

    /// The number of decimals of an amount: the minor unit of ISO 4217's list one.
    public var decimals: Int { Self.others[code] ?? 2 }

    private static let others: [String: Int] = {
        let none = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
        let (three, four) = ("BHD IQD JOD KWD LYD OMR TND", "CLF UYW")
        let listed = [(none, 0), (three, 3), (four, 4)].flatMap { codes, decimals in
            codes.split(separator: " ").map { (String($0), decimals) }
        }
        return Dictionary(uniqueKeysWithValues: listed)
    }()

    /// `50.00 EUR`, `5000 JPY`.
    public func text(_ amount: Int) -> String { "\(number(amount)) \(code)" }

    /// `50.00`, `5000`.
    public func number(_ amount: Int) -> String {
        let sign = amount < 0 ? "-" : ""
        let digits = String(amount.magnitude)
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// Reads `50`, `50.5`, `50.00` or `50,00`, with or without the currency's code behind it.
    public func amount(_ text: String) throws(FieldError) -> Int {
        var number = text.trimmed
        if number.uppercased().hasSuffix(code) { number = String(number.dropLast(code.count)).trimmed }
        let parts = number.replacing(",", with: ".").split(separator: ".", omittingEmptySubsequences: false)
        let (whole, part) = (parts[0], parts.count > 1 ? String(parts[1]) : "")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count <= 2, !whole.isEmpty, parts.count == 1 || !part.isEmpty, part.count <= decimals,
            (whole + part).utf8.allSatisfy({ digits.contains($0) }),
            let amount = Int(whole + part + String(repeating: "0", count: decimals - part.count))
        else {
            throw FieldError("must be an amount such as \(decimals == 0 ? "50" : "50 or \(self.number(50 * scale))").")
        }
        return amount
    }

    private var scale: Int { (0..<decimals).reduce(1) { scale, _ in scale * 10 } }
}
