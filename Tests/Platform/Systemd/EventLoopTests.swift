import Glibc
import Systemd
import Testing

struct EventLoopTests {
    @Test func `a loop runs until it is asked to exit, and returns the code`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { loop.exit(7) }
        source.schedule()
        #expect(try loop.run() == 7)
    }

    @Test func `a loop runs once`() throws {
        let loop = try EventLoop()
        loop.exit(0)
        #expect(try loop.run() == 0)
        #expect(throws: SystemdError(call: "sd_event_loop", errno: EBUSY)) { try loop.run() }
    }

    @Test func `the later of two exit codes is returned`() throws {
        let loop = try EventLoop()
        loop.exit(1)
        loop.exit(2)
        #expect(try loop.run() == 2)
    }

    @Test func `a negative exit code is a precondition failure`() async {
        await #expect(processExitsWith: .failure) { try EventLoop().exit(-1) }
    }

    @Test func `a step without an event returns false`() throws {
        #expect(try EventLoop().step(timeoutMicroseconds: 0) == false)
    }

    @Test func `a step dispatches one event`() throws {
        let loop = try EventLoop()
        let calls = Calls<Int>()
        let sources = try (0..<2).map { number in try loop.deferred(priority: 0) { calls.add(number) } }
        for source in sources { source.schedule() }
        #expect(try loop.step(timeoutMicroseconds: nil))
        #expect(calls.values == [0])
        #expect(try loop.step(timeoutMicroseconds: nil))
        #expect(calls.values == [0, 1])
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
    }

    @Test func `a source may outlive its loop`() throws {
        var loop: EventLoop? = try EventLoop()
        let source = try loop?.deferred(priority: 0) {}
        loop = nil
        source?.schedule()
        source?.cancel()
    }

    @Test func `an error's description has the call and the reason`() {
        #expect(SystemdError(call: "sd_event_new", errno: EMFILE).description == "sd_event_new: Too many open files")
    }

    @Test func `the loop answers no watchdog that was not asked for`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("WATCHDOG_USEC")
            try #require(try EventLoop().enableWatchdog() == false)
        }
    }

    @Test func `the loop answers the watchdog at once, and then while it turns`() async {
        await #expect(processExitsWith: .success) {
            let folder = Folder()
            let manager = Mailbox(folder["notify"])
            setenv("NOTIFY_SOCKET", folder["notify"], 1)
            setenv("WATCHDOG_USEC", "1000", 1)
            unsetenv("WATCHDOG_PID")
            let loop = try EventLoop()
            #expect(try loop.enableWatchdog())
            #expect(manager.nextText() == "WATCHDOG=1")
            _ = try loop.step(timeoutMicroseconds: patience)
            #expect(manager.nextText() == "WATCHDOG=1")
        }
    }
}

struct DeferredSourceTests {
    private let calls = Calls<String>()

    @Test func `a deferred handler runs only when it is scheduled`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { [calls] in calls.add("ran") }
        try settle(loop)
        #expect(calls.values == [])
        source.cancel()
    }

    @Test func `scheduled twice it runs once, and again when scheduled again`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { [calls] in calls.add("ran") }
        source.schedule()
        source.schedule()
        try settle(loop)
        #expect(calls.take() == ["ran"])
        source.schedule()
        try settle(loop)
        #expect(calls.take() == ["ran"])
    }

    @Test func `a deferred handler may schedule itself`() throws {
        let loop = try EventLoop()
        var source: DeferredSource?
        source = try loop.deferred(priority: 0) { [calls] in
            calls.add("ran")
            if calls.values.count < 3 { source?.schedule() }
        }
        source?.schedule()
        try settle(loop)
        #expect(calls.values == ["ran", "ran", "ran"])
        source = nil
    }

    @Test func `a deferred handler runs after all ready descriptors`() throws {
        let loop = try EventLoop()
        let (one, two) = (Ends.pipe(), Ends.pipe())
        let show = try loop.deferred(priority: 100) { [calls] in calls.add("show") }
        let sources = try [one, two].map { pipe in
            try loop.onIO(pipe.first, .readable) { [calls] _ in
                pipe.receive()
                calls.add("read")
                show.schedule()
            }
        }
        one.send()
        two.send()
        show.schedule()
        try settle(loop)
        #expect(calls.values == ["read", "read", "show"])
        for source in sources { source.cancel() }
    }

    @Test func `a scheduled run can be cancelled, and scheduled again`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { [calls] in calls.add("ran") }
        source.schedule()
        source.unschedule()
        try settle(loop)
        #expect(calls.values == [])
        source.schedule()
        try settle(loop)
        #expect(calls.values == ["ran"])
    }

    @Test func `a cancelled source does not run`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { [calls] in calls.add("ran") }
        source.schedule()
        source.cancel()
        source.schedule()
        try settle(loop)
        #expect(calls.values == [])
    }

    @Test func `a deferred source may be dropped from its own handler`() throws {
        let loop = try EventLoop()
        var source: DeferredSource?
        source = try loop.deferred(priority: 0) { [calls] in
            source?.schedule()
            source = nil
            calls.add("ran")
        }
        source?.schedule()
        try settle(loop)
        #expect(calls.values == ["ran"])
    }

    @Test func `scheduling after the end of the loop has no effect`() throws {
        let loop = try EventLoop()
        let source = try loop.deferred(priority: 0) { [calls] in calls.add("ran") }
        loop.exit(0)
        #expect(try loop.run() == 0)
        source.schedule()
        #expect(calls.values == [])
    }
}
