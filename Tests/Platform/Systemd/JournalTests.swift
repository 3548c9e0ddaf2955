import Glibc
import Systemd
import Testing

struct JournalFieldTests {
    @Test(arguments: ["MESSAGE", "A", "DAYBREAK_DAY2", String(repeating: "A", count: 64)])
    func `a valid name of a journal field is taken`(name: String) {
        #expect(JournalField(name, "text").name == name)
    }

    @Test(arguments: ["", "message", "_UID", "2DAYS", "A-B", "A=B", "ÄRZTIN", String(repeating: "A", count: 65)])
    func `a name that journald would drop is a precondition failure`(name: String) async {
        await #expect(processExitsWith: .failure) { [name] in _ = JournalField(name, "text") }
    }
}

/// CAP_SYS_CHROOT
private let mayChangeRoot = holds(capability: 18)

/// Makes a folder this process's root, with a place for a journal in it.
private func enterEmptyRoot() {
    let folder = Folder()
    must(mkdir(folder["run"], 0o755))
    must(mkdir(folder["run/systemd"], 0o755))
    must(mkdir(folder["run/systemd/journal"], 0o755))
    must(chroot(folder.path))
    must(chdir("/"))
}

private let journalPath = "/run/systemd/journal/socket"

/// The real libsystemd sends to a real socket at the journal's path, in a root of the test's own.
@Suite(.enabled(if: mayChangeRoot, "only CAP_SYS_CHROOT may stand in for the journal"))
struct JournalSendingTests {
    @Test func `each field is a line`() async {
        await #expect(processExitsWith: .success) {
            enterEmptyRoot()
            let journal = Mailbox(journalPath)
            try Journal.send([JournalField("MESSAGE", "Your task is open."), JournalField("SYSLOG_IDENTIFIER", "test")])
            #expect(journal.nextText() == "MESSAGE=Your task is open.\nSYSLOG_IDENTIFIER=test\n")
        }
    }

    @Test func `a value of several lines is one value`() async {
        await #expect(processExitsWith: .success) {
            enterEmptyRoot()
            let journal = Mailbox(journalPath)
            try Journal.send([
                JournalField("SYSLOG_IDENTIFIER", "test"), JournalField("MESSAGE", "one\nPRIORITY=0\n"),
                JournalField("EMPTY", ""),
            ])
            let length: [UInt8] = [15, 0, 0, 0, 0, 0, 0, 0]
            let expected =
                Array("SYSLOG_IDENTIFIER=test\nMESSAGE\n".utf8) + length
                + Array("one\nPRIORITY=0\n\nEMPTY=\n".utf8)
            #expect(journal.next() == expected)
        }
    }

    @Test func `without a journal, an entry is lost without an error`() async {
        await #expect(processExitsWith: .success) {
            enterEmptyRoot()
            #expect(!Journal.isListening)
            try Journal.send([JournalField("MESSAGE", "lost")])
        }
    }

    @Test func `a journal listens only while its socket is bound, even if the file stays`() async {
        await #expect(processExitsWith: .success) {
            enterEmptyRoot()
            var journal: Mailbox? = Mailbox(journalPath)
            #expect(journal != nil)
            #expect(Journal.isListening)
            journal = nil
            #expect(access(journalPath, F_OK) == 0)
            #expect(!Journal.isListening)
        }
    }

    @Test func `an entry without fields is a precondition failure`() async {
        await #expect(processExitsWith: .failure) { try Journal.send([]) }
    }
}

@Suite(.enabled(if: Journal.isListening, "no journal listens on this machine"))
struct JournalReaderTests {
    private let reader: JournalReader
    private let mark = "\(getpid())-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        reader = try JournalReader()
        try reader.addMatch("DAYBREAK_TEST", mark)
        try reader.seekTail()
    }

    private func send(_ message: String) throws {
        try Journal.send([JournalField("MESSAGE", message), JournalField("DAYBREAK_TEST", mark)])
    }

    /// Waits for the next entry, and returns its message.
    private func receive() throws -> String? {
        while try !reader.next() {
            if try reader.wait(microseconds: patience) == .nothing { return nil }
        }
        return try reader.field("MESSAGE")
    }

    @Test func `entries are read whole and in the order in which they were sent`() throws {
        try send("one")
        try send("two\nlines, é")
        #expect(try receive() == "one")
        #expect(try receive() == "two\nlines, é")
        #expect(try reader.field("DAYBREAK_TEST") == mark)
        #expect(try reader.field("NO_SUCH_FIELD") == nil)
        #expect(try reader.next() == false)
    }

    @Test func `an entry has the time at which it came`() throws {
        var before = timespec()
        must(clock_gettime(CLOCK_REALTIME, &before))
        try send("one")
        #expect(try receive() == "one")
        #expect(try reader.realtimeMicroseconds / 1_000_000 >= UInt64(before.tv_sec))
    }

    @Test func `the tail keeps as many entries as asked for`() throws {
        for message in ["one", "two", "three"] { try send(message) }
        for _ in 0..<3 { #expect(try receive() != nil) }
        try reader.seekTail(keeping: 2)
        #expect(try receive() == "two")
        #expect(try receive() == "three")
        try reader.seekTail(keeping: 9)
        #expect(try receive() == "one")
        try reader.seekTail()
        #expect(try reader.next() == false)
        try send("four")
        #expect(try receive() == "four")
        try reader.seekHead()
        #expect(try receive() == "one")
    }

    @Test func `a loop can wait for entries`() throws {
        let loop = try EventLoop()
        let calls = Calls<String?>()
        let source = try loop.onIO(reader.descriptor, .readable) { _ in
            guard (try? reader.process()) == .appended else { return }  // An error leaves the list empty.
            while (try? reader.next()) == true { calls.add(try? reader.field("MESSAGE")) }
        }
        try send("one")
        while calls.values.isEmpty, try loop.step(timeoutMicroseconds: patience) {}
        #expect(calls.values == ["one"])
        source.cancel()
    }

    @Test func `a reader before its first entry has no fields`() throws {
        #expect(throws: SystemdError(call: "sd_journal_get_data", errno: EADDRNOTAVAIL)) {
            try reader.field("MESSAGE")
        }
    }
}
