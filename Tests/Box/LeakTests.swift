import Foundation
import Testing

/// The texts of the client and the provider are in the history, and nowhere else on the machine. The test uses words that
/// appear nowhere else, and then searches every file that has changed, the journal and the processes for them.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct LeakTests {
    /// A logged mood, its correction, a mood that is no choice, a note, two names and a link.
    private static let words = [
        "xanthousmood", "zephyrinemood", "ocelotishmood", "quokkanote", "wombatiusname", "numbatname", "narwhallink",
    ]

    private static let settings = """
        [breathing]
        pattern = "1-0-1-0"
        [provider]
        name = "Dr. wombatiusname"
        link = "https://meet.example.org/narwhallink"
        """

    /// Everything that a client can write, and everything that is refused; no word is on a command line.
    private static let day = """
        PATH=~/.local/bin:$PATH
        say() { (exec -a say cat) <<<"$1"; }
        say numbatname >/dev/null
        daybreak provider online
        daybreak provider
        daybreak start --json
        say quokkanote | daybreak note -
        (until [[ -e /run/met ]]; do sleep 0.1; done; say ocelotishmood) | daybreak mood -
        daybreak leave
        say ocelotishmood | daybreak mood -
        say xanthousmood | daybreak mood -
        say ocelotishmood | daybreak mood --correct -
        say zephyrinemood | daybreak mood --correct -
        say quokkanote | daybreak note - --next
        daybreak status; daybreak reminders; daybreak doctor; daybreak doctor --json; daybreak explain; daybreak simulate
        cd ~/.config/daybreak
        cp tasks.json daybreak.toml ~/kept/
        for fault in '[[1, ["quokkanote", "quokkanote"], "$today"]]' '[["quokkanote"' quokkanote; do
            echo "$fault" >tasks.json
            daybreak reload
        done
        for fault in 'name = Dr. numbatname' 'name = "numbatname' 'link = "narwhallink"'; do
            printf '[provider]\\n%s\\n' "$fault" >daybreak.toml
            daybreak reload
            systemctl --user reload daybreakd
        done
        cp ~/kept/* .
        systemctl --user restart daybreakd
        systemctl --user --full --lines 1000 status daybreakd
        kill -SEGV $(systemctl --user show --property MainPID --value daybreakd)
        until daybreak status --json; do sleep 0.1; done
        systemctl --user --full --lines 1000 status daybreakd
        """

    /// Reads the command line and the environment of every process while the file exists. It reports a process that asks
    /// for a mood, which waits for that.
    private static let watch = """
        import os, sys
        seen = set()
        print("watching", flush=True)
        while os.path.exists("/run/watched"):
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    for part in ("comm", "environ", "cmdline"):
                        seen.add(open(f"/proc/{name}/{part}", "rb").read())
                except OSError:
                    pass
            if b"daybreak\\0mood\\0-\\0" in seen:
                open("/run/met", "w")
        open("/run/processes", "wb").write(b"\\n".join(seen))
        """

    @Test func `no mood, no note and no name is found outside the history`() async throws {
        let client = try await Client(#"[[1, ["placeholder", "other"], "$today"]]"#)
        let box = client.box
        // The journal keeps the command line of `su`, so the texts are passed in another encoding.
        try await put(Self.settings, at: "~/.config/daybreak/daybreak.toml", in: box)
        let today = try await client.today()
        try await put(
            #"[[1, ["xanthousmood", "zephyrinemood"], "\#(today)"]]"#, at: "~/.config/daybreak/tasks.json", in: box)
        try await box.run(
            "mkdir --mode 0700 ~/kept ~/said ~/dumped; mkdir --parents ~/.config/systemd/user/daybreakd.service.d")
        // The daemon could write a core dump here, and another program does, to show that the search would find it.
        try await client.save(
            "[Service]\nWorkingDirectory=%h/.local/state/daybreak", as: "../systemd/user/\(Self.dropIn)")
        try await box.run("systemctl --user daemon-reload; systemctl --user restart daybreakd")
        try await box.run("cd ~/dumped; ulimit -c unlimited; sleep infinity & kill -SEGV $!; wait; true")
        try await put(Self.day, at: "~/kept/day", in: box)
        try await put(Self.watch, at: "/run/watch", in: box, as: .root)
        let watching = try box.follow(": >/run/watched; exec python3 /run/watch", as: .root)
        _ = try await watching.line { $0 == "watching" }
        try await box.run("bash ~/kept/day >~/said/output 2>~/said/errors")
        try await box.run("rm /run/watched; until [[ -s /run/processes ]]; do :; done; journalctl --sync", as: .root)

        // The words were accepted and kept.
        let kept = "grep --quiet --text"
        for word in ["xanthousmood", "zephyrinemood", "quokkanote"] {
            try await box.run("\(kept) $(echo \(Self.reversed(word)) | rev) ~/.local/state/daybreak/history.db*")
        }
        let elsewhere = """
            words=$(base64 --decode <<<\(Self.base64(Self.words.joined(separator: "\n"))))
            journalctl --all --output export | grep --text --count --ignore-case --fixed-strings "$words"
            systemctl status --full --lines 1000 'user@*' 2>&1 | grep --text --count --ignore-case --fixed-strings "$words"
            grep --text --count --ignore-case --fixed-strings "$words" /run/processes
            find / -xdev -newer /run/told -name 'core*' -type f -size +0 2>/dev/null | grep --count --invert-match /dumped/
            find /dev/shm /etc /home /root /run /tmp /var -type f -cnewer /run/told -exec \
                grep --devices=skip --text --files-with-matches --ignore-case --fixed-strings "$words" {} + 2>/dev/null | sort
            """
        try await expectSearched(in: box)
        let found = try await box.attempt(elsewhere, as: .root).output.split(separator: "\n")
        #expect(found.prefix(4) == ["0", "0", "0", "0"])
        // A refusal lists the choices, and does not repeat the refused word.
        let said = ["ocelotishmood", "quokkanote", "wombatiusname", "numbatname", "narwhallink"].joined(separator: "\n")
        let errors = "grep --count --fixed-strings \"$(base64 --decode <<<\(Self.base64(said)))\" ~/said/errors"
        #expect(try await box.attempt(errors).output == "0")
        #expect(try await box.run("grep --count '^That mood is not among' ~/said/errors") == "2")
        #expect(found.contains("/home/client/kept/day"))
        // On a slow machine ten minutes without a call pass, and the history is backed up.
        let state = "/home/client/.local/state/daybreak"
        let allowed = [
            "/home/client/.config/daybreak/", "/home/client/kept/", "/home/client/said/", state + "/history.db",
            state + "/backups/night-",
        ]
        #expect(found.dropFirst(4).filter { line in !allowed.contains { line.hasPrefix($0) } } == [])
    }

    private static let dropIn = "daybreakd.service.d/here.conf"

    /// Each place where nothing is found was really searched: its other content is found.
    private func expectSearched(in box: Box) async throws {
        for place in [
            "journalctl --all --output export | grep --text --fixed-strings 'A task is open.'",
            "systemctl status --full --lines 1000 'user@*' | grep --fixed-strings daybreakd.service",
            "grep --text --perl-regexp 'daybreak\\x00mood\\x00-' /run/processes",
            "grep --text --perl-regexp 'XDG_RUNTIME_DIR=/run/user' /run/processes",
            "grep --quiet '^[|/]' /proc/sys/kernel/core_pattern || ls -l /home/client/dumped/core*",
        ] { try await box.run(place, as: .root) }
    }

    private func put(_ text: String, at path: String, in box: Box, as someone: Box.CommandUser = .client) async throws {
        try await box.run("base64 --decode <<<\(Self.base64(text)) >\(path)", as: someone)
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func reversed(_ text: String) -> String { String(text.reversed()) }
}
