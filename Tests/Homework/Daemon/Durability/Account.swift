import Foundation
import Glibc
import HomeworkHistory
import HomeworkRules
import Storage
import Testing
import Time
import UnixTestSupport

/// Compares the commands that were sent with the history afterwards.
struct Account {
    /// How often the daemon, or the machine, was ended.
    var ends = 0
    /// Acknowledged commands that leave a mark in the history.
    var acknowledged = 0
    /// Acknowledged calls that only read, and leave no mark.
    var looks = 0
    /// Acknowledged, and missing in the history.
    var lost = 0
    /// More than once in the history.
    var doubled = 0
    /// In the history, and never sent.
    var foreign = 0
    /// Refused, and in the history.
    var returned = 0
    /// The numbers of acknowledged commands, by method.
    private var kinds: [String: Int] = [:]
    private var settled: [Event] = []

    var isSound: Bool { lost + doubled + foreign + returned == 0 }

    var figures: String {
        let each = kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            acknowledged \(acknowledged), lost \(lost), doubled \(doubled), never sent \(foreign), \
            refused and kept \(returned) [\(each)], and \(looks) looks
            """
    }

    /// Begins with a new history.
    mutating func forget() { settled = [] }

    /// Compares the history in that folder with the commands that were sent since the last time.
    mutating func settle(_ senders: [Sender], in state: String, _ note: String) throws {
        ends += 1
        let events = try Self.read(state, note)
        let kept = zip(settled, events).prefix { $0 == $1 }.count
        lost += settled.count - kept
        let news = Workload.marks(of: events.dropFirst(kept))
        for kind in Sender.Kind.allCases {
            let sent = senders.filter { $0.kind == kind }.flatMap(\.sent)
            compare(sent, with: news.filter { $0.kind == kind }.map(\.mark))
        }
        settled = events
    }

    /// Acknowledged commands are there, in their order. Of the others, only those without an answer may be there.
    private mutating func compare(_ sent: [Sender.Sent], with found: [String]) {
        var (place, rest) = (0, [String]())
        for one in sent where one.outcome == .done {
            guard let mark = one.mark else {
                looks += 1
                continue
            }
            acknowledged += 1
            kinds[one.what, default: 0] += 1
            guard let next = found[place...].firstIndex(of: mark) else {
                lost += 1
                continue
            }
            rest += found[place..<next]
            place = next + 1
        }
        var open = sent.filter { $0.outcome == .unanswered || $0.outcome == .unknown }.compactMap(\.mark)
        for mark in rest + found[place...] {
            if let index = open.firstIndex(of: mark) {
                open.remove(at: index)
            } else if sent.contains(where: { $0.mark == mark && $0.outcome == .refused }) {
                returned += 1
            } else if sent.contains(where: { $0.mark == mark }) {
                doubled += 1
            } else {
                foreign += 1
            }
        }
    }

    /// Reads a copy, so that the daemon finds the files as they were left.
    private static func read(_ state: String, _ note: String) throws -> [Event] {
        let copy = Folder()
        guard exists(state + "/history.db") else { return [] }
        for suffix in ["", "-wal"] where exists(state + "/history.db" + suffix) {
            try FileManager.default.copyItem(
                atPath: state + "/history.db" + suffix, toPath: copy["history.db" + suffix])
        }
        let history = try History(at: copy["history.db"])
        let events = try history.events()
        #expect(try history.plan() == Plan(replaying: events), "\(note)")
        try history.close()
        #expect(try SQLiteDatabase(copy["history.db"]).isSound(withIndexes: true), "\(note)")
        return events
    }
}

/// No command was lost or added, and there were enough of them.
func expectSound(_ account: Account, _ location: SourceLocation = #_sourceLocation) {
    let (isSound, wereMany) = (account.isSound, account.acknowledged > account.ends)
    #expect(isSound && wereMany, "\(account.figures)", sourceLocation: location)
}
