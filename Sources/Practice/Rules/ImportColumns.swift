/// The columns of a spreadsheet that the practice imports.
public struct ImportColumns: Sendable {
    /// The most rows of one import; more would exceed the call's size limit.
    public static let mostRows = 20_000

    public let names: [String]
    /// Without one of them no row can be imported.
    public let needed: [String]

    public static let clients = ImportColumns(
        names: [
            "name", "born", "phone", "email", "address", "emergencyContact", "referredBy", "motive", "timeZone",
            "thanatologist", "since", "account",
        ], needed: ["name", "thanatologist"])

    public static let sessions = ImportColumns(
        names: ["client", "on", "minutes", "service", "motives", "tools", "fee", "notes"],
        needed: ["client", "on", "minutes", "service"])

    /// With the practice's own fields of clients.
    public func adding(_ fields: [(name: String, isNeeded: Bool)]) -> ImportColumns {
        ImportColumns(
            names: names + fields.map(\.name), needed: needed + fields.filter(\.isNeeded).map(\.name))
    }
}
