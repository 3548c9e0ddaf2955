import Glibc
import Systemd
import Testing

/// Each test runs in a process of its own, because the environment and the descriptors belong to the process.
struct NotificationTests {
    @Test func `assignments arrive in one datagram, a line each`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let manager = Mailbox(folder["notify"])
            setenv("NOTIFY_SOCKET", folder["notify"], 1)
            try #require(try ServiceManager.notify([("STATUS", "Your task is open."), ("MAINPID", "1")]))
            #expect(manager.nextText() == "STATUS=Your task is open.\nMAINPID=1")
            #expect(manager.nextText() == nil)
        }
    }

    @Test func `the usual notifications are spelled as sd_notify documents them`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let manager = Mailbox(folder["notify"])
            setenv("NOTIFY_SOCKET", folder["notify"], 1)
            try #require(try ServiceManager.ready(status: "Waiting"))
            #expect(manager.nextText() == "READY=1\nSTATUS=Waiting")
            try #require(try ServiceManager.stopping())
            #expect(manager.nextText() == "STOPPING=1")
        }
    }

    @Test func `without a service manager nothing is sent, and no error is thrown`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            try #require(try ServiceManager.ready(status: "Waiting") == false)
        }
    }

    @Test func `a service manager that has ended is an error`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            setenv("NOTIFY_SOCKET", folder["notify"], 1)
            #expect(throws: SystemdError(call: "sd_notify", errno: ENOENT)) { try ServiceManager.ready(status: "Up") }
            #expect(throws: SystemdError(call: "sendto", errno: ENOENT)) { try ServiceManager.stopping() }
        }
    }

    @Test func `a status is sent without waiting, even if the service manager does not read`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let manager = Mailbox(folder["notify"])
            setenv("NOTIFY_SOCKET", folder["notify"], 1)
            try #require(try ServiceManager.tell(status: "Your task is open."))
            #expect(manager.nextText() == "STATUS=Your task is open.")
            while try ServiceManager.tell(status: "Once more.") {}
            #expect(manager.nextText() == "STATUS=Once more.")
            try #require(try ServiceManager.tell(status: "There is room."))
            unlink(folder["notify"])
            #expect(throws: SystemdError(call: "sendto", errno: ENOENT)) {
                try ServiceManager.tell(status: "Gone.")
            }
            unsetenv("NOTIFY_SOCKET")
            try #require(try ServiceManager.tell(status: "Nobody asks."))
        }
    }

    @Test func `a line break in a status is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            unsetenv("NOTIFY_SOCKET")
            try ServiceManager.ready(status: "Waiting\nMAINPID=1")
        }
    }
}

struct PassedDescriptorTests {
    @Test func `without a service manager no descriptor is passed`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("LISTEN_FDS")
            #expect(ServiceManager.passedDescriptors() == [])
        }
    }

    @Test func `an invalid number of descriptors in the environment passes none`() async {
        await #expect(processExitsWith: .success) {
            setenv("LISTEN_PID", "\(getpid())", 1)
            setenv("LISTEN_FDS", "many", 1)
            #expect(ServiceManager.passedDescriptors() == [])
        }
    }

    @Test func `descriptors meant for another process are not taken`() async {
        await #expect(processExitsWith: .success) {
            setenv("LISTEN_PID", "1", 1)
            setenv("LISTEN_FDS", "1", 1)
            #expect(ServiceManager.passedDescriptors() == [])
        }
    }

    @Test func `descriptors have their names, and are known to listen or not`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            bindUnix(socket, folder["socket"])
            must(listen(socket, 1))
            let (pair, pipe) = (Ends.sockets(), Ends.pipe())
            let (given, passed) = passing([(socket, "varlink"), (pair.first, "connection"), (pipe.first, "")])
            #expect(
                passed == [
                    .init(descriptor: given[0], name: "varlink", isListening: true),
                    .init(descriptor: given[1], name: "connection", isListening: false),
                    .init(descriptor: given[2], name: "", isListening: false),
                ])
            #expect(given.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
            #expect(ServiceManager.passedDescriptors() == [])
        }
    }

    @Test func `a descriptor without a name is called unknown`() async {
        await #expect(processExitsWith: .success) {
            let pipe = Ends.pipe()
            let (given, passed) = passing([(pipe.first, "dropped")], withNames: false)
            #expect(passed == [.init(descriptor: given[0], name: "unknown", isListening: false)])
        }
    }
}

/// The numbers of the passed descriptors, and the result. Other threads of the test runner open and close descriptors
/// meanwhile. If one of those that were counted is gone, nothing is passed, and the passing is repeated.
private func passing(
    _ descriptors: [(Int32, String)], withNames: Bool = true
) -> (given: [Int32], passed: [ServiceManager.Passed]) {
    for _ in 1...100 {
        let given = pass(descriptors)
        if !withNames { unsetenv("LISTEN_FDNAMES") }
        let passed = ServiceManager.passedDescriptors()
        if !passed.isEmpty { return (given, passed.filter { given.contains($0.descriptor) }) }
    }
    return ([], [])
}

/// Sets the environment as a service manager does before it starts a service. Passed descriptors are counted from 3, where
/// this process may have others open; those are passed as well, under the name "other".
private func pass(_ descriptors: [(Int32, String)]) -> [Int32] {
    let given = descriptors.map { fcntl($0.0, F_DUPFD, 3) }
    given.forEach { must($0) }
    let last = given.max() ?? 2
    let names = (3...last).map { number in
        given.firstIndex(of: number).map { descriptors[$0].1 } ?? "other"
    }
    setenv("LISTEN_PID", "\(getpid())", 1)
    setenv("LISTEN_FDS", "\(last - 2)", 1)
    setenv("LISTEN_FDNAMES", names.joined(separator: ":"), 1)
    return given
}
