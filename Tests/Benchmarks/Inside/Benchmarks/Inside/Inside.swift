import Benchmark
import Control
import Homework
import Varlink

/// 10,000 tasks, one a day, in their twentieth year.
private struct Years {
    let text: [UInt8]
    let schedule: Schedule
    let plan: Plan
    let rules = Rules()
    let moment = Moment(
        instant: Instant(microseconds: 1_795_262_400_000_000),
        wall: WallTime(day: today, minute: 720), zone: "UTC", steady: SteadyInstant(microseconds: 1),
        dayEnds: Instant(microseconds: 1_795_305_600_000_000))
    let actor = Actor(user: 1_000, isDaemon: false)

    static let today = CalendarDay(ordinal: 20_778)

    init() throws {
        let days = (0..<10_000).map { CalendarDay(ordinal: Self.today.ordinal - 30 + $0) }
        let entries = days.map { "[5, [\"calm\", \"tired\", \"hopeful\"], \"\($0)\"]" }
        text = Array("[\(entries.joined(separator: ",\n"))]".utf8)
        schedule = try ScheduleReader.read(text)
        var plan = Plan()
        plan.apply(try rules.decide(.takeSchedule(schedule, file: nil), in: plan, at: moment, by: actor, for: 1_000))
        self.plan = plan
    }

    func decide(_ command: Command) throws -> [Event] {
        try rules.decide(command, in: plan, at: moment, by: actor, for: 1_000)
    }

    /// Today's task is begun and given up, again and again.
    func events(_ count: Int) throws -> [Event] {
        var plan = plan
        var events: [Event] = []
        while events.count < count {
            for command in [Command.start(nil), .cancel] {
                let news = try rules.decide(command, in: plan, at: moment, by: actor, for: 1_000)
                plan.apply(news)
                events += news
            }
        }
        return events
    }
}

private let reply = """
    {"parameters":{"assignments":[\(Array(repeating: assignment, count: 11).joined(separator: ","))],"earlier":3,"later":4,\
    "dayEnds":"2026-11-22T00:00:00Z","today":"2026-11-21"}}
    """
private let assignment = """
    {"breaths":5,"breathsDone":0,"changesAt":"2026-11-22T00:00:00Z","due":"2026-11-21","id":"2026-11-21","moods":["calm","tired"],\
    "pattern":{"exhale":6,"hold":0,"inhale":4,"rest":0},"reason":"it is today's task","state":"eligible"}
    """

let benchmarks: @Sendable () -> Void = {
    let years: Years
    let events: [Event]
    do {
        years = try Years()
        events = try years.events(40_000)
    } catch { preconditionFailure("\(error)") }
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], warmupIterations: 3, maxDuration: .seconds(3))

    Benchmark("a schedule of 10,000 tasks is read") { _ in blackHole(try ScheduleReader.read(years.text)) }
    Benchmark("it is taken in by who has none") { _ in
        blackHole(
            try years.rules.decide(
                .takeSchedule(years.schedule, file: nil), in: Plan(), at: years.moment, by: years.actor, for: 1_000))
    }
    Benchmark("the provider's coming is decided among 10,000 tasks") { _ in
        blackHole(try years.decide(.setPresence(online: true, name: nil, lasts: .seconds(60))))
    }
    Benchmark("the outlook on 10,000 tasks") { _ in blackHole(years.rules.outlook(years.plan, at: years.moment)) }
    Benchmark("40,000 events are applied") { _ in
        var plan = years.plan
        plan.apply(events)
        blackHole(plan)
    }
    Benchmark("a call is read", configuration: .init(scalingFactor: .kilo)) { benchmark in
        let frame = Array(#"{"method":"org.daybreak.Homework.GetStatus","parameters":{}}"#.utf8)
        for _ in benchmark.scaledIterations {
            blackHole(try Call(frame: frame).decode(HomeworkInterface.GetStatus.self))
        }
    }
    Benchmark("a list of 11 tasks is read") { _ in
        blackHole(try Reply(frame: Array(reply.utf8)).decode(HomeworkInterface.ListReply.self))
    }
    Benchmark("a list of 11 tasks is written") { benchmark in
        let list = try Reply(frame: Array(reply.utf8)).decode(HomeworkInterface.ListReply.self)
        benchmark.startMeasurement()
        blackHole(Reply.frame(list))
    }
}
