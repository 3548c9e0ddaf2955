import Glibc
import Systemd
import Testing

struct IOSourceTests {
    private let calls = Calls<IOInterest>()
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    @Test func `a descriptor is reported when it can be read`() throws {
        let pipe = Ends.pipe()
        let source = try loop.onIO(pipe.first, .readable) { [calls] in
            pipe.receive()
            calls.add($0)
        }
        try settle(loop)
        #expect(calls.take() == [])
        pipe.send()
        try settle(loop)
        #expect(calls.take() == [.readable])
        source.cancel()
    }

    @Test func `a descriptor with unread bytes is reported again`() throws {
        let pipe = Ends.pipe()
        let source = try loop.onIO(pipe.first, .readable) { [calls] in calls.add($0) }
        pipe.send()
        #expect(try loop.step(timeoutMicroseconds: 0))
        #expect(try loop.step(timeoutMicroseconds: 0))
        #expect(calls.values == [.readable, .readable])
        source.cancel()
    }

    @Test func `an interest can be changed, and ended`() throws {
        let pair = Ends.sockets()
        let source = try loop.onIO(pair.first, []) { [calls] in calls.add($0) }
        pair.send()
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
        source.interest = [.readable, .writable]
        #expect(try loop.step(timeoutMicroseconds: 0))
        #expect(calls.take() == [[.readable, .writable]])
        source.interest = []
        #expect(try loop.step(timeoutMicroseconds: 0) == false)
    }

    @Test func `an interest can be changed inside the handler`() throws {
        let pair = Ends.sockets()
        var source: IOSource?
        source = try loop.onIO(pair.first, .writable) { [calls] in
            calls.add($0)
            source?.interest = []
        }
        try settle(loop)
        #expect(calls.values == [.writable])
        source = nil
    }

    @Test func `a peer that ended its writing is distinguished from one that closed`() throws {
        let pair = Ends.sockets()
        let source = try loop.onIO(pair.first, .peerClosed) { [calls] in calls.add($0) }
        must(shutdown(pair.second, Int32(SHUT_WR)))
        _ = try loop.step(timeoutMicroseconds: 0)
        #expect(calls.take() == [.peerClosed])
        pair.closeSecond()
        _ = try loop.step(timeoutMicroseconds: 0)
        #expect(calls.take() == [[.peerClosed, .hangup]])
        source.cancel()
    }

    @Test func `a hangup is always reported`() throws {
        let pipe = Ends.pipe()
        let source = try loop.onIO(pipe.first, []) { [calls] in calls.add($0) }
        pipe.closeSecond()
        _ = try loop.step(timeoutMicroseconds: 0)
        #expect(calls.values == [.hangup])
        source.cancel()
    }

    @Test func `of many ready descriptors each is reported once, after few questions`() throws {
        let pairs = (0..<200).map { _ in Ends.sockets() }
        var sources: [IOSource] = []
        for (number, pair) in pairs.enumerated() {
            sources.append(
                try loop.onIO(pair.first, .writable) { [calls] in
                    calls.add($0)
                    sources[number].interest = []
                })
        }
        var steps = 0
        while try loop.step(timeoutMicroseconds: 0) { steps += 1 }
        #expect(calls.values.count == 200)
        #expect(steps == 4)
        for source in sources { source.cancel() }
    }

    @Test func `a handler that ends the loop is the last one`() throws {
        let pairs = [Ends.sockets(), Ends.sockets()]
        let sources = try pairs.map { pair in
            try loop.onIO(pair.first, .writable) { [calls, loop] in
                calls.add($0)
                loop.exit(3)
            }
        }
        #expect(try loop.run() == 3)
        #expect(calls.values.count == 1)
        for source in sources { source.cancel() }
    }

    @Test func `a cancelled source reports nothing, and leaves its descriptor open`() throws {
        let pipe = Ends.pipe()
        let source = try loop.onIO(pipe.first, .readable) { [calls] in calls.add($0) }
        pipe.send()
        source.cancel()
        source.cancel()
        source.interest = .readable
        try settle(loop)
        #expect(calls.values == [])
        pipe.receive()
    }

    @Test func `a dropped source reports nothing, and leaves its descriptor open`() throws {
        let pipe = Ends.pipe()
        var source: IOSource? = try loop.onIO(pipe.first, .readable) { [calls] in calls.add($0) }
        pipe.send()
        #expect(source != nil)
        source = nil
        try settle(loop)
        #expect(calls.values == [])
        pipe.receive()
    }

    @Test func `a source may be dropped from its own handler`() throws {
        let pipe = Ends.pipe()
        var source: IOSource?
        source = try loop.onIO(pipe.first, .readable) { [calls] in
            source = nil
            calls.add($0)
        }
        #expect(source != nil)
        pipe.send()
        try settle(loop)
        #expect(calls.values == [.readable])
    }

    @Test func `a handler may drop another source that is ready too`() throws {
        let (one, two) = (Ends.sockets(), Ends.sockets())
        var sources: [IOSource] = []
        for pair in [one, two] {
            sources.append(
                try loop.onIO(pair.first, .writable) { [calls] in
                    calls.add($0)
                    sources = []
                })
        }
        try settle(loop)
        #expect(calls.values == [.writable])
    }

    @Test func `while a handler runs, the other ready sources are known to be ready`() throws {
        var sources: [IOSource] = []
        let ready = Calls<[Bool]>()
        let pairs = [Ends.sockets(), Ends.sockets()]
        for pair in pairs {
            var source: IOSource?
            source = try loop.onIO(pair.first, .writable) { _ in
                source?.interest = []
                ready.add(sources.map(\.isReady).filter { $0 })
            }
            sources.append(source!)
        }
        try settle(loop)
        #expect(ready.values == [[true], []])
        for source in sources { source.cancel() }
        #expect(sources.map(\.isReady) == [false, false])
    }

    @Test func `a handler lives no longer than its source`() throws {
        let pipe = Ends.pipe()
        weak var kept: Calls<Int>?
        var source: IOSource?
        do {
            let object = Calls<Int>()
            kept = object
            source = try loop.onIO(pipe.first, .readable) { _ in object.add(1) }
        }
        #expect(kept != nil)
        #expect(source != nil)
        source = nil
        #expect(kept == nil)
    }

    @Test func `changing an interest after the end of the loop has no effect`() throws {
        let pipe = Ends.pipe()
        let source = try loop.onIO(pipe.first, .readable) { [calls] in calls.add($0) }
        loop.exit(0)
        #expect(try loop.run() == 0)
        source.interest = []
        #expect(source.interest == [])
    }

    @Test func `a file that cannot be watched is refused`() throws {
        let folder = Folder()
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(throws: SystemdError(call: "epoll_ctl", errno: EPERM)) {
            try loop.onIO(descriptor, .readable) { _ in }
        }
    }
}
