import Foundation
import Testing

@testable import DaybreakCompanion

/// `daybreak link` and the link's process, with the real daemon, and a practice behind a program in the place of `ssh`.
@Suite struct LinkProgramTests {
    private func status(_ stage: PracticeStage) throws -> String { try stage.run("link", "status").output }

    @Test func `a set-up checks the host, redeems the word, and links`() throws {
        let stage = try PracticeStage()
        #expect(
            try status(stage)
                == "This machine is linked with no practice. `daybreak link set-up` links it, with an invitation.\n")
        let run = try stage.setUp("moods,waiting")
        #expect(run.error == "")
        #expect(
            run.output == """
                This machine is linked: Cleo, client 7 of Ana.
                Your therapist sees the words for your moods; when you begin a task, wait, are in the session, or give the task up.
                `daybreak link share` shows and changes this at any time, `daybreak link status` how it goes.

                """)
        #expect(stage.state()["shares"] as? [String] == ["moods", "waiting"])
        let files = try FileManager.default.contentsOfDirectory(atPath: stage.linkFolder).sorted()
        #expect(files == ["key", "key.pub", "known_hosts", "practice"])
        let mode = try FileManager.default.attributesOfItem(atPath: stage.linkFolder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(stage.log.contains("systemctl --user --quiet enable --now daybreak-link.service"))
        // The word was said on standard input.
        #expect(!stage.log.contains { $0.contains("AAAA") })
        // A repeated set-up needs no word.
        let again = try stage.run("link", "set-up", "practice@clinic.example", "--share", "none")
        #expect(again.status == 0 && again.output.contains("Your therapist sees nothing of what you do here."))
    }

    /// Enter for all questions agrees to nothing that was not agreed to on this machine.
    @Test func `shares that the practice tells of are not the client's word`() throws {
        let stage = try PracticeStage()
        try stage.change { $0["shares"] = ["completed", "moods", "breaths", "notes", "waiting"] }
        let input = "\(stage.fingerprint)\nAAAA-BBBB-CCCC-DDDD-EEEE\n"
        let said = try stage.onTerminal("link set-up practice@clinic.example", input: input + "\n\n\n\n\n")
        #expect(said.contains("The words for your moods? [y/N]") && !said.contains("[Y/n]"), "\(said)")
        #expect(stage.state()["shares"] as? [String] == [])
        _ = try stage.run("link", "share", "--share", "moods")
        let again = try stage.onTerminal("link set-up practice@clinic.example", input: "\n\n\n\n\n")
        #expect(again.contains("The words for your moods? [Y/n]"), "\(again)")
        #expect(stage.state()["shares"] as? [String] == ["moods"])
    }

    @Test func `a machine with another key is refused, and nothing is left behind`() throws {
        let stage = try PracticeStage()
        let run = try stage.run(
            "link", "set-up", "practice@clinic.example", "--share", "none",
            input: "SHA256:other\nAAAA-BBBB-CCCC-DDDD-EEEE\n")
        #expect(
            run.error
                == "The machine at clinic.example is not the one of the invitation: it shows another key. Nothing was sent. "
                + "Compare the invitation, and ask the practice.\n")
        #expect(run.status == 1)
        #expect(!FileManager.default.fileExists(atPath: stage.linkFolder))
        #expect(!stage.log.contains { $0.hasPrefix("ssh ") })
    }

    @Test func `without an address nothing secret is asked for`() throws {
        let stage = try PracticeStage()
        let run = try stage.run("link", "set-up", input: "")
        #expect(run.error == "Name the practice's address, as the invitation has it: practice@clinic.example.\n")
        #expect(run.status == 64)
    }

    @Test(arguments: ["Dear Cleo,\nstate-of-the-art homework awaits you: set-up is easy.\n", "", "{}\n"])
    func `a file that is no invitation is told from one`(text: String) throws {
        let stage = try PracticeStage()
        let file = FileManager.default.temporaryDirectory.appending(path: "no-invitation-\(UUID())")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for run in [
            try stage.run("link", "set-up", "--invitation", file.path()),
            try stage.run("link", "set-up", "practice@clinic.example", "--invitation", file.path()),
        ] {
            #expect(
                run.error == """
                    \(file.path()) is no invitation. One that your practice gives you has these lines:

                        daybreak link set-up practice@clinic.example

                        the practice's machine    SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU
                        your word                 7KQ2-ABCD-EFGH-JKMN-PQRS

                    """)
            #expect(run.status == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: stage.linkFolder))
    }

    @Test func `the sample of an invitation is one`() {
        let sample = Invitation(Invitation.sample)
        #expect(
            sample.isOne && sample.address == "practice@clinic.example" && sample.word == "7KQ2-ABCD-EFGH-JKMN-PQRS")
    }

    @Test func `a wrong word is refused, and the next try may be right`() throws {
        let stage = try PracticeStage()
        let wrong = try stage.run(
            "link", "set-up", "practice@clinic.example", "--share", "none",
            input: "\(stage.fingerprint)\nAAAA-BBBB-CCCC-DDDD-FFFF\n")
        #expect(wrong.error == "There is no such invitation.\n")
        #expect(try stage.setUp("none").status == 0)
    }

    @Test func `a word whose answer is lost is looked after, and the key is kept`() throws {
        let stage = try PracticeStage()
        try stage.change { $0["cut"] = "" }
        #expect(try stage.setUp("none").status == 0)
        let away = try PracticeStage()
        try away.change { $0["cut"] = "ssh: connect to host clinic.example port 22: No route to host" }
        let run = try away.setUp("none")
        #expect(
            run
                == .init(
                    error: "Connection closed. It is not known whether the practice took the word. "
                        + "This machine's key is kept: run this again, with the same word.\n", status: 1))
        try away.change { $0["trouble"] = "" }
        #expect(try away.setUp("none").status == 0)
        // A line that was never there has let in nobody.
        let never = try PracticeStage()
        try never.change { $0["trouble"] = "ssh: connect to host clinic.example port 22: No route to host" }
        #expect(try never.setUp("none").status == 1)
        #expect(!FileManager.default.fileExists(atPath: never.linkFolder))
    }

    @Test func `ssh has none of the user's own configuration`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("none")
        let call = try #require(stage.log.last { $0.hasPrefix("ssh ") })
        #expect(
            call.replacingOccurrences(of: stage.linkFolder, with: "LINK") == """
                ssh -F none -S none -T -e none -i LINK/key -o IdentitiesOnly=yes -o IdentityAgent=none -o BatchMode=yes \
                -o PreferredAuthentications=publickey -o StrictHostKeyChecking=yes -o UserKnownHostsFile="LINK/known_hosts" \
                -o GlobalKnownHostsFile=/dev/null -o UpdateHostKeys=no -o CheckHostIP=no -o ConnectTimeout=15 \
                -o ServerAliveInterval=15 -o ServerAliveCountMax=3 -o ClearAllForwardings=yes -o LogLevel=ERROR \
                -- practice@clinic.example varlink
                """)
    }

    @Test func `homework comes, is done, and what is shared is told once, also after kills`() throws {
        let stage = try PracticeStage(settings: "[link]\nhold = true\n")
        #expect(try stage.setUp("completed,moods,waiting").status == 0)
        try stage.startLink()
        stage.waits("the link follows") { stage.log.contains("Follow") }
        try stage.change { state in
            state["schedule"] = #"[{"id":"first","breaths":2,"moods":["calm","tired"],"due":"\#(stage.daemon.today)"}]"#
            state["news"] = (state["news"] as? [String: Any] ?? [:]).merging(["revision": 1]) { $1 }
        }
        try stage.waits("the task is here") { try stage.run("list").output.contains("2 breaths") }
        try stage.tell(["available": true, "provider": "Ana", "link": "https://meet.example/7"])
        try stage.waits("Ana is seen") { try stage.run("provider").output.contains("Ana is available") }
        #expect(try stage.run("provider").output.contains("Meet here: https://meet.example/7"))
        #expect(try stage.run("start", "--json").status == 0)
        stage.waits("the start is told") { stage.taken.contains("started") }
        stage.killLink()
        #expect(try stage.run("leave").status == 0)
        #expect(try stage.run("mood", "calm").status == 0)
        #expect(try status(stage).contains("happenings to be told"))
        try stage.startLink()
        stage.waits("all is told") { stage.taken.contains("completed") }
        #expect(stage.taken == ["scheduleTaken", "started", "joined", "left", "moodLogged", "completed"])
        try stage.waits("nothing waits") { try status(stage).contains("Nothing waits to be told.") }
    }

    @Test func `the status tells of a practice that cannot be reached, and of a host key that changed`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("none")
        try stage.change { $0["trouble"] = "ssh: connect to host clinic.example port 22: No route to host" }
        try stage.startLink()
        try stage.waits("the trouble is shown") {
            try status(stage).contains(
                "The last trouble: The practice cannot be reached: ssh: connect to host clinic.example port 22: No route to host."
            )
        }
        try stage.change { $0["trouble"] = "Host key verification failed." }
        #expect(try stage.run("link", "now").output.hasPrefix("The practice is asked now."))
        try stage.waits("it has stopped") { try status(stage).contains("It has stopped, until you do something") }
        try stage.change { $0["trouble"] = "" }
        _ = try stage.run("link", "now")
        try stage.waits("it rests") { try status(stage).contains("It rests") }
    }

    @Test func `unfit talking points and too long news are told in the status, and the rest is shown`() throws {
        let stage = try PracticeStage(settings: "[link]\nhold = true\n")
        _ = try stage.setUp("none")
        try stage.startLink()
        let at = "2027-03-05T09:00:00+01:00"
        let name = String(repeating: "é", count: 110)
        try stage.tell([
            "provider": name,
            "talkingPoints": [
                ["at": at, "text": "first\tpoint with a tab"], ["at": at, "text": "\u{1B}[2J"],
                ["at": at, "text": "second, quite plain"],
            ],
        ])
        try stage.waits("the fit ones are shown") {
            let shown = try stage.run("provider").output
            return shown.contains("  first    point with a tab\n  second, quite plain\n") && shown.contains(name)
        }
        try stage.waits("the status tells of the other") {
            try status(stage).contains("The last trouble: Talking points of the practice are left out")
        }
        try stage.tell(["talkingPoints": Array(repeating: ["at": at, "text": "x"], count: 90_000)])
        try stage.waits("the status tells of too much") {
            try status(stage).contains("The last trouble: The practice sends too much.")
        }
        #expect(try status(stage).contains("The practice cannot be reached."))
    }

    @Test func `shares that the practice ended are told, until the client chooses again`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods,waiting")
        try stage.change { $0["shares"] = ["waiting"] }
        try stage.startLink()
        let sentence =
            "You did not end it here, but your therapist no longer sees the words for your moods. "
            + "`daybreak link share --change` asks you again.\n"
        try stage.waits("the status tells of it") { try status(stage).contains(sentence) }
        #expect(try stage.run("status").output.contains("Problem   Your practice hears less than you agreed to here:"))
        let chosen = try stage.run("link", "share", "--share", "waiting")
        #expect(chosen.status == 0 && !chosen.output.contains(sentence))
        #expect(try !status(stage).contains(sentence) && !stage.run("status").output.contains("Problem"))
    }

    @Test func `adding a share needs the practice, and withdrawing one does not`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        try stage.change { $0["trouble"] = "No route to host" }
        let both = try stage.run("link", "share", "--share", "breaths")
        #expect(both.status == 1 && both.error.contains("What you withdrew is not told any more"))
        #expect(try status(stage).contains("Your therapist sees nothing of what you do here."))
        try stage.change { $0["trouble"] = "" }
        try stage.startLink()
        stage.waits("the practice hears of it") { stage.state()["shares"] as? [String] == [] }
        #expect(try stage.run("link", "share", "--share", "breaths").status == 0)
        #expect(stage.state()["shares"] as? [String] == ["breaths"])
    }

    @Test func `other shares in the place of those before hold, while the link is there`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        try stage.startLink()
        for (wanted, told) in [
            ("completed,breaths", ["breaths", "completed"]), ("moods", ["moods"]), ("notes", ["notes"]),
        ] {
            let set = try stage.run("link", "share", "--share", wanted)
            #expect(set.status == 0, "\(set.error)")
            #expect((stage.state()["shares"] as? [String])?.sorted() == told)
            #expect(try !status(stage).contains("no longer sees"))
        }
    }

    @Test func `an end leaves the history, and takes the key away`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        #expect(try stage.run("link", "end").status == 1)
        let end = try stage.run("link", "end", "--yes")
        #expect(
            end.output
                == "The link is ended. The practice was told, and has what it heard before. Your history stays with you.\n"
        )
        #expect(stage.state()["shares"] as? [String] == [])
        #expect(!FileManager.default.fileExists(atPath: stage.linkFolder))
        #expect(try status(stage).hasPrefix("This machine is linked with no practice."))
    }

    @Test func `an end does not wait for a practice that never answers`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        try stage.change { $0["silent"] = true }
        let end = try stage.run("link", "end", "--yes")
        #expect(
            end.output
                == "The link is ended. The practice could not be told now; it hears nothing more. Ask it to remove this "
                + "machine's key. Your history stays with you.\n")
        #expect(!FileManager.default.fileExists(atPath: stage.linkFolder))
        #expect(try status(stage).hasPrefix("This machine is linked with no practice."))
        let again = try stage.setUp("none")
        #expect(again.error == "The practice does not answer.\n" && again.status == 1)
        #expect(!FileManager.default.fileExists(atPath: stage.linkFolder))
    }

    /// As long as it likes, and as often.
    @Test func `the words of a hostile practice on ssh's standard error do not steer the terminal`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        let banner = "\u{1B}]0;evil\u{7}\u{9B}2JType yes\r" + String(repeating: "x", count: 100_000)
        try stage.change { $0["banner"] = banner }
        for words in [["profile"], ["link", "share", "--share", "breaths"]] {
            let run = try ProgramTests.run(words, socket: stage.daemon.path, environment: stage.environment)
            #expect(run.status == 0)
            #expect(run.error.utf8.count <= 5_000 && run.error.hasSuffix("xxx\n"), "\(run.error.utf8.count)")
        }
        try stage.change {
            var profile = $0["profile"] as? [String: Any] ?? [:]
            profile["name"] = "Cleo\u{9B}2J\u{202E}🌅"
            $0["profile"] = profile
            $0["banner"] = nil
        }
        #expect(try stage.run("profile").output.hasPrefix("Name             Cleo2J🌅\n"))
        let json = try stage.run("profile", "--json").output
        #expect(json.contains(#"Cleo\u009b2J\u202e🌅"#), "\(json)")
        try stage.change {
            $0["trouble"] = "\u{1B}]0;evil\u{7}gone"
            $0["banner"] = "\u{1B}[31m"
        }
        let failed = try stage.run("profile")
        #expect(failed.status == 69 && failed.error.hasPrefix("[31m\n]0;evilgone\n"), "\(failed.error)")
        #expect(failed.error.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }

    @Test func `an end says why the practice's address cannot be read, and takes no key away`() throws {
        let stage = try PracticeStage()
        let file = stage.linkFolder + "/practice"
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        let end = try stage.run("link", "end", "--yes")
        #expect(end.error == "The file \(file) is not a regular file.\n" && end.status == 1)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func `a set-up without ssh-keyscan says so, and not that the practice is out of reach`() throws {
        let stage = try PracticeStage()
        let programs = stage.folder + "/bin"
        try FileManager.default.removeItem(atPath: programs + "/ssh-keyscan")
        try FileManager.default.createSymbolicLink(
            atPath: programs + "/ssh-keygen", withDestinationPath: "/usr/bin/ssh-keygen")
        let run = try ProgramTests.run(
            ["link", "set-up", "practice@clinic.example", "--share", "moods"], socket: stage.daemon.path,
            input: "\(stage.fingerprint)\nAAAA-BBBB-CCCC-DDDD-EEEE\n",
            environment: stage.environment.merging(["PATH": programs]) { $1 })
        #expect(run.status == 1)
        #expect(run.error.contains("ssh-keyscan was found neither beside daybreak nor on the PATH"), "\(run.error)")
    }

    @Test func `profile and feedback ask the practice`() throws {
        let stage = try PracticeStage()
        #expect(try stage.run("profile").error.hasPrefix("This machine is linked with no practice;"))
        _ = try stage.setUp("moods")
        #expect(try stage.run("profile").output.hasPrefix("Name             Cleo\nNumber           7\n"))
        try stage.change {
            var profile = $0["profile"] as? [String: Any] ?? [:]
            profile["motive"] = "Loss"
            profile["fields"] = [["label": "Insurance", "value": "1234"]]
            $0["profile"] = profile
        }
        let lines = try stage.run("profile").output.split(separator: "\n")
        #expect(
            lines[7...10] == [
                "Referred by      –", "Came because of  Loss", "Insurance        1234", "Time zone        UTC",
            ])
        let said = try stage.run("feedback", "--rating", "4", "--anonymous", "-", input: "It goes well.\n")
        #expect(said.output == "Thank you. The administrators read it; the person it is about does not.\n")
        let kept = stage.state()["feedback"] as? [String: Any]
        #expect(kept?["text"] as? String == "It goes well." && kept?["rating"] as? Int == 4)
        #expect(kept?["anonymous"] as? Bool == true)
    }

    @Test func `each share is asked for until the answer is clear, and an end changes nothing`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        let said = try stage.onTerminal("link share --change", input: "perhaps\nyes\n\nno\n\nY\n")
        #expect(said.contains("perhaps is neither. y for yes, n for no: [y/N] "), "\(said)")
        #expect(said.contains("The words for your moods? [Y/n] "))
        #expect(stage.state()["shares"] as? [String] == ["completed", "moods", "waiting"])
        let left = try stage.onTerminal("link share --change", input: "n\n\u{4}")
        #expect(left.contains("Nothing was chosen, and nothing is changed."), "\(left)")
        #expect(stage.state()["shares"] as? [String] == ["completed", "moods", "waiting"])
    }

    @Test func `feedback that cannot be given is kept, and given later`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        let word = "It goes \(UUID().uuidString)."
        try stage.change { $0["lost"] = ["GiveFeedback"] }
        let lost = try stage.run("feedback", "--anonymous", "--rating", "4", "-", input: word + "\n")
        #expect(lost.status == 69)
        #expect(lost.error.contains("\nIt is not known whether the practice has it.\nWhat was written is kept in "))
        let path = try #require(lost.error.firstMatch(of: #/kept in (\S+): /#)?.1)
        #expect(lost.error.hasSuffix(" `daybreak feedback --anonymous --rating 4 - <\(path)` gives it.\n"))
        #expect(try String(contentsOfFile: String(path), encoding: .utf8) == word + "\n")
        #expect(stage.state()["feedback"] == nil)
        try stage.change { $0["lost"] = [] }
        #expect(try stage.run("feedback", "--anonymous", "-", input: word + "\n").status == 0)
        #expect((stage.state()["feedback"] as? [String: Any])?["text"] as? String == word)
        #expect(!FileManager.default.fileExists(atPath: String(path)))
    }

    @Test func `programs get profile and feedback as JSON`() throws {
        let stage = try PracticeStage()
        let unlinked = try stage.run("profile", "--json")
        #expect(unlinked.status == 1 && unlinked.error.hasPrefix(#"{"error":"#), "\(unlinked)")
        _ = try stage.setUp("moods")
        let profile = try stage.run("profile", "--json").output
        #expect(profile.hasSuffix("}\n") && profile.split(separator: "\n").count == 1)
        #expect(
            try JSONSerialization.jsonObject(with: Data(profile.utf8)) as? NSDictionary == [
                "name": "Cleo", "number": 7, "timeZone": "UTC", "thanatologist": "Ana", "since": "2026-01-02",
                "shares": ["moods"],
            ])
        #expect(try stage.run("feedback", "--json", "It", "goes", "well.") == .init(output: "{}\n", status: 0))
        let given = stage.state()["feedback"] as? [String: String]
        #expect(given?["text"] == "It goes well." && given?["key"] != nil && given?.count == 2)
        #expect(
            try stage.run("feedback", "--rating", "6", "--json", "x")
                == .init(
                    error: #"{"error":"Misused","parameters":{"reason":"A rating is a number from 1 to 5."}}"#
                        + "\n", status: 64))
    }

    @Test func `rooms and messages come over the link`() throws {
        let stage = try PracticeStage()
        _ = try stage.setUp("moods")
        let message: [String: Any] = [
            "id": "c4", "room": "r1", "from": "p2", "name": "Ana", "at": "2027-03-05T09:00:00+01:00", "text": "At ten?",
            "deleted": false,
        ]
        let room: [String: Any] = [
            "id": "r1", "name": "Ana", "kind": "direct", "createdBy": "p2", "members": 2, "joined": true,
            "muted": false, "unread": 1, "last": message, "person": "p2", "online": 1,
        ]
        try stage.change { state in
            state["replies"] = [
                "WhoAmI": [
                    "rights": [String](), "practice": "Clinic", "timeZone": "UTC", "currency": "EUR",
                    "today": "2027-03-05",
                ],
                "ListRooms": ["rooms": [room]], "Messages": ["messages": [message], "earlier": true],
                "ListRecipients": ["people": [["person": "p2", "name": "Ana", "role": "thanatologist"]]],
                "MarkRead": ["unread": 0], "Send": ["message": message],
            ]
        }
        #expect(
            try stage.run("chat")
                == .init(
                    output: """
                          Room  New  Newest message  When   There
                          Ana     1  At ten?         09:00  online

                          `daybreak chat history NAME` shows what was said.

                        """))
        #expect(
            try stage.run("chat", "history", "an", "--limit", "1")
                == .init(
                    output: """
                          Ana

                          Today
                          09:00  Ana  (4)
                            At ten?

                          `--before 4` shows what was said before.

                        """))
        #expect(try stage.run("chat", "send", "ana", "Yes.", "At", "ten.") == .init(output: "Sent to Ana.\n"))
        let given = stage.state()["given"] as? [String: [String: Any]]
        #expect(given?["MarkRead"]?["message"] as? String == "c4")
        #expect(given?["Send"]?["text"] as? String == "Yes. At ten." && given?["Send"]?["room"] as? String == "r1")
        #expect(given?["Send"]?["key"] != nil)
    }

    @Test func `letters and announcements come over the link`() throws {
        let stage = try PracticeStage()
        for verb in ["mail", "announcements", "chat"] {
            #expect(try stage.run(verb).error.hasPrefix("This machine is linked with no practice;"))
        }
        _ = try stage.setUp("moods")
        let letter: [String: Any] = [
            "id": "l4", "folder": "inbox", "from": ["person": "p2", "name": "Ana"],
            "to": [["person": "p3", "name": "Cleo"]], "subject": "Friday", "preview": "At ten?", "body": "At ten?",
            "at": "2027-03-05T09:00:00+01:00", "urgent": true, "system": false, "read": false, "thread": "m2",
            "revision": 1,
        ]
        try stage.change { state in
            state["replies"] = [
                "WhoAmI": [
                    "rights": [String](), "practice": "Clinic", "timeZone": "UTC", "currency": "EUR",
                    "today": "2027-03-05",
                ],
                "ListFolders": [
                    "folders": [["id": "inbox", "name": "Inbox", "role": "inbox", "total": 1, "unread": 1]]
                ],
                "List": ["letters": [letter], "total": 1], "Get": ["letter": letter],
                "ListRecipients": ["people": [["person": "p2", "name": "Ana", "role": "thanatologist"]]],
                "SaveDraft": ["letter": letter], "Send": ["letter": letter],
                "ListBroadcasts": [
                    "broadcasts": [
                        [
                            "id": "b1", "text": "Closed on Monday.", "from": "2027-03-05T09:00:00+01:00",
                            "until": "2027-03-09T00:00:00+01:00", "dismissable": true, "level": "important",
                        ]
                    ]
                ],
            ]
        }
        #expect(
            try stage.run("mail")
                == .init(
                    output: """
                          Inbox · 1 letter, new

                          No.               From  Subject           When
                            4  new, urgent  Ana   Friday – At ten?  09:00

                          `daybreak mail read N` reads one.

                        """))
        #expect(try stage.run("mail", "read", "4").output.contains("  At ten?\n"))
        let written = try stage.run("mail", "write", "ana", "--subject", "Friday", input: "Yes.\n")
        #expect(written == .init(output: "Sent to Cleo.\n"))
        let given = stage.state()["given"] as? [String: [String: Any]]
        #expect(given?["SaveDraft"]?["body"] as? String == "Yes." && given?["SaveDraft"]?["to"] as? [String] == ["p2"])
        #expect(given?["Send"]?["draft"] as? String == "l4" && given?["Send"]?["key"] != nil)
        #expect(
            try stage.run("announcements").output == """
                  • Important: Closed on Monday.
                    b1 · from today at 09:00 · until the end of Monday 8 March

                  `daybreak announcements dismiss ID` takes one away.

                """)
    }

    @Test func `lessons that were not read stand in daybreak alone until they are`() throws {
        let stage = try PracticeStage(settings: "[link]\nhold = true\n")
        _ = try stage.setUp("none")
        try stage.startLink()
        let line = "From your practice: 2 lessons to read: `daybreak course`"
        try stage.tell(["unreadLessons": 2])
        try stage.waits("the lessons are there") { try stage.run().output.contains(line) }
        #expect(!(try stage.run("reminders").output.contains("lesson")))
        try stage.tell(["unreadLessons": 0])
        try stage.waits("the lessons are read") { !(try stage.run().output.contains("lesson")) }
    }

    @Test func `a survey that is due stands in daybreak alone and in the guided way`() throws {
        let stage = try PracticeStage(settings: "[link]\nhold = true\n")
        _ = try stage.setUp("none")
        try stage.startLink()
        try stage.tell([
            "surveysDue": 1,
            "surveys": [["id": "v1", "opens": "2020-01-01T00:00:00Z", "closes": "2100-01-01T00:00:30Z"]],
        ])
        let line =
            #/From your practice: 1 survey to answer, until [A-Z][a-z]+ [0-9]+ [A-Z][a-z]+ [0-9]+ at [0-9:]+: `daybreak survey`/#
        try stage.waits("the days are there") { try stage.run().output.contains(line) }
        let reminders = try stage.run("reminders").output
        #expect(reminders.contains("A survey of your practice is due.\n"), "\(reminders)")
        _ = try stage.run("start", "--plain", input: "\n")
        let pane = try TmuxPane(
            columns: 120, rows: 30, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 }, "daybreak start")
        #expect(pane.waits { Self.onOneLine(pane).contains(line) })
    }

    /// A page breaks its sentences into lines.
    private static func onOneLine(_ pane: TmuxPane) -> String {
        pane.picture().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `announcements are shown by daybreak alone and in the guided way, and are dismissed there`() throws {
        let stage = try PracticeStage(settings: "[link]\nhold = true\n")
        _ = try stage.setUp("none")
        try stage.startLink()
        func announce(_ ids: String...) throws {
            let announcements = ids.map { id in
                ["id": id, "revision": 1, "text": "Word \(id).", "dismissable": true, "level": "important"]
                    as [String: Any]
            }
            try stage.tell(["broadcasts": ids.count, "announcements": announcements])
        }
        try stage.change { $0["replies"] = ["Dismiss": [String: Any]()] }
        try announce("b2", "b1")
        try stage.waits("the texts are there") {
            try stage.run().output.hasSuffix(
                """

                  Your practice announces:
                  • Important: Word b2. (b2)
                  • Important: Word b1. (b1)
                    `daybreak announcements dismiss ID` takes one away.

                """)
        }
        // A bar, and everything that is kept, has the number alone.
        #expect(try stage.run("status").output.contains("2 announcements: `daybreak announcements`"))
        #expect(try !stage.run("status", "--json").output.contains("Word") && stage.daemon.filesHold("Word") == false)
        // The practice still tells both of them.
        #expect(
            try stage.run("announcements", "dismiss", "b2").output == "The announcement is shown to you no more.\n")
        #expect(try stage.run().output.contains("• Important: Word b1. (b1)\n"))
        #expect(try !stage.run().output.contains("Word b2."))
        _ = try stage.run("start", "--plain", input: "\n")
        let pane = try TmuxPane(
            columns: 80, rows: 30, environment: stage.environment.merging(["NO_COLOR": "1"]) { $1 }, "daybreak start")
        #expect(pane.waits { Self.onOneLine(pane).contains("“Important: Word b1.”") })
        pane.type("a")
        #expect(pane.waits { Self.onOneLine(pane).contains("The announcement is shown no more.") })
        #expect(pane.waits { !pane.picture().contains("Word b1.") })
        stage.waits("the practice knows") {
            (stage.state()["given"] as? [String: [String: Any]])?["Dismiss"]?["broadcast"] as? String == "b1"
        }
        #expect(try !stage.run().output.contains("announce"))
    }
}
