import DaybreakInterfaces
import GRDB
import HomeworkRules
import HomeworkWire
import Time
import Varlink

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// A history's file, of which the second page is the root of the table; and what the rules make of the events that are
/// read there.
enum PagesFuzz {
    static func run(_ bytes: [UInt8]) throws {
        try DatabaseQueue().inDatabase { database in
            var replay = Replay(in: database)
            var reads = 0
            do {
                let pages = try TablePages(length: bytes.count) { room, offset in
                    reads += 1
                    guard offset >= 0, offset + room.count <= bytes.count else { return false }
                    room.copyBytes(from: bytes[offset..<offset + room.count])
                    return true
                }
                try pages.each(from: 2) { number, record in
                    try replay.reader.row.stand(on: record, numbered: number)
                    try hold(replay.reader.row, numbered: number)
                    replay.read()
                }
            } catch is TablePages.Unreadable {}
            try promise("no more is read than there is", reads <= 1 + bytes.count / 512 * 2)
            try replay.askAll()
        }
    }

    private static func hold(_ row: PageRow, numbered number: Int64) throws {
        try promise("a row keeps its number", row.sequence == Int(number))
        for column in Column.allCases {
            let text = row.bytes(column)
            try promise("a column has one kind of value", text == nil || column.isText && !row.isNull(column))
            // Each of the bytes is there to be read.
            _ = text?.reduce(0) { $0 &+ Int($1) }
            if !column.isText { _ = row.integer(column) }
        }
    }
}

/// The events that could be read, in whatever order they came, and the plan that follows from them.
private struct Replay {
    var reader: EventReader<PageRow>
    private var plan = Plan()
    private var last: Moment?

    init(in database: Database) { reader = EventReader(PageRow(), in: database) }

    mutating func read() {
        guard let event = try? reader.event() else { return }  // Damaged, and said to be.
        plan.applyUnsettled(event)
        last = event.moment
    }

    /// At the last moment that was read, and long after, with and without quiet hours.
    mutating func askAll() throws {
        plan.settle()
        let today = Moment(
            instant: Instant(microseconds: 1_804_248_000_000_000),
            wall: WallTime(day: CalendarDay(ordinal: 20_882), minute: 720), zone: "UTC",
            steady: SteadyInstant(microseconds: 7_000_000), dayEnds: Instant(microseconds: 1_804_291_200_000_000))
        for moment in [last, today].compactMap({ $0 }) {
            for quiet in [nil, QuietHours(from: 1_320, to: 480)] { try ask(at: moment, Settings(quietHours: quiet)) }
        }
    }

    /// What a daemon does and shows right after its start.
    private func ask(at moment: Moment, _ settings: Settings) throws {
        let rules = Rules(settings: settings)
        var plan = plan
        let news = try rules.decide(.lookAtClock, in: plan, at: moment, by: Actor(user: 0, isDaemon: true), for: 0)
        plan.apply(news)
        let view = View(
            plan: plan, rules: rules, moment: moment, spelling: LocalClock().spelling, configuration: Configuration(),
            problem: nil, lesserProblem: nil, shown: nil, history: nil, scheduleFile: { .missing })
        _ = view.statusReply(continues: false)
        _ = Reply.frame(view.list(all: true))
        _ = Reply.frame(view.presence)
        for reminder in plan.held + plan.unsent.map(\.reminder) { _ = view.outlook.isMoot(reminder) }
        for unsent in plan.unsent { _ = rules.isWorthSending(unsent, in: plan, at: moment) }
    }
}
