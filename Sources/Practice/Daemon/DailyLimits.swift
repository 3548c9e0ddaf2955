import PracticeInterfaces
import PracticeStore
import Time
import Varlink

/// The calls that leave a row, counted by client and day; and the wrong words of invitations, by address.
///
/// A client's machine may be hostile, and the practice keeps its records for ever. The counts are in memory: nobody can be
/// found by them afterwards, and a restart forgives.
struct DailyLimits {
    /// A call that is longer than so many bytes counts once for each: a client must not fill the disk with long letters.
    static let piece = 4 * 1_024
    /// The calls of one client that change something, or that the audit has. A link makes some hundred.
    static let calls = 5_000
    /// Those of a client's talk: a message each few seconds, the whole day.
    static let chat = 20_000
    /// Feedback of one client: without a name, nobody could say afterwards whose it is.
    static let feedback = 20
    /// Changes of one client's shares. Each of them has an entry in the audit and news for two people; a client makes a few in a
    /// year.
    static let shares = 100
    /// Wrong words from one address.
    static let wrongWords = 20

    private var day: CalendarDay?
    private var counts: [String: Int] = [:]

    /// - Parameter day: the practice's.
    mutating func count(_ call: Call, of client: ID<Person>, on day: CalendarDay) throws {
        let isChat = call.interface == Chat.interface.name
        let pieces = max(1, (call.parameters.count + Self.piece - 1) / Self.piece)
        try count("\(client) \(isChat)", by: pieces, to: isChat ? Self.chat : Self.calls, on: day)
        if call.method == Care.GiveFeedback.name { try count("\(client) feedback", to: Self.feedback, on: day) }
        if call.method == Care.SetShares.name { try count("\(client) shares", to: Self.shares, on: day) }
    }

    mutating func countWrongWord(from address: String, on day: CalendarDay) {
        begin(day)
        counts[address, default: 0] += 1
    }

    mutating func hasWordsLeft(_ address: String, on day: CalendarDay) -> Bool {
        begin(day)
        return counts[address, default: 0] < Self.wrongWords
    }

    private mutating func count(_ name: String, by pieces: Int = 1, to limit: Int, on day: CalendarDay) throws {
        begin(day)
        guard counts[name, default: 0] + pieces <= limit else { throw Practice.TooManyToday(limit: limit) }
        counts[name, default: 0] += pieces
    }

    private mutating func begin(_ day: CalendarDay) {
        guard day != self.day else { return }
        (self.day, counts) = (day, [:])
    }
}

/// The counts that the calls of one runner share.
final class SharedLimits {
    var today = DailyLimits()
}
