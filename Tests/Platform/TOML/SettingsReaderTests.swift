import TOML
import Testing

/// Another daemon's settings: a list of tables, and a setting without a table.
private struct Clinic: Equatable {
    struct Field: Equatable {
        var name = ""
        var isRequired = false
    }

    var currency = "EUR"
    var fields: [Field] = []

    static let rows: [Setting<Clinic>] = [
        Setting("currency", .line("a currency", limit: 3, because: "ISO 4217"), \.currency),
        Setting(
            "client.field",
            .list(
                "tables, each under [[client.field]]", of: .table("a table", of: Field.rows) { Field() }, 0...2,
                because: "a form has two"), \.fields),
    ]

    static func read(_ text: String) throws(TOMLFault) -> Clinic {
        var reader = SettingsReader(rows, values: Clinic())
        try reader.read(text)
        return reader.values
    }
}

extension Clinic.Field {
    fileprivate static let rows: [Setting<Self>] = [
        Setting("name", .line("a name", limit: 20, because: "it is a label"), \.name),
        Setting("required", .boolean, \.isRequired),
    ]
}

@Suite struct SettingsReaderTests {
    @Test func `each table of an array is read by the same settings`() throws {
        let text = """
            currency = "CHF"
            [[client.field]]
            name = "Phone"
            [[client.field]]
            name = "Pet"
            required = true
            """
        let fields = [Clinic.Field(name: "Phone"), Clinic.Field(name: "Pet", isRequired: true)]
        #expect(try Clinic.read(text) == Clinic(currency: "CHF", fields: fields))
    }

    @Test(arguments: [
        (
            "[[client.field]]\n[[client.field]]\nrequired = 1",
            TextPosition(line: 3, column: 1),
            "client.field, element 2: required must be true or false, without quotes. It is a number."
        ),
        (
            "[[client.field]]\nnme = 'x'", TextPosition(line: 2, column: 1),
            "client.field, element 1: There is no setting nme; did you mean name?"
        ),
        (
            "client.field = [{}, {}, {}]", TextPosition(line: 1, column: 8),
            "client.field must not hold more than 2 elements: a form has two."
        ),
        ("curency = 'CHF'", TextPosition(line: 1, column: 1), "There is no setting curency; did you mean currency?"),
        (
            "\n[client]\nfield = 1", TextPosition(line: 3, column: 1),
            "client.field must be tables, each under [[client.field]]. It is a number."
        ),
        ("[[client.field]]\nrequired = no", TextPosition(line: 2, column: 12), Self.noValue),
    ])
    func `a fault is refused with its place`(text: String, place: TextPosition, reason: String) {
        let fault = #expect(throws: TOMLFault.self) { try Clinic.read(text) }
        #expect(fault?.place == place)
        #expect(fault?.reason == reason)
    }

    private static let noValue =
        "It is not TOML. There is no such value: a text stands in quotes; yes and no are spelled true and false."

    @Test func `the place of each setting is known`() throws {
        var reader = SettingsReader(Clinic.rows, values: Clinic())
        try reader.read("\ncurrency = 'EUR'\n")
        #expect(reader.places == ["currency": TextPosition(line: 2, column: 1)])
    }
}
