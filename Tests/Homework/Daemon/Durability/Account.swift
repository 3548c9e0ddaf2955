import Foundation
import Glibc
import HomeworkHistory
import HomeworkRules
import Storage
import Testing
import Time
import UnixTestSupport

/// What became of the commands that were sent, by what the history holds afterwards.
struct Account {
    /// How often the daemon, or the machine, was ended.
    var ends = 0
    /// Commands that leave a mark, which can be looked for.
    var acknowledged = 0
    /// What was answered to those who only look: nothing of it can be lost.
    var looks = 0
    /// Acknowledged, and not there.
    var lost = 0
    /// There more than once.
    var doubled = 0
    /// There, and never sent.
    var foreign = 0
    /// Refused, and there all the same.
    var returned = 0
    /// What was acknowledged, by what it was.
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

    /// A history that was begun anew.
    mutating func forget() { settled = [] }

    /// Compares what is kept in that folder with what was sent since the last time.
    mutating func settle(_ senders: [Sender], in state: String, _ note: String) throws {
        ends += 1
        let events = try Self.read(state, note)
        let kept = zip(settled, events).prefix { $0 == $1 }.count
        lost += settled.count - kept
        let news = Household.marks(of: events.dropFirst(kept).map(\.what))
        for kind in Sender.Kind.allCases {
            let sent = senders.filter { $0.kind == kind }.flatMap(\.sent)
            compare(sent, with: news.filter { $0.kind == kind }.map(\.mark))
        }
        settled = events
    }

    /// What was acknowledged is there, in that order. Of the rest, what was never answered may be.
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

    /// From a copy: the daemon itself is to find what was left.
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
        #expect(try Database(copy["history.db"]).isSound(withIndexes: true), "\(note)")
        return events
    }
}

/// Not one went astray, and there were enough to say so.
func expectSound(_ account: Account, _ location: SourceLocation = #_sourceLocation) {
    let (isSound, wereMany) = (account.isSound, account.acknowledged > account.ends)
    #expect(isSound && wereMany, "\(account.figures)", sourceLocation: location)
}

/// Kills the process after that many microseconds, whatever everybody else is doing then.
func kill(_ process: pid_t, after microseconds: UInt32) {
    Thread.detachNewThread {
        usleep(microseconds)
        kill(process, SIGKILL)
    }
}
