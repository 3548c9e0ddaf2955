import Glibc
import Systemd
import Testing

/// Unblocks all signals, as in a program's first thread. The threads that tests run on block them.
private func unblockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    precondition(pthread_sigmask(SIG_UNBLOCK, &all, nil) == 0)
}

/// Each test runs in a process of its own, because signals and their masks belong to the process.
struct SignalSourceTests {
    @Test func `a signal arrives in the loop instead of ending the process`() async {
        await #expect(processExitsWith: .success) {
            unblockSignals()
            let loop = try EventLoop()
            let source = try loop.onSignal(SIGTERM) { loop.exit(3) }
            raise(SIGTERM)
            #expect(try loop.run() == 3)
            source.cancel()
        }
    }

    @Test func `each signal reaches its own handler`() async {
        await #expect(processExitsWith: .success) {
            unblockSignals()
            let loop = try EventLoop()
            let calls = Calls<String>()
            let hangup = try loop.onSignal(SIGHUP) { calls.add("hangup") }
            let user = try loop.onSignal(SIGUSR1) { calls.add("user") }
            raise(SIGUSR1)
            try settle(loop)
            #expect(calls.take() == ["user"])
            raise(SIGHUP)
            try settle(loop)
            #expect(calls.take() == ["hangup"])
            hangup.cancel()
            user.cancel()
        }
    }

    @Test func `a signal that comes after the end of the watch does not end the process`() async {
        await #expect(processExitsWith: .success) {
            unblockSignals()
            let loop = try EventLoop()
            let calls = Calls<String>()
            let source = try loop.onSignal(SIGTERM) { calls.add("terminate") }
            source.cancel()
            raise(SIGTERM)
            try settle(loop)
            #expect(calls.values == [])
        }
    }

    @Test func `a source may be dropped from its own handler`() async {
        await #expect(processExitsWith: .success) {
            unblockSignals()
            let loop = try EventLoop()
            let calls = Calls<String>()
            var source: SignalSource?
            source = try loop.onSignal(SIGTERM) {
                source = nil
                calls.add("terminate")
            }
            #expect(source != nil)
            raise(SIGTERM)
            raise(SIGTERM)
            try settle(loop)
            #expect(calls.values == ["terminate"])
        }
    }

    @Test func `an invalid signal is refused`() throws {
        let loop = try EventLoop()
        #expect(throws: SystemdError(call: "sigaddset", errno: EINVAL)) { try loop.onSignal(4711) {} }
    }
}
