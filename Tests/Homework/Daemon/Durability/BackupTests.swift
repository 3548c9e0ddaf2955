import DiskSupport
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
@Suite(.hangGuard) struct BackupTests {
    let household = Workload()

    /// The tasks, whether anything can be recorded or not.
    private func list(_ daemon: DaemonProcess) -> String? {
        daemon.client().ask(call("Homework.List", #"{"all":true}"#))?
            .replacing(#/,"problem":"(\\.|[^"\\])*"/#, with: "")
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
        let isThere = "\(file) is there already and was left as it is; --force writes over it.\n"
        #expect(try daybreak(daemon, "backup", file).error == isThere)

        let other = Workload()
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
        let held =
            "Nothing was replaced. Another daybreakd holds the history \(state)/history.db: stop it first (process \(daemon.process)).\n"
        #expect(refused == Run(error: held, status: 1))

        surroundings["XDG_RUNTIME_DIR"] = household.folder["runtime"]
        #expect(daemon.end(SIGTERM) == 0)
        let history = try Data(contentsOf: URL(filePath: state + "/history.db"))
        write("no history", to: household.folder["none"])
        let none = try daybreak(nil, "restore", household.folder["none"], environment: surroundings)
        let noHistory = "is no history: it begins neither as a backup nor as an export"
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

    @Test func `a restore where nothing was kept before names no former history`() throws {
        let daemon = try household.lived()
        let copy = household.folder["copy.db"]
        #expect(try daybreak(daemon, "backup", copy).status == 0)
        let elsewhere = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["fresh"],
            "XDG_RUNTIME_DIR": household.folder["elsewhere"],
        ]
        let restored = try daybreak(nil, "restore", copy, environment: elsewhere)
        #expect(restored.error == "" && restored.status == 0)
        #expect(restored.output.wholeMatch(of: /The history was restored: \d+ events\.\n/) != nil, "\(restored.output)")
    }

    @Test func `a restore keeps the events in the log of a crash`() throws {
        let household = Workload()
        let daemon = try household.lived()
        let (other, state) = (household.folder["other.db"], household.state)
        #expect(try daybreak(try Workload().started(), "backup", other).status == 0)
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

    /// A damaged history, or one on a full disk, is kept with its log.
    @Test(arguments: [true, false]) func `a file is restored with the log beside it`(runsDaemon: Bool) throws {
        let daemon = try household.lived()
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"in the log alone"}"#))
        let (file, state) = (household.folder["kept.db"], household.state)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: "\(state)/history.db\(suffix)", toPath: file + suffix)
        }
        let other = Workload()
        let elsewhere = try other.started()
        if !runsDaemon { #expect(elsewhere.end(SIGTERM) == 0) }
        let surroundings = [
            "HOME": other.folder.path, "XDG_STATE_HOME": other.folder["state"],
            "XDG_RUNTIME_DIR": other.folder["runtime"],
        ]
        let restored = try daybreak(runsDaemon ? elsewhere : nil, "restore", file, environment: surroundings)
        #expect(restored.status == 0, "\(restored.error)")
        let next = runsDaemon ? elsewhere : try other.started()
        #expect(try daybreak(next, "notes", "qtaskq").output.contains("in the log alone"))
        let left = try FileManager.default.contentsOfDirectory(atPath: other.state + "/backups")
        #expect(left.filter { !$0.hasPrefix("replaced-") } == [])
    }

    @Test func `an erasure that is refused keeps every backup`() throws {
        let household = Workload()
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

    /// The daemon has let go of the history before it is replaced, and cannot open it again.
    @Test(arguments: [["erase", "--everything", "--yes"], ["erase", "qtaskq", "--yes"], ["restore", "COPY"]])
    func `after a refused erasure or restore on a full disk, the old history is shown`(verb: [String]) throws {
        let first = try household.lived()
        let copy = household.folder["copy.db"]
        #expect(try daybreak(first, "backup", copy).status == 0)
        #expect(first.end(SIGTERM) == 0)
        let faults = DiskFaults(household)
        let daemon = try household.started(faults.environment)
        let before = (list: list(daemon), counts: try counts(daemon))
        if verb[0] == "restore" {
            try FileManager.default.copyItem(atPath: copy, toPath: household.state + "/backups/restore-1")
        }
        faults.failAsFullDisk()
        if verb[0] == "restore" {
            let reply = daemon.client().ask(call("Service.Restore", #"{"file":"restore-1"}"#))
            #expect(reply?.hasPrefix("{\"error\"") == true, "\(reply ?? "")")
        } else {
            daemon.forgetNotifications()
            let run = try run(program("daybreak"), verb, ["DAYBREAK_SOCKET": daemon.runtime + "/control"])
            #expect(run.status == 1 && !run.error.contains("not known"), "\(run.error)")
        }
        for _ in 1...2 {
            #expect(list(daemon) == before.list)
            #expect(try counts(daemon) == before.counts)
            let refused = daemon.client().ask(call("Homework.AddNote", #"{"text":"more"}"#))
            #expect(refused?.contains("StorageUnavailable") == true, "\(refused ?? "")")
            daemon.forgetNotifications()
        }
        faults.heal()
        let done = daemon.client().ask(call("Homework.AddNote", #"{"text":"more"}"#))
        #expect(done?.hasPrefix("{\"parameters\"") == true, "\(done ?? "")")
        #expect(list(daemon) == before.list)
    }

    private func counts(_ daemon: DaemonProcess) throws -> Substring {
        let status = try #require(daemon.client().ask(call("Homework.GetStatus")))
        let start = try #require(status.firstRange(of: #""counts":{"#)?.upperBound, "\(status)")
        return status[start...].prefix { $0 != "}" }
    }

    /// Also by a daemon that was started when the disk was full already.
    @Test(arguments: [false, true])
    func `while the history's disk is full, a backup and an export go to another`(startsAnew: Bool) throws {
        let faults = DiskFaults(household)
        var daemon = try household.lived()
        let (before, exported) = (list(daemon), try daybreak(daemon, "export").output)
        #expect(daemon.end(startsAnew ? SIGKILL : SIGTERM) == (startsAnew ? -SIGKILL : 0))
        if startsAnew { faults.failAsFullDisk() }
        daemon = try household.started(faults.environment)
        faults.failAsFullDisk()
        let refused = daemon.client().ask(call("Homework.AddNote", #"{"text":"more"}"#))
        #expect(refused?.contains("StorageUnavailable") == true, "\(refused ?? "")")
        #expect(list(daemon) == before)
        let (copy, text) = (household.folder["copy.db"], household.folder["copy.jsonl"])
        let backedUp = try daybreak(daemon, "backup", copy)
        #expect(backedUp.status == 0, "\(backedUp.error)")
        let export = try daybreak(daemon, "export")
        #expect(export.status == 0, "\(export.error)")
        write(export.output, to: text)
        #expect(
            export.output.split(separator: "\n").dropFirst().starts(with: exported.split(separator: "\n").dropFirst()))
        #expect(household.places(of: "qnoteq", in: daemon.runtime) == [])
        let elsewhere = try Workload().started()
        for file in [copy, text] {
            let restored = try daybreak(elsewhere, "restore", file)
            #expect(restored.status == 0, "\(restored.error)")
            #expect(list(elsewhere) == before)
        }
    }

    /// Of the daemon that makes it; nobody has fetched it.
    @Test func `an erasure also removes the data from a copy in another folder`() throws {
        let faults = DiskFaults(household)
        #expect(try household.lived().end(SIGTERM) == 0)
        let daemon = try household.started(faults.environment)
        faults.failAsFullDisk()
        let reply = daemon.client().ask(call("Service.Backup"))
        #expect(reply?.contains(daemon.runtime) == true, "\(reply ?? "")")
        #expect(household.places(of: "qnoteq", in: daemon.runtime) != [])
        faults.heal()
        let erased = try daybreak(daemon, "erase", "qtaskq", "--yes")
        #expect(erased.status == 0, "\(erased.error)")
        #expect(household.places(of: "qnoteq") == [])
    }

    @Test func `an export, restored elsewhere, gives the same plan`() throws {
        let daemon = try household.lived()
        let export = try daybreak(daemon, "export", "--json").output
        #expect(export.hasPrefix(#"{"daybreak":"history","version":"#))
        for word in ["qmoodq", "qnoteq", "qnameq", "qtaskq"] { #expect(export.contains(word)) }
        let file = household.folder["export.jsonl"]
        write(export, to: file)
        let elsewhere = try Workload().started()
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
                "The file \(household.folder["bad"]) is no history: it begins neither as a backup nor as an export",
                { write("no database at all", to: $0) }
            ),
            (
                "The history has version 99, and this Daybreak knows version \(Tables.version): install the Daybreak that wrote it",
                { try Self.change($0, "PRAGMA user_version = 99") }
            ),
            (
                "The file is damaged: its event 2 is missing",
                {
                    try Self.change(
                        $0, "\(Tables.allowDeletions); DELETE FROM event WHERE seq = 2; \(Tables.neverDeleted)")
                }
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

    @Test(arguments: [true, false]) func `a restore reads a pipe at standard input`(runsDaemon: Bool) throws {
        let daemon = try household.lived()
        let file = household.folder["copy.db"]
        #expect(try daybreak(daemon, "backup", file).status == 0)
        let before = list(daemon)
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"later"}"#))
        if !runsDaemon { #expect(daemon.end(SIGTERM) == 0) }
        let other = household.folder["other"]
        write("no history", to: other)
        let refused = try restoreWithinLimits("-", reading: other)
        let reason = "The file - is no history: it begins neither as a backup nor as an export"
        #expect(refused == Run(error: "Nothing was replaced. \(reason).\n", status: 1))
        #expect(try restoreWithinLimits("-", reading: "/dev/zero").error == "Nothing was replaced. \(reason).\n")
        let run = try restoreWithinLimits("-", reading: file)
        #expect(run.status == 0, "\(run.error)")
        let next = runsDaemon ? daemon : try household.started()
        #expect(list(next) == before)
        #expect(try daybreak(next, "export").output.contains("later") == false)
        let names = try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups")
        #expect(names.filter { $0.hasPrefix("restore-") } == [])
    }

    /// The limits end the program where it goes on copying.
    @Test(arguments: [true, false]) func `only a file that can be a history is copied`(runsDaemon: Bool) throws {
        let daemon = try household.lived()
        let (folder, before) = (household.folder, list(daemon))
        must(mkfifo(folder["pipe"], 0o600))
        let magic = "SQLite format 3\0"
        for (name, beginning) in [("sparse", ""), ("large", magic), ("text", "{")] {
            write(beginning, to: folder[name])
            must(truncate(folder[name], 2 * 1_024 * 1_024 * 1_024))
        }
        must(symlink("/dev/zero", folder["link"]))
        write("", to: folder["empty"])
        if !runsDaemon { #expect(daemon.end(SIGTERM) == 0) }
        let isNoFile = "is not a regular file"
        let beginsOtherwise = "is no history: it begins neither as a backup nor as an export"
        let isTooLarge = "is larger than 512 MB, and no history is"
        for (file, reason) in [
            ("/dev/zero", isNoFile), (folder["link"], isNoFile), (folder["pipe"], isNoFile), (folder.path, isNoFile),
            (folder["sparse"], beginsOtherwise), (folder["empty"], beginsOtherwise), (folder["large"], isTooLarge),
            (folder["text"], isTooLarge),
        ] {
            let run = try restoreWithinLimits(file)
            #expect(run == Run(error: "Nothing was replaced. The file \(file) \(reason).\n", status: 1))
            #expect(try FileManager.default.contentsOfDirectory(atPath: household.state + "/backups") == [])
        }
        let missing = try restoreWithinLimits(folder["missing"])
        let couldNot = "Nothing was replaced. Could not open \(folder["missing"]): No such file or directory.\n"
        #expect(missing == Run(error: couldNot, status: 1))
        let next = runsDaemon ? daemon : try household.started()
        #expect(list(next) == before)
    }

    /// It may write 8 MB.
    private func restoreWithinLimits(_ file: String, reading input: String = "/dev/null") throws -> Run {
        let surroundings = [
            "HOME": household.folder.path, "XDG_STATE_HOME": household.folder["state"],
            "XDG_RUNTIME_DIR": household.folder["runtime"], "PATH": "\(programs):/usr/bin:/bin",
        ]
        let command = "ulimit -f 16384 && cat \"$1\" | daybreak restore \"$0\""
        return try run("/bin/sh", ["-c", command, file, input], surroundings)
    }

    private var programs: String { URL(filePath: DaemonProcess.program).deletingLastPathComponent().path() }

    @Test(arguments: [true, false])
    func `the next restore removes the files of clients that were killed, and of no others`(runsDaemon: Bool) throws {
        let daemon = try household.lived()
        let (file, backups) = (household.folder["copy.db"], household.state + "/backups")
        #expect(try daybreak(daemon, "backup", file).status == 0)
        let ended = DaemonProcess(in: Folder(), ["--version"])
        let number = ended.process
        #expect(ended.end() == 0)
        let left = [
            "restore-\(number)", "restore-\(number).db", "restore-\(number).db.lock", "restore-\(number).wal",
        ]
        let others = ["restore-\(getpid())", "restore-\(number).txt", "restore-\(number)-how.db", "restore-mine.db"]
        for name in left + others { write("left", to: "\(backups)/\(name)") }
        if !runsDaemon { #expect(daemon.end(SIGTERM) == 0) }
        let restored = try restoreWithinLimits(file)
        #expect(restored.status == 0, "\(restored.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
        #expect(names.filter { $0.hasPrefix("restore-") } == others.sorted(), "\(names)")
    }

    /// A reader of a pipe waits until somebody opens it for writing, and the daemon has one thread.
    @Test func `the daemon does not wait for a pipe that is to be restored`() throws {
        let daemon = try household.lived()
        _ = daemon.client().ask(call("Service.GetStorage"))
        must(mkfifo(household.state + "/backups/restore-1", 0o600))
        let reply = daemon.client().ask(call("Service.Restore", #"{"file":"restore-1"}"#))
        let reason = #"{"reason":"The file is not a regular file"}"#
        #expect(reply == error("org.daybreak.Service.CannotRestore", reason))
    }

    @Test(arguments: [true, false])
    func `of the histories that restores replaced, the last seven stay`(runsDaemon: Bool) throws {
        let daemon = try household.lived()
        let (file, backups) = (household.folder["copy.db"], household.state + "/backups")
        #expect(try daybreak(daemon, "backup", file).status == 0)
        for day in 1...9 {
            for ending in ["", "-wal"] { write("", to: "\(backups)/replaced-2026-01-0\(day)-7.db\(ending)") }
        }
        for day in 1...2 { write("", to: "\(backups)/replaced-night-2026-01-0\(day).db") }
        // As after a clock that was wrong.
        write("", to: backups + "/replaced-2099-01-01-7.db")
        if !runsDaemon { #expect(daemon.end(SIGTERM) == 0) }
        let restored = try restoreWithinLimits(file)
        #expect(restored.status == 0, "\(restored.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: backups).sorted()
        let fresh = try #require(names.first { $0.hasPrefix("replaced-2") && !$0.hasPrefix("replaced-2026-01") })
        #expect(restored.output.contains(fresh))
        let kept = (5...9).flatMap { day in ["", "-wal"].map { "replaced-2026-01-0\(day)-7.db\($0)" } }
        let nights = (1...2).map { "replaced-night-2026-01-0\($0).db" }
        #expect(names == (kept + nights + [fresh, "replaced-2099-01-01-7.db"]).sorted())
    }

    @Test func `a folder of copies that others can open is reported, and nothing is done`() throws {
        let daemon = try household.lived()
        let (backups, before) = (household.state + "/backups", list(daemon))
        let file = household.folder["copy.db"]
        #expect(try daybreak(daemon, "backup", file).status == 0)
        func expectRefusals(_ reason: String) throws {
            let refused: [(verb: [String], outcome: String)] = [
                (["backup", household.folder["other.db"]], "No copy was made."), (["export"], "No copy was made."),
                (["restore", file], "Nothing was replaced."), (["erase", "qtaskq", "--yes"], "Nothing was erased."),
                (["erase", "--everything", "--yes"], "Nothing was erased."),
            ]
            for (verb, outcome) in refused {
                daemon.forgetNotifications()
                let run = try run(program("daybreak"), verb, ["DAYBREAK_SOCKET": daemon.runtime + "/control"])
                #expect(run == Run(error: "\(outcome) \(reason).\n", status: 1), "\(verb)")
            }
            #expect(!exists(household.folder["other.db"]))
            #expect(list(daemon) == before)
        }
        must(chmod(backups, 0o777))
        try expectRefusals("Others may write in the folder \(backups): run chmod go-w \(backups)")
        must(rename(backups, backups + ".away"))
        must(symlink(backups + ".away", backups))
        try expectRefusals("\(backups) is a link, or no folder: put a folder in its place")
        must(unlink(backups))
        write("", to: backups)
        try expectRefusals("\(backups) is a link, or no folder: put a folder in its place")
        must(unlink(backups))
        #expect(try daybreak(daemon, "erase", "qtaskq", "--yes").status == 0)
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

    @Test func `erasing a task keeps replaced histories without its words, and names one that it had to remove`() throws
    {
        let daemon = try household.lived()
        let copy = household.folder["copy.db"]
        #expect(try daybreak(daemon, "backup", copy).status == 0)
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"another","nextSession":true}"#))
        for _ in 1...2 { #expect(try daybreak(daemon, "restore", copy).status == 0) }
        let folder = household.state + "/backups/"
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("replaced-20") }
            .sorted()
        try #require(kept.count == 2)
        let damaged = folder + kept[1]
        try Self.flip(damaged)
        let run = try daybreak(daemon, "erase", "qtaskq", "--yes")
        #expect(
            run
                == Run(
                    output: """
                        The mood and the notes of task “qtaskq” are erased, here and in Daybreak's own backups.
                        Removed, because it could not be read: \(damaged)

                        """))
        #expect(household.places(of: "qnoteq") == [])
        #expect(!exists(damaged))
        let replaced = try #require(try History.verify(at: folder + kept[0]))
        #expect(replaced > 0 && mode(of: folder + kept[0]) == 0o600)
        #expect(Set(household.places(of: "another")) == ["backups/\(kept[0])"])
    }

    @Test func `an export writes over a file only with --force`() throws {
        let daemon = try household.lived()
        let file = household.folder["export.jsonl"]
        write("mine", to: file)
        let refused = try daybreak(daemon, "export", file)
        #expect(
            refused
                == Run(error: "\(file) is there already and was left as it is; --force writes over it.\n", status: 1))
        let forced = try daybreak(daemon, "export", file, "--force")
        #expect(forced == Run(output: "Everything that happened is in \(file), readable by you alone.\n"))
        #expect(try Data(contentsOf: URL(filePath: file)).starts(with: Data(#"{"daybreak""#.utf8)))
    }

    /// No task is open, so none could be named.
    @Test func `notes for the next session are erased from every file`() throws {
        let daemon = try household.lived()
        let copy = household.folder["copy.db"]
        _ = daemon.client().ask(call("Homework.AddNote", #"{"text":"qpointq","nextSession":true}"#))
        #expect(try daybreak(daemon, "backup", copy).status == 0)
        #expect(try daybreak(daemon, "restore", copy).status == 0)
        #expect(household.places(of: "qpointq").count >= 2)
        let run = try daybreak(daemon, "erase", "--next", "--yes")
        #expect(run == Run(output: "The notes for the next session are erased, here and in Daybreak's own backups.\n"))
        let again = try daybreak(daemon, "erase", "--next", "--yes").output
        #expect(
            again
                == "There were no notes for the next session to erase here; what Daybreak's own copies had of them is erased.\n"
        )
        #expect(household.places(of: "qpointq") == [])
        #expect(household.places(of: "qnoteq") != [])
        let notes = try daybreak(daemon, "notes")
        #expect(notes.status == 0 && !notes.output.contains("qpointq"))
        #expect(try daybreak(daemon, "export").output.contains(#""kind":"talkingPointsErased""#))
    }

    @Test func `after everything is erased, a schedule file that was refused is told`() throws {
        let daemon = try household.lived()
        let path = household.folder["config/daybreak/tasks.json"]
        write("[[5]]", to: path)
        let run = try daybreak(daemon, "erase", "--everything", "--yes")
        #expect(
            run.output.hasPrefix("Everything is erased. The schedule was refused: \(path):1:"),
            "\(run.output)\(run.error)")
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
            every backup of the history that Daybreak keeps by itself. Histories that you\r
            replaced are kept without them. Backups that you made are yours to remove.\r
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

    /// At a narrow terminal: the lines of the question fit it.
    @Test func `a question about the open task names the notes for its session`() throws {
        let daemon = try household.lived()
        let schedule = #"[{\"breaths\": 3, \"moods\": [\"a\"], \"due\": \"DAY\", \"id\": \"morning\"}]"#
            .replacing("DAY", with: household.yesterday)
        for asked in [
            call("Homework.Import", "{\"schedule\":\"\(schedule)\"}"),
            call("Homework.AddNote", #"{"text":"qpointq","nextSession":true}"#),
        ] {
            #expect(daemon.client().ask(asked)?.hasPrefix("{\"parameters\"") == true)
            daemon.forgetNotifications()
        }
        let run = try run(
            "/bin/sh",
            [
                "-c",
                "exec script --quiet --return --command \"stty columns 50; $0 erase morning\" /dev/null </dev/null",
                program("daybreak"),
            ], ["DAYBREAK_SOCKET": daemon.runtime + "/control", "TERM": "xterm", "SHELL": "/bin/sh"])
        #expect(
            run.output.hasPrefix(
                """
                This erases the mood and the notes of task\r
                “morning” and the note for the next session for\r
                good, and with them every backup of the history\r

                """), "\(run.output)")
    }

    @Test func `after erasing everything no text is left in any file`() throws {
        let daemon = try household.lived()
        let words = ["qmoodq", "qnoteq", "qnameq", "qtaskq"]
        for word in words { #expect(household.places(of: word) != [], "\(word)") }
        let run = try daybreak(daemon, "erase", "--everything", "--yes")
        // The task was imported, so it is gone with the history; that of the schedule file is taken in anew.
        #expect(run == Run(output: "Everything is erased. The schedule file was taken in anew.\n"))
        for word in words { #expect(household.places(of: word) == [], "\(word)") }
        #expect(daemon.end(SIGTERM) == 0)
        for word in words { #expect(household.places(of: word) == [], "\(word)") }
        let events = try daybreak(try household.started(), "export").output.split(separator: "\n")
        #expect(events[1].contains(#""kind":"erased""#), "\(events[1])")
    }

    /// Damages the head of the first page of the table of events.
    private static func flip(_ path: String) throws {
        let pages = try SQLiteDatabase(path).rows("SELECT rootpage FROM sqlite_schema WHERE name = 'event'") {
            $0.int(0) ?? 0
        }
        let start = (try #require(pages.first) - 1) * 4_096
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        for place in start..<start + 24 { bytes[place] ^= 0xff }
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func change(_ path: String, _ sql: String) throws {
        try SQLiteDatabase(path).execute(sql)
    }
}
