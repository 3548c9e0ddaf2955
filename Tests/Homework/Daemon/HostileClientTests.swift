import HomeworkRules
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// A hostile client has nothing recorded. The service's own `AttackTests` count its descriptors and its memory.
@Suite struct HostileClientTests {
    @Test(arguments: Attack.all(on: .homework) + numbers + spellings)
    func `an attack leaves the record as it was, and the next client is served`(attack: Attack) throws {
        let station = try ControlServerFixture()
        let recorded = try station.machine.recorded
        try attack.run(against: station)
        #expect(try station.ask(call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
        try station.settle()
        #expect(try station.machine.recorded == recorded)
    }

    /// The provider is available for that many seconds, if they are a number.
    private static func hold(for seconds: String) -> String {
        call("Provider.SetPresence", "{\"online\":true,\"forSeconds\":\(seconds)}") + "\0"
    }

    private static let numbers = ["1e400", "-0", "-1", "9223372036854775808", "0.5", "\"60\"", "[60]", "true"]
        .map { Attack("for \($0) seconds", hold(for: $0)) }

    private static let spellings = [
        Attack("a control character", call("Provider.SetPresence", #"{"online":true,"name":"\u001b[2J"}"#) + "\0"),
        Attack("a note too long", call("Homework.AddNote", "{\"text\":\"\(String(repeating: "x", count: 5_000))\"}\0")),
    ]
}

extension Attack.Target {
    fileprivate static let homework = Self(
        ask: "org.daybreak.Homework.GetStatus", list: "org.daybreak.Homework.List",
        change: ("org.daybreak.Provider.SetPresence", #""online":true"#), watch: "org.daybreak.Homework.GetStatus",
        text: ("org.daybreak.Homework.Get", "assignment"),
        long: ("org.daybreak.Homework.Import", "schedule", 32 * 1_024 * 1_024))
}
