import DaybreakInterfaces
import Glibc
import PracticeInterfaces
import Testing
import Varlink

@testable import Companion
@testable import DaybreakCompanion
@testable import Messages

/// The daemon's side of a real socket, in the test's own thread. A connection is made once it listens, so replies can be
/// written before the call comes.
final class Listener {
    let folder: String
    let path: String
    let descriptor: Int32

    /// - Parameter known: the path of an earlier listener.
    init(at known: String? = nil) {
        var template = Array("/tmp/daybreak-cli-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        path = known ?? folder + "/control"
        if let known { mkdir(String(known.dropLast("/control".count)), 0o700) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && listen(descriptor, 8) == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
        rmdir(folder)
    }

    func accept() -> Peer { Peer(descriptor: Glibc.accept(descriptor, nil, nil)) }

    final class Peer {
        private let descriptor: Int32
        private var frames = FrameReader(limit: 1 << 24)

        init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { hangUp() }

        func send(_ bytes: [UInt8]) { precondition(write(descriptor, bytes, bytes.count) == bytes.count) }

        func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// The next call, as it was encoded.
        func call() -> String {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                if let frame = frames.next() { return String(decoding: frame, as: UTF8.self) }
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return "" }
                buffer[..<count].withUnsafeBytes { try! frames.append($0) }
            }
        }
    }
}

@Suite struct DaemonConnectionTests {
    @Test func `a call is answered`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        let peer = listener.accept()
        peer.send(Reply.frame(Provider.Presence.Reply(online: true, name: "Dr. Amsel")))
        let reply = try connection.call(Provider.Presence())
        #expect(reply == Provider.Presence.Reply(online: true, name: "Dr. Amsel"))
        #expect(peer.call() == #"{"method":"org.daybreak.Provider.Presence","parameters":{}}"#)
    }

    @Test func `a reply may come in pieces, and several at once`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        let peer = listener.accept()
        let frames = [true, false].flatMap { more in
            Reply.frame(Provider.Presence.Reply(online: more), continues: more)
        }
        try connection.send(Provider.Presence(), more: true)
        peer.send(Array(frames[..<10]))
        #expect(try connection.repliesSoFar() == [])
        peer.send(Array(frames[10...]))
        let replies = try connection.repliesSoFar()
        #expect(replies.map(\.continues) == [true, false])
        #expect(
            try replies.map { try connection.decode(Provider.Presence.self, from: $0).online } == [
                true, false,
            ])
        #expect(peer.call() == #"{"method":"org.daybreak.Provider.Presence","more":true,"parameters":{}}"#)
    }

    /// As a hostile practice does behind `ssh`.
    @Test(arguments: ["while read x; do :; done", "while :; do printf x; sleep 0.05; done"])
    func `a daemon that never answers, or without an end, is given up`(script: String) throws {
        let connection = try DaemonConnection(
            through: ["sh", "-c", script], at: "practice@clinic", of: .practiceAtHome)
        connection.longestAnswer = 0.5
        let failure = #expect(throws: Failure.self) { try connection.call(Provider.Presence()) }
        #expect(failure?.name == Failure.noAnswerName && failure?.status == 69)
    }

    @Test func `a practice that sends a byte now and then is given up as one that is silent`() throws {
        var daemon = Daemon.practiceAtHome
        daemon.longestSilence = { _ in 1 }
        let connection = try DaemonConnection(
            through: ["sh", "-c", "while :; do printf x; sleep 0.05; done"], at: "practice@clinic", of: daemon)
        let failure = #expect(throws: Failure.self) { try connection.call(Chat.ListRooms()) }
        #expect(failure?.name == Failure.noAnswerName && failure?.status == 69)
    }

    @Test func `a practice that is silent behind ssh is given up after a minute, a long letter after ten`() throws {
        var daemon = Daemon.practiceAtHome
        #expect([Chat.ListRooms.name, Mail.Send.name].map(daemon.longestSilence) == [60, 600])
        daemon.longestSilence = { _ in 1 }
        let connection = try DaemonConnection(
            through: ["sh", "-c", "while read x; do :; done"], at: "practice@clinic", of: daemon)
        let failure = #expect(throws: Failure.self) { try connection.call(Chat.ListRooms()) }
        #expect(failure?.status == 69)
        #expect(
            failure?.sentence == """
                practice@clinic has not answered for 1 second.
                A change may be made all the same: look before you repeat it.
                Is this machine online? `daybreak link status` says more.
                """)
    }

    /// Such as `ssh` that finds no host.
    @Test(arguments: [("exit 255", "NoDaemon"), (#"head -c 1 >/dev/null; printf '{"'"#, "InDoubt")])
    func `a program that ends is in doubt only after it has answered something`(script: String, name: String) throws {
        let connection = try DaemonConnection(
            through: ["sh", "-c", script], at: "practice@clinic", of: .practiceAtHome)
        let failure = #expect(throws: Failure.self) { try connection.call(Chat.ListRooms()) }
        #expect(failure?.name == name && failure?.status == 69)
    }

    /// One that knows no closed records in the list refuses the parameter.
    @Test func `a client writes to an older practice`() throws {
        let script = #"""
            while IFS= read -r -d '' call; do case $call in
              *closed*) printf '{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"closed"}}\0' ;;
              *) printf '{"parameters":{"people":[{"person":"p1","name":"Ana","role":"support"}]}}\0' ;;
            esac; done
            """#
        let connection = try DaemonConnection(
            through: ["bash", "-c", script], at: "practice@clinic", of: .practiceAtHome)
        #expect(try Recipients.one("Ana", over: connection).person == "p1")
    }

    @Test(arguments: ["", #"{"person":"p1","name":"A","role":"support"}"#])
    func `a list of pages without an end is given up`(row: String) throws {
        let script = """
            exec 3<&0; cat <&3 >/dev/null & while printf '{"parameters":{"people":[\(row)],"next":"x"}}\\0'; do :; done
            """
        let connection = try DaemonConnection(
            through: ["sh", "-c", script], at: "practice@clinic", of: .practiceAtHome)
        let failure = #expect(throws: Failure.self) {
            try connection.all {
                Mail.ListRecipients(after: $0)
            } _: {
                ($0.people, next: $0.next)
            }
        }
        #expect(failure?.sentence.contains("a list without an end") == true)
    }

    @Test func `the errors of a program in between are told without what steers a terminal`() {
        let said = Array("\u{1B}]0;evil\u{7}one\r\n\u{9B}2J\n\u{202E}two\n".utf8)
        #expect(said.lines == "]0;evilone\n2J\ntwo\n")
    }

    @Test func `a refusal is an error with its sentence`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        let peer = listener.accept()
        peer.send(Reply.frame(error: Homework.NoFlow()))
        let failure = #expect(throws: Failure.self) { try connection.call(Homework.Pause()) }
        #expect(peer.call() == #"{"method":"org.daybreak.Homework.Pause","parameters":{}}"#)
        #expect(failure?.status == 1)
        #expect(failure?.sentence == "No task is in progress; `daybreak start` begins one.")
    }

    @Test func `a daemon that disconnects before its answer counts as no daemon`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        listener.accept().hangUp()
        let failure = #expect(throws: Failure.self) { try connection.nextReply() }
        #expect(failure?.status == 69)
    }

    @Test func `replies from before a disconnection are still read`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        let peer = listener.accept()
        peer.send(Reply.frame(Nothing()))
        peer.hangUp()
        #expect(try connection.repliesSoFar().count == 1)
        #expect(throws: Failure.self) { try connection.repliesSoFar() }
    }

    @Test func `an invalid reply is our fault, not the client's`() throws {
        let listener = Listener()
        let connection = try DaemonConnection(to: listener.path)
        listener.accept().send(Array("nonsense\0".utf8))
        let failure = #expect(throws: Failure.self) { try connection.nextReply() }
        #expect(failure?.status == 70)
    }

    @Test func `the error without a daemon says how to start one`() {
        let failure = #expect(throws: Failure.self) { try DaemonConnection(to: "/nowhere/control") }
        #expect(failure?.status == 69)
        #expect(
            failure?.sentence == """
                daybreakd cannot be reached at /nowhere/control: No such file or directory.
                Start it with `systemctl --user restart daybreakd.socket`; where no user manager runs, with `daybreakd &`. \
                `daybreak doctor` tells what is wrong if it does not start.
                """)
        let long = "/" + String(repeating: "x", count: 200)
        #expect(throws: Failure.self) { try DaemonConnection(to: long) }
    }

    @Test func `the socket is the named one, else the environment's, else the user's`() throws {
        let environment = ["DAYBREAK_SOCKET": "/a", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(try DaemonSocket.path(explicit: "/b", environment: environment) == "/b")
        #expect(try DaemonSocket.path(explicit: nil, environment: environment) == "/a")
        let runtime = ["XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(try DaemonSocket.path(explicit: nil, environment: runtime) == "/run/user/7/daybreak/control")
    }

    @Test func `a user without a runtime folder uses the one that root made for them`() throws {
        let listener = Listener()
        let name = String(cString: getpwuid(geteuid()).pointee.pw_name)
        let (own, run) = (listener.folder + "/own", listener.folder + "/run")
        let served = run + "/daybreak/" + name
        let runtime = ["XDG_RUNTIME_DIR": own]
        func path() throws -> String {
            try DaemonSocket.path(explicit: nil, environment: runtime, under: listener.folder)
        }
        defer { for folder in [own + "/daybreak", own, served, run + "/daybreak", run] { rmdir(folder) } }
        #expect(try path() == own + "/daybreak/control")
        for folder in [run, run + "/daybreak", served] { mkdir(folder, 0o700) }
        #expect(try path() == served + "/control")
        mkdir(own, 0o700)
        mkdir(own + "/daybreak", 0o700)
        #expect(try path() == own + "/daybreak/control")
    }

    @Test(.enabled(if: geteuid() == 0, "only root's record of an installation counts"))
    func `the daemon that root installed for a user has its socket also while it is stopped`() throws {
        let listener = Listener()
        let name = String(cString: getpwuid(geteuid()).pointee.pw_name)
        let folders = ["/var", "/var/lib", "/var/lib/daybreak"].map { listener.folder + $0 }
        let record = folders[2] + "/.\(name).installed"
        func path() throws -> String {
            try DaemonSocket.path(
                explicit: nil, environment: ["XDG_RUNTIME_DIR": "/nowhere"], under: listener.folder)
        }
        defer {
            unlink(record)
            for folder in folders.reversed() { rmdir(folder) }
        }
        for folder in folders { mkdir(folder, 0o755) }
        #expect(try path() == "/nowhere/daybreak/control")
        close(open(record, O_CREAT | O_WRONLY, 0o600))
        #expect(try path() == "\(listener.folder)/run/daybreak/\(name)/control")
        chown(record, 1, 1)
        #expect(try path() == "/nowhere/daybreak/control")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `a runtime folder of another user is refused, and so is Daybreak's folder in it`() throws {
        let listener = Listener()
        let (runtime, own) = (listener.folder + "/runtime", listener.folder + "/runtime/daybreak")
        for folder in [runtime, own] { mkdir(folder, 0o700) }
        defer { for folder in [own, runtime] { rmdir(folder) } }
        func refusal() -> Failure? {
            #expect(throws: Failure.self) {
                try DaemonSocket.path(explicit: nil, environment: ["XDG_RUNTIME_DIR": runtime])
            }
        }
        chown(own, 65_534, 65_534)
        #expect(refusal() == .notOurs(own, advice: DaemonSocket.ownFolderAdvice))
        chown(own, 0, 0)
        chown(runtime, 65_534, 65_534)
        #expect(refusal() == .notOurs(runtime, advice: DaemonSocket.ownFolderAdvice))
        #expect(refusal()?.status == 69)
    }

    @Test func `only daemons of the same user and of root are called, and root calls all`() {
        #expect(DaemonSocket.isTrusted(1_000, by: 1_000))
        #expect(DaemonSocket.isTrusted(0, by: 1_000))
        #expect(!DaemonSocket.isTrusted(1_001, by: 1_000))
        #expect(!DaemonSocket.isTrusted(65_534, by: 1_000))
        #expect(DaemonSocket.isTrusted(1_000, by: 0))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func `root's folder for the user is refused if it is a link or another user's`() throws {
        let listener = Listener()
        let run = listener.folder + "/run"
        let served = run + "/daybreak/" + String(cString: getpwuid(geteuid()).pointee.pw_name)
        func path() throws -> String {
            try DaemonSocket.path(
                explicit: nil, environment: ["XDG_RUNTIME_DIR": "/nowhere"], under: listener.folder)
        }
        for folder in [run, run + "/daybreak", served] { mkdir(folder, 0o700) }
        chown(served, 1, 1)
        #expect(try path() == "/nowhere/daybreak/control")
        rmdir(served)
        symlink("/", served)
        defer {
            unlink(served)
            for folder in [run + "/daybreak", run] { rmdir(folder) }
        }
        #expect(try path() == "/nowhere/daybreak/control")
    }
}
