import Glibc
import Testing

@testable import HomeworkDaemon
@testable import Systemd

/// The door to the session bus: a real bus, services that the test plays, and the daemon's end of a connection.
@Suite(.enabled(if: SessionBus.isInstalled, "There is no dbus-daemon here.")) struct BusDoorTests {
    @Test func `what the desktop calls goes through, and its answer comes back`() throws {
        let house = try House()
        let answer = try house.call(Self.starts, .text("replace"))
        #expect(throws: Never.self) { try answer.get() }
        #expect(house.service.take() == ["Start daybreak_2dstart_2eservice replace"])
    }

    @Test(arguments: [
        Bus.Method("org.freedesktop.systemd1", "/org/freedesktop/systemd1", managing, "StartUnit"),
        Bus.Method("org.freedesktop.systemd1", "/org/freedesktop/systemd1", managing, "StartTransientUnit"),
        Bus.Method("org.freedesktop.systemd1", unit + "other_2eservice", "org.freedesktop.systemd1.Unit", "Start"),
        Bus.Method("org.freedesktop.systemd1", unit + "daybreak_2dstart_2eservice", managing, "Start"),
        Bus.Method(showing, "/another", showing, "Notify"),
        Bus.Method("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName"),
        // By the number that the bus has given it.
        Bus.Method(":1.0", unit + "daybreak_2dstart_2eservice", "org.freedesktop.systemd1.Unit", "Start"),
    ])
    func `any other call is refused, and nobody hears of it`(method: Bus.Method) throws {
        let house = try House()
        let refused = BusError(name: "org.freedesktop.DBus.Error.AccessDenied", message: "This is not let through.")
        let answer = try house.call(method, .text("replace"))
        #expect(throws: refused) { try answer.get() }
        #expect(house.service.take() == [])
    }

    @Test func `of the signals on the bus, those that the desktop waits for are heard`() throws {
        let house = try House()
        var heard: [UInt32] = []
        try house.bus?.listen("type='signal',interface='\(Self.showing)'") { message in
            if let number = message.count() { heard.append(number) }
        }
        // Whoever has this answer is listening.
        _ = try house.call(Self.starts, .text("replace"))
        house.service.sayMore(of: 1)
        house.service.choose("snooze", of: 2)
        try house.until { !heard.isEmpty }
        #expect(heard == [2])
    }

    @Test func `nobody on the bus calls the program`() throws {
        let house = try House()
        var heard: [String] = []
        try house.bus?.listen("type='method_call',member='Ask'") { _ in heard.append("a call") }
        try house.bus?.listen("type='signal',interface='\(Self.showing)'") { _ in heard.append("a signal") }
        _ = try house.call(Self.starts, .text("replace"))
        house.service.callBack()
        house.service.choose("snooze", of: 2)
        try house.until { heard.contains("a signal") }
        #expect(heard == ["a signal"])
    }

    @Test func `it ends with whoever it is there for`() throws {
        let house = try House()
        _ = try house.call(Self.starts, .text("replace"))
        house.leave()
        #expect(try house.loop.run() == 0)
    }

    static let starts = Bus.Method(
        "org.freedesktop.systemd1", unit + "daybreak_2dstart_2eservice", "org.freedesktop.systemd1.Unit", "Start")
    private static let managing = "org.freedesktop.systemd1.Manager"
    private static let unit = "/org/freedesktop/systemd1/unit/"
    private static let showing = "org.freedesktop.Notifications"
}

/// A bus with services on it, a door to it, and the connection of a program at that door; all in one loop.
private final class House {
    let loop: EventLoop
    let service: NotificationService
    private(set) var bus: Bus?
    private let session = SessionBus()
    private let door: BusDoor

    init() throws {
        loop = try EventLoop()
        service = NotificationService(loop, session.address)
        let path = session.folder["door"]
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        must(withAddress(path) { bind(listener, $0, $1) })
        must(listen(listener, 1))
        bus = try Bus(loop, address: "unix:path=\(path)")
        let connected = accept(listener, nil, nil)
        must(connected)
        must(close(listener))
        door = try BusDoor(
            loop, from: connected, to: session.address, calls: Desktop.calls, signals: Desktop.signals)
    }

    func leave() { bus = nil }

    func call(_ method: Bus.Method, _ argument: BusValue) throws -> Result<Void, BusError> {
        var answer: Result<Void, BusError>?
        try bus?.call(method, [argument], autostart: false) { result in answer = result.map { _ in } }
        try until { answer != nil }
        return try #require(answer)
    }

    func until(_ condition: () -> Bool) throws {
        while !condition() { try #require(try loop.step(timeoutMicroseconds: patience)) }
    }
}
