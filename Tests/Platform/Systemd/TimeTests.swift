import Glibc
import Systemd
import Testing

private func now(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    must(clock_gettime(clock, &time))
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
}

struct WakeTimerTests {
    private let calls = Calls<String>()
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private func timer(_ clock: WakeTimer.Clock = .wall, priority: Int64 = 0) throws -> WakeTimer {
        try WakeTimer(loop, clock, priority: priority) { [calls] in calls.add("fired") }
    }

    @Test(arguments: [WakeTimer.Clock.wall, .steady])
    func `a timer armed in the past fires at once, and only once`(clock: WakeTimer.Clock) throws {
        let timer = try timer(clock)
        for past in [0, 1, now(CLOCK_MONOTONIC)] as [UInt64] {
            try timer.arm(atMicroseconds: past)
            #expect(try loop.step(timeoutMicroseconds: patience))
            #expect(calls.take() == ["fired"])
            #expect(try loop.step(timeoutMicroseconds: 0) == false)
        }
    }

    @Test(arguments: [(WakeTimer.Clock.wall, CLOCK_REALTIME), (.steady, CLOCK_MONOTONIC)])
    func `a timer is never early`(clock: WakeTimer.Clock, identifier: clockid_t) throws {
        let timer = try timer(clock)
        let time = now(identifier) + 2000
        try timer.arm(atMicroseconds: time)
        #expect(try loop.step(timeoutMicroseconds: patience))
        #expect(calls.values == ["fired"])
        #expect(now(identifier) >= time)
    }

    @Test func `a timer that was never armed does not fire`() throws {
        let timer = try timer()
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
        try timer.disarm()
    }

    @Test func `a disarmed timer does not fire`() throws {
        let timer = try timer(.steady)
        try timer.arm(atMicroseconds: 1)
        try timer.disarm()
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
    }

    @Test func `the end of time is never reached`() throws {
        let timer = try timer(.wall)
        try timer.arm(atMicroseconds: .max)
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
    }

    @Test func `arming again replaces the earlier time`() throws {
        let timer = try timer(.steady)
        try timer.arm(atMicroseconds: .max)
        try timer.arm(atMicroseconds: 1)
        #expect(try loop.step(timeoutMicroseconds: patience))
        #expect(calls.values == ["fired"])
    }

    @Test func `a timer may be armed again in its handler`() throws {
        var timer: WakeTimer?
        timer = try WakeTimer(loop, .steady) { [calls] in
            calls.add("fired")
            guard calls.values.count == 1 else { return }
            do { try timer?.arm(atMicroseconds: 2) } catch { Issue.record(error) }
        }
        try timer?.arm(atMicroseconds: 1)
        #expect(try loop.step(timeoutMicroseconds: patience))
        #expect(try loop.step(timeoutMicroseconds: patience))
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
        #expect(calls.values == ["fired", "fired"])
        timer = nil
    }

    @Test func `a timer may be dropped from its own handler`() throws {
        var timer: WakeTimer?
        timer = try WakeTimer(loop, .steady) { [calls] in
            timer = nil
            calls.add("fired")
        }
        try timer?.arm(atMicroseconds: 1)
        #expect(try loop.step(timeoutMicroseconds: patience))
        #expect(calls.values == ["fired"])
    }

    @Test func `a dropped timer does not fire`() throws {
        var timer: WakeTimer? = try timer(.steady)
        try timer?.arm(atMicroseconds: 1)
        timer = nil
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
    }
}

/// CAP_SYS_TIME
private let maySetClock = holds(capability: 25)

/// Sets the clock to its present time, which the kernel treats as a step.
private func stepClock() {
    var time = timespec()
    must(clock_gettime(CLOCK_REALTIME, &time))
    must(clock_settime(CLOCK_REALTIME, &time))
}

/// Whether the loop runs out of events. A watch that is not armed again properly would keep it busy for ever.
private func comesToRest(_ loop: EventLoop) throws -> Bool {
    for _ in 0..<1000 where try !loop.step(timeoutMicroseconds: 0) { return true }
    return false
}

/// These tests never count the reports, because any other process may set the clock at any time.
struct ClockWatchTests {
    @Test func `a clock that nobody sets causes no events`() throws {
        let loop = try EventLoop()
        let watch = try ClockWatch(loop) {}
        #expect(try comesToRest(loop))
        withExtendedLifetime(watch) {}
    }

    @Test(.enabled(if: maySetClock, "only CAP_SYS_TIME may set the clock"))
    func `each setting of the clock is reported`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let calls = Calls<String>()
            let watch = try ClockWatch(loop) { calls.add("set") }
            for _ in 0..<3 {
                stepClock()
                #expect(try loop.step(timeoutMicroseconds: patience))
                #expect(calls.take() == ["set"])
                #expect(try comesToRest(loop))
                _ = calls.take()
            }
            withExtendedLifetime(watch) {}
        }
    }

    @Test(.enabled(if: maySetClock, "only CAP_SYS_TIME may set the clock"))
    func `a clock that is set while a report is handled is reported`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let calls = Calls<String>()
            let watch = try ClockWatch(loop) {
                calls.add("set")
                if calls.values.count == 1 { stepClock() }
            }
            stepClock()
            #expect(try loop.step(timeoutMicroseconds: patience))
            #expect(try loop.step(timeoutMicroseconds: patience))
            #expect(calls.values == ["set", "set"])
            withExtendedLifetime(watch) {}
        }
    }

    @Test(.enabled(if: maySetClock, "only CAP_SYS_TIME may set the clock"))
    func `the watch may be dropped from its own handler`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let calls = Calls<String>()
            var watch: ClockWatch?
            watch = try ClockWatch(loop) {
                watch = nil
                calls.add("set")
            }
            #expect(watch != nil)
            stepClock()
            #expect(try loop.step(timeoutMicroseconds: patience))
            stepClock()
            #expect(try loop.step(timeoutMicroseconds: 0) == false)
            #expect(calls.values == ["set"])
        }
    }
}
