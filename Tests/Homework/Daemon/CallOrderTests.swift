import Glibc
import HomeworkRules
import TestSupport
import Testing
import Time
import UnixTestSupport

@testable import HomeworkDaemon

/// The order of calls and replies on a connection.
@Suite struct CallOrderTests {
    private let station: ControlServerFixture
    private let client: Client
    private var machine: Machine { station.machine }

    init() throws {
        station = try ControlServerFixture()
        client = station.client()
    }

    private static let pause = error("org.daybreak.Homework.NoFlow")
    private static let presence = #"{"parameters":{"online":false}}"#

    private func next() throws -> String? { try station.message(for: client) }

    private func expectNext(_ expected: String?, _ location: SourceLocation = #_sourceLocation) throws {
        let message = try next()
        #expect(message == expected, sourceLocation: location)
    }

    @Test func `calls that come together are answered in their order`() throws {
        client.send(bytes: Array((call("Homework.Pause") + "\0" + call("Provider.Presence") + "\0").utf8))
        client.send(call("Homework.Pause"))
        #expect(try [next(), next(), next()] == [Self.pause, Self.presence, Self.pause])
    }

    @Test func `a oneway call gets no reply, and is carried out in its turn`() throws {
        client.send(call("Provider.SetPresence", #"{"online":true}"#, oneway: true))
        client.send(call("Homework.Pause", oneway: true))
        client.send("{\"method\":\"org.nobody.Knows\",\"oneway\":true}")
        client.send(call("Provider.Presence"))
        try expectNext(#"{"parameters":{"online":true,"until":"2027-03-05T00:15:00+00:00"}}"#)
    }

    @Test func `closing cancels the calls that wait for a reply, but no oneway call`() throws {
        client.send(call("Homework.Start"))
        client.send(call("Provider.SetPresence", #"{"online":true}"#, oneway: true))
        client.send(call("Homework.Start"))
        client.leave()
        try station.settle()
        #expect(machine.status?.providerOnline == true)
        #expect(machine.status?.flow == nil)
    }

    @Test func `a client that ends its sending can go on watching`() throws {
        client.send(call("Provider.Presence", more: true))
        client.endSending()
        try expectNext(#"{"continues":true,"parameters":{"online":false}}"#)
        machine.ask(.online(.seconds(60)))
        try expectNext(#"{"continues":true,"parameters":{"online":true,"until":"2027-03-05T00:01:00+00:00"}}"#)
        client.leave()
        try station.settle()
        #expect(station.server.connectionCount == 0)
    }

    @Test func `a repeated call gets the same answer, whatever was called in between`() throws {
        let list = #"{"interface":"org.nobody"}"#
        let asked: [(call: String, reply: String)] = [
            (call("Provider.Presence"), Self.presence),
            (call("Provider.Presence", #"{"why":1}"#), Self.invalid("why")),
            (call("Homework.Pause"), Self.pause),
            (call("Homework.GetStatus"), ExpectedReply.reply("status", ExpectedReply.opened)),
            (
                "{\"method\":\"org.varlink.service.GetInterfaceDescription\",\"parameters\":\(list)}",
                error("org.varlink.service.InterfaceNotFound", list)
            ),
            // Too long to be remembered.
            (call("Provider.Presence") + String(repeating: " ", count: 1_000), Self.presence),
            (call("Provider.Presence", #"{"why":2}"#) + String(repeating: " ", count: 1_000), Self.invalid("why")),
        ]
        for first in asked {
            for second in asked {
                for one in [first, second, second, first] {
                    #expect(try station.ask(client, one.call) == one.reply)
                }
            }
        }
        // A repeated change is made again.
        for seconds in [60, 60] {
            let hold = call("Provider.SetPresence", "{\"online\":true,\"forSeconds\":\(seconds)}")
            #expect(try station.ask(client, hold) == #"{"parameters":{}}"#)
            let until = machine.spelling.instant(machine.clock.instant + .seconds(60))
            #expect(
                try station.ask(client, call("Provider.Presence"))
                    == "{\"parameters\":{\"online\":true,\"until\":\"\(until)\"}}")
            machine.clock.advance(by: .seconds(10))
        }
    }

    @Test func `a repeated status shows the changes of other clients`() throws {
        let status = call("Homework.GetStatus")
        for step in ["Start", "Cancel", "Start"] {
            let before = try [station.ask(client, status), station.ask(client, status)]
            #expect(before[0] == before[1])
            _ = try station.ask(call("Homework.\(step)"))
            let after = try station.ask(client, status)
            #expect(after != before[1])
            #expect(try after == station.ask(status))
        }
    }

    @Test func `a provider's name of spaces is none, and one that is not seen is refused`() throws {
        func announce(_ name: String) throws -> String? {
            try station.ask(client, call("Provider.SetPresence", "{\"online\":true,\"name\":\"\(name)\"}"))
        }
        let until = #""until":"2027-03-05T00:15:00+00:00"}}"#
        for name in ["", "  ", "\\u3000"] {
            #expect(try announce(name) == #"{"parameters":{}}"#)
            #expect(try station.ask(client, call("Provider.Presence")) == #"{"parameters":{"online":true,"# + until)
        }
        #expect(try announce(" Dr. Ada ") == #"{"parameters":{}}"#)
        #expect(
            try station.ask(client, call("Provider.Presence"))
                == #"{"parameters":{"name":"Dr. Ada","online":true,"# + until)
        for name in ["\\u200b", "Dr. \\u202eadA", "a\\nb", String(repeating: "n", count: 481)] {
            #expect(try announce(name) == Self.invalid("name"))
        }
    }

    private static func invalid(_ parameter: String) -> String {
        error("org.varlink.service.InvalidParameter", "{\"parameter\":\"\(parameter)\"}")
    }

    static let faults = [
        ("Homework.Pause", #"{"why":1}"#, "why"), ("Homework.Get", "{}", "assignment"),
        ("Homework.Get", #"{"assignment":1}"#, "assignment"), ("Homework.List", #"{"all":"yes"}"#, "all"),
        ("Homework.Reminders", #"{"limit":-1}"#, "limit"), ("Homework.Reminders", #"{"limit":2001}"#, "limit"),
        ("Homework.Reminders", #"{"limit":1e30}"#, "limit"), ("Homework.Reminders", #"{"since":"never"}"#, "since"),
        ("Homework.Import", #"{"schedule":"[]","dryRun":0}"#, "dryRun"),
        ("Provider.SetPresence", #"{"online":true,"forSeconds":0}"#, "forSeconds"),
        ("Provider.SetPresence", #"{"online":true,"forSeconds":86401}"#, "forSeconds"),
        ("Provider.SetPresence", #"{"online":true,"forSeconds":9223372036854775807}"#, "forSeconds"),
        ("Provider.SetPresence", #"{"online":true,"forSeconds":-9223372036854775808}"#, "forSeconds"),
        ("Provider.SetPresence", "{\"online\":true,\"name\":\"\(String(repeating: "n", count: 481))\"}", "name"),
        ("Provider.SetPresence", #"{"online":true,"name":"a\u0000b"}"#, "name"),
        ("Provider.SetPresence", #"{"online":true,"name":"\u001b[2J"}"#, "name"),
        ("Provider.SetPresence", #"{"online":true,"name":"a\nb"}"#, "name"),
    ]

    @Test(arguments: faults) func `a parameter that does not fit is refused by its name`(
        method: String, parameters: String, name: String
    ) throws {
        let expected = error("org.varlink.service.InvalidParameter", "{\"parameter\":\"\(name)\"}")
        #expect(try station.ask(client, call(method, parameters)) == expected)
    }

    @Test func `a watcher of the status gets each change once`() throws {
        client.send(call("Homework.GetStatus", more: true))
        try expectNext("{\"continues\":true,\"parameters\":{\"status\":\(ExpectedReply.opened)}}")
        machine.ring(after: .seconds(60))
        machine.ask(.start(nil))
        machine.ask(.pause)
        try expectNext("{\"continues\":true,\"parameters\":{\"status\":\(ExpectedReply.started)}}")
        try station.settle()
        #expect(client.message() == nil)
    }

    @Test func `a change in the turn of a watcher's call is sent after the first reply`() throws {
        let other = station.client()
        client.send(call("Provider.Presence", more: true))
        other.send(call("Provider.SetPresence", #"{"online":true}"#))
        try expectNext(#"{"continues":true,"parameters":{"online":false}}"#)
        try expectNext(#"{"continues":true,"parameters":{"online":true,"until":"2027-03-05T00:15:00+00:00"}}"#)
    }

    @Test func `calls of several clients that are ready together share a turn`() throws {
        let other = station.client()
        try station.settle()
        _ = machine.take()
        client.send(call("Provider.SetPresence", #"{"online":true}"#))
        other.send(call("Homework.Start"))
        try station.settle()
        #expect(machine.take().filter { $0.hasPrefix("shows") } == ["shows the status"])
    }

    @Test func `a watcher's further calls wait until its watch ends`() throws {
        client.send(call("Homework.GetStatus", more: true))
        client.send(call("Homework.Start"))
        _ = try next()
        try station.settle()
        #expect(client.message() == nil)
        #expect(machine.status?.flow == nil)
    }

    @Test func `a watcher of the reminders gets the current ones, and each new one`() throws {
        func reminder(_ id: String, _ kind: String, at time: String, _ message: String) -> String {
            "{\"assignment\":\"1\",\"at\":\"2027-03-05T\(time)+00:00\",\"id\":\"2027-03-05/\(kind)/\(id)\","
                + "\"kind\":\"\(kind)\",\"message\":\"\(message)\"}"
        }
        func reply(_ reminder: String, current: String) -> String {
            "{\"continues\":true,\"parameters\":{\"current\":[\(current)],\"reminders\":[\(reminder)]}}"
        }
        client.send(call("Homework.Reminders", #"{"limit":1}"#, more: true))
        let unlocked = reminder("1", "unlocked", at: "00:00:00", "A task is open. `daybreak start` begins it.")
        #expect(try next() == reply(unlocked, current: unlocked))
        machine.ask(.start(nil))
        try expectNext(reply("", current: ""))
        machine.ring(after: .seconds(9 * 3_600))
        let open = "Your task is still open. `daybreak start` begins it, or goes on."
        let stillOpen = reminder("09:00", "stillOpen", at: "09:00:00", open)
        try expectNext(reply(stillOpen, current: stillOpen))
        machine.ask(.snooze(until: machine.clock.moment.instant + .seconds(60)))
        try expectNext(reply("", current: ""))
    }

    @Test func `a watcher of the preferences gets each change`() throws {
        func reply(desktop: Bool) -> String {
            "{\"continues\":true,\"parameters\":{\"preferences\":{\"countdown\":true,\"desktop\":\(desktop),"
                + "\"motion\":true,\"plain\":false,\"sound\":false,\"soundCommand\":[]}}}"
        }
        client.send(call("Service.GetPreferences", more: true))
        #expect(try next() == reply(desktop: true))
        var changed = Configuration()
        changed.desktop = false
        machine.fresh = .success(changed)
        #expect(machine.reload() == "done")
        try expectNext(reply(desktop: false))
    }

    @Test func `a hundred watchers get the same replies in the same order`() throws {
        let methods = ["Homework.GetStatus", "Provider.Presence"]
        let watchers = (0..<100).map { _ in station.client() }
        for (number, watcher) in watchers.enumerated() { watcher.send(call(methods[number % 2], more: true)) }
        func hear() throws -> [[String?]] {
            let heard = try watchers.map { try station.message(for: $0) }
            return [0, 1].map { kind in stride(from: kind, to: 100, by: 2).map { heard[$0] } }
        }
        func all(_ message: String) -> [String?] { Array(repeating: message, count: 50) }
        func status() -> [String?] {
            let shown = String(decoding: machine.status!.text.dropLast(), as: UTF8.self)
            return all("{\"continues\":true,\"parameters\":{\"status\":\(shown)}}")
        }
        #expect(try hear() == [status(), all(#"{"continues":true,"parameters":{"online":false}}"#)])
        var told: [[String?]] = []
        for _ in 1...3 {
            machine.ask(.online(.seconds(60)))
            told.append(status())
            machine.ask(.offline)
            told.append(status())
        }
        let until = #""online":true,"until":"2027-03-05T00:01:00+00:00""#
        for (turn, statuses) in told.enumerated() {
            let presence = turn.isMultiple(of: 2) ? until : #""online":false"#
            #expect(try hear() == [statuses, all("{\"continues\":true,\"parameters\":{\(presence)}}")])
        }
    }

    @Test func `a method without further replies answers a call with more once`() throws {
        client.send(call("Homework.Pause", more: true))
        client.send(call("Provider.SetPresence", #"{"online":true}"#, more: true))
        client.send(call("Homework.Pause"))
        #expect(try [next(), next(), next()] == [Self.pause, #"{"parameters":{}}"#, Self.pause])
    }

    @Test func `an error ends a watch`() throws {
        client.send(call("Homework.Breathe", more: true))
        client.send(call("Homework.Reminders", #"{"limit":-1}"#, more: true))
        client.send(call("Homework.Pause"))
        let limit = error("org.varlink.service.InvalidParameter", #"{"parameter":"limit"}"#)
        #expect(try [next(), next(), next()] == [Self.pause, limit, Self.pause])
    }

    @Test func `Breathe needs more`() throws {
        #expect(try station.ask(call("Homework.Breathe")) == error("org.varlink.service.ExpectedMore"))
    }
}
