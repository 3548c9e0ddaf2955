public import Time

/// A report: what it counts, with the words that stand with its numbers.
public enum ReportKind: String, CaseIterable, Sendable {
    case attended, fees, motives, services, tools, caseload, records, replies

    /// `Clients with a session, by month`
    public func title(by unit: Period.Unit) -> String { "\(subject), by \(unit.rawValue)" }

    private var subject: String {
        switch self {
        case .attended: "Clients with a session"
        case .fees: "Recovery fees"
        case .motives: "Sessions by motive"
        case .services: "Sessions by service"
        case .tools: "Sessions by tool"
        case .caseload: "Clients with a session, of each thanatologist"
        case .records: "Records"
        case .replies: "Hours to the first answer"
        }
    }

    /// The unit of the numbers; nil for fees, whose unit is a currency.
    public var unit: String? {
        switch self {
        case .attended, .caseload: "clients"
        case .fees: nil
        case .motives, .services, .tools: "sessions"
        case .records: "records"
        case .replies: "hours"
        }
    }

    /// The subject of the count, in sentences.
    ///
    /// - Parameter isShared: on a page that leaves the practice, of which it tells what is left out.
    public func definition(isShared: Bool = false) -> String {
        let own = ownDefinition + (self == .records && !isShared ? " \(Self.episodes)" : "")
        return own + (isShared ? " \(Self.sharing)" : "")
    }

    private var ownDefinition: String {
        switch self {
        case .attended:
            """
            Clients with at least one session in the period. They are people: a client with ten sessions counts once in each \
            period, and once in the total, which is therefore not the sum. \(Self.ofSessions)
            """
        case .fees:
            """
            Recovery fees given for sessions, each currency by itself. None given: sessions that were recorded with a fee of \
            0. Nothing to give: sessions that were recorded without a fee. \(Self.ofSessions)
            """
        case .motives: "Sessions by their motives. A session with several counts once for each. \(Self.ofSessions)"
        case .services: "Sessions by their service. \(Self.ofSessions)"
        case .tools: "Sessions by the tools used. A session with several counts once for each. \(Self.ofSessions)"
        case .caseload:
            """
            Clients with at least one session with the thanatologist in the period. A client of two counts for each of them. \
            The total counts each client once, and is therefore not the sum. \(Self.ofSessions)
            """
        case .records:
            """
            Opened: new records. Closed: closings, without those that were taken back as a mistake. Reopened: clients who came \
            back.
            """
        case .replies:
            """
            Hours from a client's letter or message to the first answer by staff in the same conversation; of several without \
            an answer between them, the first counts. Half of the answers came within the median, nine of ten within the 90th \
            percentile. Waiting: conversations without an answer yet. Each counts in the period in which it began to wait.
            """
        }
    }

    private static let episodes =
        "Episodes: times of care that were under way on at least one day of the period; the total counts each once, and is "
        + "therefore not the sum."
    private static let ofSessions = "A session counts on its day, and not at all once it was voided."
    /// The sentence that a shared page has besides.
    private static let sharing = "Numbers from 1 to 10 are not shown, nor are those from which they could be computed."
}
