import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

@testable import HomeworkDaemon
@testable import HomeworkHistory

/// Backups, restores and erasures by the real programs.
@Suite(.hangGuard) struct KeepingTests {
    let household = Household()

    private func list(_ daemon: DaemonProcess) -> String? {
        daemon.client().ask(call("Homework.List", #"{"all":true}"#))
    }

    @Test func `a backup from a running daemon, restored elsewhere, gives the same plan`() throws {
        let daemon = try household.lived()
        let file = household.folder["copy.db"]
        let run = try daybreak(daemon, "backup", file)
        #expect(
            run
                == Run(
                    output:
                        "The whole history is in \(file), readable by you alone. `daybreak restore` brings it back.\n"))
        #expect(mode(of: file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups") == [])
        #expect(try daybreak(daemon, "backup", file).error == "\(file) is there already; name a file that is not.\n")

        let other = Household()
        let elsewhere = try other.started()
        let restored = try daybreak(elsewhere, "restore", file)
        #expect(restored.status == 0, "\(restored.error)")
        #expect(list(elsewhere) == list(daemon))
        #expect(elsewhere.client().ask(call("Homework.Start"))?.contains("error") == true)
        #expect(elsewhere.end(SIGTERM) == 0)
        #expect(list(try other.started()) == list(daemon))
    }

    @Test func `a backup is restored without a daemon, and another file is refused`() throws {
        let daemon = try household.lived()
        let (file, export, state) = (household.folder["copy.db"], household.folder["export.jsonl"], household.state)
        #expect(try daybreak(daemon, "backup", file).status == 0)
        write(try daybreak(daemon, "export").output, to: export)
        let before = list(daemon)
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"after the copy"}"#))
        var surroundings = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["state"],
            "XDG_RUNTIME_DIR": household.folder["elsewhere"],
        ]
        let refused = try daybreak(nil, "restore", file, environment: surroundings)
        let held = "Nothing was replaced. Another daybreakd holds the history \(state)/history.db: stop it first.\n"
        #expect(refused == Run(error: held, status: 1))

        surroundings["XDG_RUNTIME_DIR"] = household.folder["runtime"]
        #expect(daemon.end(SIGTERM) == 0)
        let history = try Data(contentsOf: URL(filePath: state + "/history.db"))
        write("no history", to: household.folder["none"])
        let none = try daybreak(nil, "restore", household.folder["none"], environment: surroundings)
        let noHistory = "is no history: it does not begin as an SQLite database does"
        #expect(
            none == Run(error: "Nothing was replaced. The file \(household.folder["none"]) \(noHistory).\n", status: 1))
        #expect(try Data(contentsOf: URL(filePath: state + "/history.db")) == history)

        for (kept, source) in [file, export].enumerated() {
            let restored = try daybreak(nil, "restore", source, environment: surroundings)
            #expect(restored.status == 0, "\(restored.error)")
            #expect(restored.output.hasPrefix("The history was restored: "))
            let copies = try FileManager.default.contentsOfDirectory(atPath: state + "/backups")
            #expect(copies.count == kept + 1 && copies.allSatisfy { $0.hasPrefix("replaced-20") }, "\(copies)")
            let next = try household.started()
            #expect(list(next) == before)
            #expect(try daybreak(next, "notes", "qtaskq").output.contains("after the copy") == false)
            #expect(next.end(SIGTERM) == 0)
        }
    }

    @Test func `a restore keeps the events in the log of a crash`() throws {
        let household = Household()
        let daemon = try household.lived()
        let (other, state) = (household.folder["other.db"], household.state)
        #expect(try daybreak(try Household().started(), "backup", other).status == 0)
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"at last"}"#))
        let before = list(daemon)
        #expect(daemon.end(SIGKILL) == -SIGKILL)
        let surroundings = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["state"],
            "XDG_RUNTIME_DIR": household.folder["runtime"],
        ]
        #expect(try daybreak(nil, "restore", other, environment: surroundings).status == 0)
        let kept = try FileManager.default.contentsOfDirectory(atPath: state + "/backups")
        #expect(kept.count == 1, "\(kept)")
        let again = try daybreak(nil, "restore", state + "/backups/" + kept[0], environment: surroundings)
        #expect(again.status == 0, "\(again.error)")
        let next = try household.started()
        #expect(list(next) == before)
        #expect(try daybreak(next, "notes", "qtaskq").output.contains("at last"))
    }

    @Test func `an erasure that is refused keeps every backup`() throws {
        let household = Household()
        let first = try household.lived()
        let night = household.state + "/backups/night-2026-01-01.db"
        #expect(try daybreak(first, "backup", household.folder["copy.db"]).status == 0)
        try FileManager.default.copyItem(atPath: household.folder["copy.db"], toPath: night)
        #expect(first.end(SIGTERM) == 0)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        faults.fail(.writes, 1, error: ENOSPC)
        #expect(try daybreak(daemon, "erase", "qtaskq", "--yes").status == 1)
        #expect(faults.failed == 1)
        #expect(
            try Data(contentsOf: URL(filePath: night)) == Data(contentsOf: URL(filePath: household.folder["copy.db"])))
        faults.heal()
        #expect(try daybreak(daemon, "erase", "qtaskq", "--yes").status == 0)
        #expect(!exists(night) && household.places(of: "qnoteq") == [])
    }

    @Test func `an export, restored elsewhere, gives the same plan`() throws {
        let daemon = try household.lived()
        let export = try daybreak(daemon, "export", "--json").output
        #expect(export.hasPrefix(#"{"daybreak":"history","version":"#))
        for word in ["qmoodq", "qnoteq", "qnameq", "qtaskq"] { #expect(export.contains(word)) }
        let file = household.folder["export.jsonl"]
        write(export, to: file)
        let elsewhere = try Household().started()
        let restored = try daybreak(elsewhere, "restore", file)
        #expect(restored.status == 0, "\(restored.error)")
        #expect(list(elsewhere) == list(daemon))
        let again = try daybreak(elsewhere, "export").output
        // The first line has the number of events.
        #expect(again.drop { $0 != "\n" }.hasPrefix(export.drop { $0 != "\n" }))
    }

    @Test func `a file that is no sound history replaces nothing`() throws {
        let daemon = try household.lived()
        let good = household.folder["good.db"]
        #expect(try daybreak(daemon, "backup", good).status == 0)
        let before = list(daemon)
        let bad: [(String, (String) throws -> Void)] = [
            (
                "The file is no history: it does not begin as an SQLite database does",
                { write("no database at all", to: $0) }
            ),
            (
                "The history has version 99, and this Daybreak knows version \(Tables.version): install the Daybreak that wrote it",
                { try Self.change($0, "PRAGMA user_version = 99") }
            ),
            (
                "The file is damaged: its event 2 is missing",
                { try Self.change($0, "DROP TRIGGER event_is_never_deleted; DELETE FROM event WHERE seq = 2") }
            ),
            ("The file is damaged", { try Self.flip($0) }),
            (
                "Line 2 is none that `daybreak export` writes",
                { write(#"{"daybreak":"history","version":2}"# + "\nnonsense\n", to: $0) }
            ),
            ("It does not begin as `daybreak export` does", { write(#"{"anything":"else"}"# + "\n", to: $0) }),
        ]
        for (reason, spoil) in bad {
            let file = household.folder["bad"]
            unlink(file)
            try FileManager.default.copyItem(atPath: good, toPath: file)
            try spoil(file)
            let run = try daybreak(daemon, "restore", file)
            #expect(run == Run(error: "Nothing was replaced. \(reason).\n", status: 1))
            #expect(list(daemon) == before)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups") == [])
    }

    @Test func `a damaged history is left unchanged and reported, and is kept when a backup replaces it`()
        throws
    {
        let first = try household.lived()
        let file = household.folder["good.db"]
        #expect(try daybreak(first, "backup", file).status == 0)
        let before = list(first)
        #expect(first.end(SIGTERM) == 0)
        try Self.flip(household.state + "/history.db")
        let damaged = try Data(contentsOf: URL(filePath: household.state + "/history.db"))

        let daemon = try household.started()
        #expect(try daybreak(daemon, "mood", "b").status == 1)
        #expect(try Data(contentsOf: URL(filePath: household.state + "/history.db")) == damaged)
        let said = daemon.errors ?? ""
        #expect(said.contains("is damaged"), "\(said)")
        #expect(said.contains("It is left as it is: `daybreak restore FILE` puts a backup in its place"), "\(said)")

        let restored = try daybreak(daemon, "restore", file)
        #expect(restored.status == 0, "\(restored.error)")
        #expect(list(daemon) == before)
        let kept = try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups")
        #expect(kept.count == 1 && kept[0].hasPrefix("replaced-20"))
        #expect(try Data(contentsOf: URL(filePath: household.state + "/backups/" + kept[0])) == damaged)
    }

    @Test func `the erased mood and notes of a task are in no file any more`() throws {
        let daemon = try household.lived()
        #expect(try daybreak(daemon, "erase", "qtaskq").error.hasPrefix("Nothing was erased, because nobody"))
        #expect(household.places(of: "qnoteq") != [])
        let run = try daybreak(daemon, "erase", "qtaskq", "--yes")
        #expect(
            run
                == Run(
                    output: "The mood and the notes of task “qtaskq” are erased, here and in Daybreak's own backups.\n")
        )
        #expect(household.places(of: "qnoteq") == [])
        // The word stays among the choices of the schedule, which are the provider's: in the history and in its new copy.
        #expect(household.places(of: "qmoodq").count == 2, "\(household.places(of: "qmoodq"))")
        let task = daemon.client().ask(call("Homework.Get", #"{"assignment":"qtaskq"}"#)) ?? ""
        #expect(task.contains("\"state\":\"completed\"") && !task.contains("\"mood\":"), "\(task)")
        let before = list(daemon)
        #expect(daemon.end(SIGKILL) == -SIGKILL)
        let next = try household.started()
        #expect(list(next) == before)
        #expect(household.places(of: "qnoteq") == [])
        #expect(try daybreak(next, "export").output.contains(#""kind":"erased","assignment":"qtaskq""#))
    }

    /// At a terminal, which `script` provides.
    @Test func `a person is asked before an erasure, and only yes erases`() throws {
        let daemon = try household.lived()
        func erase(_ answer: String) throws -> Run {
            write(answer + "\n", to: household.folder["answer"])
            daemon.forgetNotifications()
            return try run(
                "/bin/sh",
                [
                    "-c", "exec script --quiet --return --echo never --command \"$0 erase qtaskq\" /dev/null <$1",
                    program("daybreak"), household.folder["answer"],
                ], ["DAYBREAK_SOCKET": daemon.runtime + "/control", "TERM": "xterm", "SHELL": "/bin/sh"])
        }
        let question = """
            This erases the mood and the notes of task “qtaskq” for good, and with them\r
            every backup that Daybreak keeps by itself. Backups that you made are yours to\r
            remove.\r
            Type yes to go on:\u{20}
            """
        for answer in ["no", "", "y", "Yes", "yes please"] {
            #expect(try erase(answer) == Run(output: question + "Nothing was erased.\r\n", status: 1), "\(answer)")
        }
        #expect(household.places(of: "qnoteq") != [])
        let done = "The mood and the notes of task “qtaskq” are erased, here and in Daybreak's own backups."
        #expect(try erase("yes") == Run(output: question + done + "\r\n"))
        #expect(household.places(of: "qnoteq") == [])
    }

    @Test func `after erasing everything no text is left in any file`() throws {
        let daemon = try household.lived()
        let words = ["qmoodq", "qnoteq", "qnameq", "qtaskq"]
        for word in words { #expect(household.places(of: word) != [], "\(word)") }
        let run = try daybreak(daemon, "erase", "--everything", "--yes")
        #expect(run.status == 0, "\(run.error)")
        for word in words { #expect(household.places(of: word) == [], "\(word)") }
        #expect(daemon.end(SIGTERM) == 0)
        for word in words { #expect(household.places(of: word) == [], "\(word)") }
        let events = try daybreak(try household.started(), "export").output.split(separator: "\n")
        #expect(events[1].contains(#""kind":"erased""#), "\(events[1])")
    }

    /// Damages the head of the first page of the table of events.
    private static func flip(_ path: String) throws {
        let pages = try Database(path).rows("SELECT rootpage FROM sqlite_schema WHERE name = 'event'") {
            $0.int(0) ?? 0
        }
        let start = (try #require(pages.first) - 1) * 4_096
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for place in start..<start + 24 { bytes[place] ^= 0xff }
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func change(_ path: String, _ sql: String) throws {
        try Database(path).execute(sql)
    }
}
