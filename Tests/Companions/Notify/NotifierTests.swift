import DaybreakInterfaces
import Glibc
import Systemd
import Testing
import Unix
import Varlink

@testable import DaybreakNotify

/// The whole program, between a daemon and a desktop that the test plays.
@Suite(.enabled(if: SessionBus.isInstalled, "There is no dbus-daemon here.")) struct NotifierTests {
    private static let shown = "Notify Daybreak replacing 0|A task is open."

    @Test func `the program watches preferences and reminders, and shows the current ones`() throws {
        let fixture = try NotifierFixture()
        #expect(try fixture.calls(2).sorted() == NotifierFixture.streams)
        fixture.prefer(desktop: true)
        fixture.remind([NotifierFixture.unlocked])
        #expect(try fixture.hears(2).last?.hasPrefix(Self.shown) == true)
    }

    @Test func `nothing is shown before the preferences allow it`() throws {
        let fixture = try NotifierFixture()
        _ = try fixture.calls(2)
        fixture.remind([NotifierFixture.unlocked])
        fixture.prefer(desktop: false)
        try fixture.settle()
        #expect(fixture.service.take() == [])
        fixture.prefer(desktop: true)
        #expect(try fixture.hears(2).last?.hasPrefix(Self.shown) == true)
    }

    @Test func `a daemon that ended is called again, and a current reminder is not shown twice`() throws {
        let fixture = try NotifierFixture()
        _ = try fixture.calls(2)
        fixture.prefer(desktop: true)
        fixture.remind([NotifierFixture.unlocked])
        _ = try fixture.hears(2)
        fixture.hangUp()
        #expect(try fixture.calls(2).sorted() == NotifierFixture.streams)
        fixture.prefer(desktop: true)
        fixture.remind([NotifierFixture.unlocked])
        fixture.remind([])
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
    }

    @Test func `the program reports an error, and calls again`() throws {
        let fixture = try NotifierFixture()
        _ = try fixture.calls(2)
        fixture.refuse()
        #expect(try fixture.calls(1) == NotifierFixture.streams.filter { $0.contains("Reminders") })
        #expect(
            fixture.said == [
                "The daemon's reply to org.daybreak.Homework.Reminders cannot be used: "
                    + "it is the error org.daybreak.Homework.StorageUnavailable"
            ])
    }

    @Test func `the button Snooze calls Snooze at the daemon`() throws {
        let fixture = try NotifierFixture()
        _ = try fixture.calls(2)
        fixture.prefer(desktop: true)
        fixture.remind([NotifierFixture.unlocked])
        _ = try fixture.hears(2)
        // The answer to the next call shows that the notification has its number.
        fixture.remind([NotifierFixture.unlocked, NotifierFixture.missed])
        _ = try fixture.hears(1)
        fixture.service.choose("snooze", of: 1)
        #expect(
            try fixture.calls(1) == [
                #"{"method":"org.daybreak.Homework.Snooze","oneway":true,"parameters":{"until":"30m"}}"#
            ])
    }
}

/// A bus with a notification service, a daemon's socket and the notifier, in one loop that the test turns.
private final class NotifierFixture {
    let service: NotificationService
    private(set) var said: [String] = []
    private let loop: EventLoop
    private let bus = SessionBus()
    private let listener: Int32
    private var notifier: Notifier?
    private var peers: [(call: String, descriptor: Int32)] = []

    static let streams = [
        #"{"method":"org.daybreak.Homework.Reminders","more":true,"parameters":{"limit":0}}"#,
        #"{"method":"org.daybreak.Service.GetPreferences","more":true,"parameters":{}}"#,
    ]
    static let unlocked = Homework.Reminder(
        id: "1", kind: .unlocked, at: "2027-03-05T00:00:00Z", message: "A task is open. `daybreak start` begins it.")
    static let missed = Homework.Reminder(
        id: "2", kind: .missed, at: "2027-03-05T00:00:00Z", message: "A task can no longer be done.")

    init() throws {
        loop = try EventLoop()
        service = NotificationService(loop, bus.address)
        listener = LocalSocket.stream()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = bus.folder + "/control"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafeBytes(of: &address) { bytes in
            bind(listener, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        notifier = try Notifier(loop, at: path, bus: bus.address) { [unowned self] in said.append($0) }
    }

    deinit {
        notifier = nil
        hangUp()
        close(listener)
    }

    /// The next calls to the daemon, as they are encoded. Each has a connection of its own.
    func calls(_ count: Int) throws -> [String] {
        var found: [String] = []
        try until {
            let descriptor = accept(listener, nil, nil)
            if descriptor >= 0 {
                var bytes = [UInt8](repeating: 0, count: 4_096)
                let length = recv(descriptor, &bytes, bytes.count, 0)
                found.append(String(decoding: bytes[..<max(0, length)].dropLast(), as: UTF8.self))
                peers.append((found[found.count - 1], descriptor))
            }
            return found.count >= count
        }
        return found
    }

    func prefer(desktop: Bool) {
        let preferences = Service.Preferences(
            countdown: true, motion: true, plain: false, sound: false, soundCommand: [], desktop: desktop)
        send(Reply.frame(Service.GetPreferences.Reply(preferences: preferences), continues: true), to: "GetPreferences")
    }

    func remind(_ current: [Homework.Reminder]) {
        send(Reply.frame(Homework.Reminders.Reply(reminders: [], current: current), continues: true), to: "Reminders")
    }

    func refuse() {
        send(Reply.frame(error: Homework.StorageUnavailable(reason: "The disk is full.")), to: "Reminders")
    }

    func hangUp() {
        for peer in peers { close(peer.descriptor) }
        peers = []
    }

    private func send(_ frame: [UInt8], to method: String) {
        for peer in peers where peer.call.contains("." + method + "\"") {
            _ = Glibc.send(peer.descriptor, frame, frame.count, Int32(MSG_NOSIGNAL))
        }
    }

    func hears(_ count: Int) throws -> [String] {
        try until { service.calls.count >= count }
        return service.take()
    }

    /// Handles everything that is ready.
    func settle() throws { while try loop.step(timeoutMicroseconds: 0) {} }

    private func until(_ condition: () -> Bool) throws {
        while !condition() { try #require(try loop.step(timeoutMicroseconds: patience)) }
    }
}
