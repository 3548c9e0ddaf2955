import DaybreakInterfaces
import Foundation
import JSON
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion

@Suite struct BarTests {
    private static let standing: [(Bar.State, Homework.Status)] = {
        var problem = Sample.eligible(Sample.status())
        problem.problem = "The disk is full <& more>."
        return [
            (.problem, problem), (.none, Sample.status()), (.open, Sample.eligible(Sample.status())),
            (.breathing, Sample.status(Sample.flow(exercise: Sample.exercise(breath: 3)), guided: true)),
            (.paused, Sample.status(Sample.flow(exercise: Sample.exercise(breath: 3, paused: true)), guided: true)),
            (.waiting, Sample.status(Sample.flow("waiting"))),
            (.available, Sample.status(Sample.flow("waiting", mayJoin: true), online: true)),
            (.session, Sample.status(Sample.flow("session"), online: true)),
            (.mood, Sample.status(Sample.flow("mood"))),
        ]
    }()

    @Test(arguments: [(Int.min, 1), (.max, 1), (1, .max), (.min, .max)])
    func `a share of any breaths is from 0 to 100`(breath: Int, breaths: Int) throws {
        var status = Sample.status(Sample.flow(exercise: Sample.exercise(breath: 3)), guided: true)
        status.flow?.exercise?.breath = breath
        status.flow?.exercise?.breaths = breaths
        #expect(try !Self.line(status, .waybar).isEmpty)
    }

    private static func line(_ status: Homework.Status?, _ format: Status.Format) throws -> String {
        let told = try status.map { status in
            let frame = Array(Reply.frame(Homework.GetStatus.Reply(status: status)).dropLast())
            return (reply: Homework.GetStatus.Reply(status: status), frame: try Reply(frame: frame))
        }
        return Status.line(told, format)
    }

    @Test func `each state has a few words, and a state without a task has none`() throws {
        #expect(Self.standing.map { Bar($0.1).state } == Self.standing.map(\.0))
        #expect(Set(Self.standing.map(\.0)).union([.away]) == Set(Bar.State.allCases))
        #expect(
            try Self.standing.map { try Self.line($0.1, .plain) } == [
                "Daybreak: a problem", "", "task open", "breath 3 of 5", "paused, breath 3 of 5", "wait room",
                "provider there", "in session", "mood missing",
            ])
        #expect(
            try Self.line(Sample.eligible(Sample.status(online: true)), .plain) == "task open, provider there")
    }

    @Test func `Waybar gets one line`() throws {
        let status = Sample.status(Sample.flow(exercise: Sample.exercise(breath: 3)), guided: true)
        #expect(
            try Self.line(status, .waybar)
                == #"{"alt":"breathing","class":"breathing","percentage":40,"text":"breath 3 of 5","#
                + #""tooltip":"Task: The exercise is at breath 3 of 5, 0:50 left.\nNext: unlocks tomorrow at 00:00 at the latest\n"#
                + #"Reminder: today at 18:00\nProvider: not available\nTasks: 35 completed, 2 missed, 1 open, 12 locked"}"#
        )
        #expect(
            try Self.line(nil, .waybar)
                == #"{"alt":"away","class":"away","percentage":0,"text":"","tooltip":"daybreakd does not answer."}"#)
    }

    @Test func `Pango's markup is escaped`() throws {
        let line = try Self.line(Self.standing[0].1, .waybar)
        #expect(line.hasSuffix(#"Problem: The disk is full &lt;&amp; more&gt;."}"#))
    }

    @Test func `i3status-rust gets one line, with its own words for urgency`() throws {
        #expect(
            try Self.line(Sample.status(Sample.flow("waiting", mayJoin: true), online: true), .i3StatusRust)
                == #"{"icon":"tasks","short_text":"join","state":"Good","text":"provider there"}"#)
        #expect(
            Self.standing.map { Bar($0.1).i3StatusRust.state } == [
                "Warning", "Idle", "Info", "Info", "Info", "Info", "Good", "Info", "Info",
            ])
        #expect(
            try Self.line(nil, .i3StatusRust) == #"{"icon":"","short_text":"","state":"Idle","text":""}"#)
    }

    @Test func `JSON is the daemon's reply, or the error that it cannot be reached`() throws {
        let line = try Self.line(Sample.status(), .json)
        #expect(line.hasPrefix(#"{"status":{"asOf":"2026-11-20T14:00:00+01:00","counts":{"#))
        #expect(try Self.line(nil, .json) == #"{"status":null}"#)
    }

    private static func delivered(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "Config/\(name)"), encoding: .utf8)
    }

    @Test func `Waybar's snippet is JSON with comments, and runs daybreak`() throws {
        let lines = try Self.delivered("waybar.jsonc").split(separator: "\n").filter {
            !$0.drop { $0 == " " }.hasPrefix("//")
        }
        let json = try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8))
        let module = try #require((json as? [String: Any])?["custom/daybreak"] as? [String: Any])
        #expect(module["return-type"] as? String == "json")
        let command = try #require(module["exec"] as? String).split(separator: " ").map(String.init)
        let verb = try #require(try Daybreak.parseAsRoot(Array(command.dropFirst())) as? Status)
        #expect(command[0] == "daybreak")
        #expect(verb.format == .waybar)
        #expect(verb.follow)
        // Waybar 0.9.17 does not know the text by a name, and hides empty output. So the icons of these states must be
        // empty.
        #expect(module["format"] as? String == "{icon}{}")
        let icons = try #require(module["format-icons"] as? [String: String])
        #expect(icons.filter(\.value.isEmpty).keys.sorted() == ["away", "none"])
        #expect(icons.keys.filter { $0 != "default" && Bar.State(rawValue: $0) == nil } == [])
    }

    @Test func `i3status-rust's snippet runs daybreak`() throws {
        let lines = try Self.delivered("i3status-rust.toml").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines == [
                "[[block]]", #"block = "custom""#, #"command = "daybreak status --format i3status-rust --follow""#,
                "json = true", "persistent = true", "hide_when_empty = true",
            ])
        let verb = try #require(
            try Daybreak.parseAsRoot(["status", "--format", "i3status-rust", "--follow"]) as? Status)
        #expect(verb.format == .i3StatusRust)
        #expect(verb.follow)
    }
}
