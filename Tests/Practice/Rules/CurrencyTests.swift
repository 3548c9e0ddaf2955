import PracticeRules
import Testing

@Suite struct `Money in a currency's decimals` {
    @Test(arguments: [
        ("EUR", 5_000, "50.00 EUR"), ("EUR", 5, "0.05 EUR"), ("JPY", 5_000, "5000 JPY"), ("BHD", 1_234, "1.234 BHD"),
        ("EUR", 0, "0.00 EUR"), ("EUR", -150, "-1.50 EUR"), ("CLF", 12_345, "1.2345 CLF"),
    ])
    func `an amount is shown by the decimals of ISO 4217`(code: String, amount: Int, text: String) {
        #expect(Currency(code).text(amount) == text)
    }

    @Test(arguments: [
        ("EUR", "50", 5_000), ("EUR", "50.5", 5_050), ("EUR", "50,05", 5_005), ("EUR", " 50.00 eur ", 5_000),
        ("JPY", "5000", 5_000), ("BHD", "1.2", 1_200), ("EUR", "0", 0),
    ])
    func `an amount is read as people write it`(code: String, text: String, amount: Int) throws {
        #expect(try Currency(code).amount(text) == amount)
    }

    @Test(arguments: ["", "x", "-1", "1.234", "1.", ".5", "1.2.3", "1 000", "99999999999999999999", "٥٠"])
    func `anything else is refused`(text: String) {
        #expect(throws: FieldError("must be an amount such as 50 or 50.00.")) { try Currency("EUR").amount(text) }
    }

    @Test func `a currency without decimals takes none`() {
        #expect(throws: FieldError("must be an amount such as 50.")) { try Currency("JPY").amount("50.00") }
    }
}
