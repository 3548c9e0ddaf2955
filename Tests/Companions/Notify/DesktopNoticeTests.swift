import Bus
import DaybreakInterfaces
import Systemd
import Testing

@testable import DaybreakNotify

/// Reminders on a desktop, with a real bus and a notification service that the test plays.
@Suite(.enabled(if: SessionBus.isInstalled, "There is no dbus-daemon here.")) struct DesktopNoticeTests {
    /// The call of `Notify` for an open task.
    private static func open(replacing number: Int = 0, start: String = "start,Start,", expiry: Int = -1) -> String {
        """
        Notify Daybreak replacing \(number)|A task is open.|`daybreak start` begins it.|\(start)snooze,Snooze 30 minutes|\
        desktop-entry=daybreak,urgency=1,category=x-daybreak.reminder|\(expiry)
        """
    }

    private static func stillOpen(replacing number: Int) -> String {
        """
        Notify Daybreak replacing \(number)|Your task is still open.|`daybreak start` begins it, or goes on.|\
        start,Start,snooze,Snooze 30 minutes|desktop-entry=daybreak,urgency=1,category=x-daybreak.reminder|-1
        """
    }

    private static let asked = "GetUnitFileState daybreak-start.service"

    @Test func `a reminder is shown with its text and its two buttons`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        #expect(try fixture.hears(2) == [Self.asked, Self.open()])
    }

    @Test func `a reminder that the service refused to show is shown again`() throws {
        let fixture = try DesktopFixture()
        fixture.service.failures = 2
        fixture.give(.unlocked)
        #expect(
            try fixture.hears(6) == [Self.asked, Self.open(), Self.asked, Self.open(), Self.asked, Self.open()])
        try fixture.settle()
        #expect(fixture.desktop.cards[.task]?.isShown == true)
    }

    @Test func `the next reminder replaces the notification`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.give(.stillOpen)
        #expect(try fixture.hears(1) == [Self.stillOpen(replacing: 1)])
    }

    @Test func `two reminders before the first is shown become one notification`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        fixture.give(.stillOpen)
        #expect(try fixture.hears(2) == [Self.asked, Self.stillOpen(replacing: 0)])
    }

    @Test func `missed tasks have a notification of their own, without buttons`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.missed)
        #expect(
            try fixture.hears(2) == [
                Self.asked,
                """
                Notify Daybreak replacing 0|A task can no longer be done: its days are over.|`daybreak list --missed` \
                shows which.||desktop-entry=daybreak,urgency=0,category=x-daybreak.reminder|-1
                """,
            ])
        fixture.give(.unlocked)
        #expect(try fixture.hears(1) == [Self.open()])
    }

    @Test(arguments: [Homework.ReminderKind.mail, .chat, .survey, .broadcast])
    func `news of the practice have a place each, without buttons`(kind: Homework.ReminderKind) throws {
        let fixture = try DesktopFixture()
        fixture.give(kind)
        fixture.give(.unlocked)
        _ = try fixture.hears(3)
        #expect(fixture.desktop.cards.count == 2)
    }

    @Test(arguments: [Homework.ReminderKind.completed, .scheduleTaken])
    func `a reminder that only confirms what the client did is not shown`(kind: Homework.ReminderKind) throws {
        let fixture = try DesktopFixture()
        fixture.give(kind)
        #expect(fixture.desktop.cards.isEmpty)
    }

    @Test func `a moot reminder's notification is closed`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.drop(.unlocked)
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
        #expect(fixture.desktop.cards.isEmpty)
    }

    @Test func `a reminder that is moot before it can be shown is never shown`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        fixture.drop(.unlocked)
        fixture.give(.missed)
        #expect(try fixture.hears(2).last?.hasPrefix("Notify Daybreak replacing 0|A task can no longer") == true)
    }

    @Test func `a reminder that becomes moot while it is sent is closed once it is shown`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        fixture.drop(.unlocked)
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
    }

    @Test func `a reminder is shown once, even if it becomes current again`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.stillOpen)
        _ = try fixture.hears(2)
        try fixture.settle()
        let reminder = fixture.drop(.stillOpen)
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
        fixture.give(reminder)
        fixture.give(.missed)
        #expect(try fixture.hears(1).first?.hasPrefix("Notify Daybreak replacing 0|A task can no longer") == true)
    }

    @Test func `an older reminder is not shown again when a newer one becomes moot`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.give(.providerAvailable)
        #expect(try fixture.hears(1).first?.hasPrefix("Notify Daybreak replacing 1|Your provider") == true)
        try fixture.settle()
        fixture.drop(.providerAvailable)
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
        #expect(fixture.desktop.cards.isEmpty)
    }

    @Test func `the button Snooze calls Snooze`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.service.choose("snooze", of: 7)
        fixture.service.choose("snooze", of: 1)
        try fixture.until { fixture.snoozes > 0 }
        #expect(fixture.snoozes == 1)
    }

    @Test func `the button Start asks the service manager to open the guided way`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.service.choose("start", of: 1)
        #expect(try fixture.hears(1) == ["StartUnit daybreak-start.service replace"])
        #expect(fixture.said == [])
    }

    @Test func `a start that fails is logged with the command that does the same`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.service.unitState = nil
        fixture.service.choose("start", of: 1)
        try fixture.until { !fixture.said.isEmpty }
        #expect(
            fixture.said == [
                """
                daybreak-start.service cannot be started: org.freedesktop.DBus.Error.FileNotFound: \
                No such file or directory. `daybreak start` in a terminal does the same.
                """
            ])
    }

    @Test func `without the unit there is no button Start`() throws {
        let fixture = try DesktopFixture()
        fixture.service.unitState = nil
        fixture.give(.unlocked)
        #expect(try fixture.hears(2) == [Self.asked, Self.open(start: "")])
    }

    @Test
    func `a service without buttons gets none, and one that keeps no list shows it until it is moot`()
        throws
    {
        let fixture = try DesktopFixture()
        fixture.service.capabilities = ["body"]
        fixture.give(.unlocked)
        let expected = Self.open(expiry: 0).replacing("start,Start,snooze,Snooze 30 minutes", with: "")
        #expect(try fixture.hears(2) == [Self.asked, expected])
    }

    @Test func `a notification that the client dismissed is not replaced`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.service.dismiss(1)
        try fixture.until { fixture.desktop.cards.isEmpty }
        fixture.give(.stillOpen)
        #expect(try fixture.hears(1) == [Self.stillOpen(replacing: 0)])
    }

    @Test func `a service that starts later gets the current reminders`() throws {
        let fixture = try DesktopFixture(service: false)
        fixture.give(.unlocked)
        try fixture.until { !fixture.said.isEmpty }
        #expect(
            fixture.said == ["Nothing is shown on a desktop: no notification service is on the session bus"])
        fixture.startService()
        #expect(try fixture.hears(2) == [Self.asked, Self.open()])
    }

    @Test func `a restarted service does not get the same reminders again, and its abilities are asked for again`()
        throws
    {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.startService()
        try fixture.until { fixture.desktop.cards[.task]?.number == nil }
        fixture.give(.stillOpen)
        #expect(try fixture.hears(2) == [Self.asked, Self.stillOpen(replacing: 0)])
    }

    @Test func `a new bus is used after the earlier one has ended`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.stopBus()
        try fixture.until { fixture.desktop.bus == nil }
        fixture.give(.stillOpen)
        #expect(fixture.said == ["Nothing is shown on a desktop: the session bus is gone"])
        fixture.startBus()
        fixture.give(.missed)
        #expect(
            try fixture.hears(3).map { $0.split(separator: "|").first } == [
                "GetUnitFileState daybreak-start.service", "Notify Daybreak replacing 0",
                "Notify Daybreak replacing 0",
            ])
        #expect(fixture.said.count == 1)
    }

    @Test func `a service that does not answer does not stop other notifications`() throws {
        let fixture = try DesktopFixture()
        fixture.service.isDeaf = true
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        fixture.give(.stillOpen)
        fixture.give(.missed)
        #expect(
            try fixture.hears(1).map { $0.split(separator: "|")[1] } == [
                "A task can no longer be done: its days are over."
            ])
    }

    @Test func `turned off, notifications are closed, and new ones are not shown`() throws {
        let fixture = try DesktopFixture()
        fixture.give(.unlocked)
        _ = try fixture.hears(2)
        try fixture.settle()
        fixture.desktop.isOn = false
        #expect(try fixture.hears(1) == ["CloseNotification 1"])
        fixture.give(.stillOpen)
        #expect(fixture.desktop.cards.isEmpty)
        fixture.desktop.isOn = true
        #expect(try fixture.hears(1) == [Self.stillOpen(replacing: 0)])
    }
}

/// A desktop, its bus and its service in one loop, which the test turns; and the current reminders.
private final class DesktopFixture {
    private let bus = SessionBus()
    private let loop: EventLoop
    private(set) var service: NotificationService
    private var opened: Desktop?
    private(set) var said: [String] = []
    private(set) var snoozes = 0
    private var given = 0
    private var current: [Homework.Reminder] = []

    var desktop: Desktop { opened! }

    init(service isThere: Bool = true) throws {
        loop = try EventLoop()
        service = NotificationService(loop, bus.address, names: isThere ? NotificationService.names : [])
        opened = try Desktop(
            loop, open: { [loop, bus] () throws(SystemdError) in try Bus(loop, address: bus.address) },
            snooze: { [unowned self] in snoozes += 1 }, say: { [unowned self] in said.append($0) })
    }

    /// The daemon's messages.
    private static let messages: [Homework.ReminderKind: String] = [
        .unlocked: "A task is open. `daybreak start` begins it.",
        .stillOpen: "Your task is still open. `daybreak start` begins it, or goes on.",
        .missed: "A task can no longer be done: its days are over. `daybreak list --missed` shows which.",
        .providerAvailable: "Your provider is available. `daybreak start` leads to the session.",
    ]

    func give(_ kind: Homework.ReminderKind) {
        given += 1
        let message = Self.messages[kind] ?? "Something was done."
        give(Homework.Reminder(id: "\(given)", kind: kind, at: "2027-03-05T00:00:00Z", message: message))
    }

    func give(_ reminder: Homework.Reminder) {
        current.append(reminder)
        desktop.show(current)
    }

    /// Makes the newest reminder of that kind moot.
    @discardableResult func drop(_ kind: Homework.ReminderKind) -> Homework.Reminder {
        let reminder = current.remove(at: current.lastIndex { $0.kind == kind }!)
        desktop.show(current)
        return reminder
    }

    /// Starts another service in the place of the earlier one.
    func startService() { service = NotificationService(loop, bus.address) }

    func stopBus() { bus.stop() }

    func startBus() {
        bus.start()
        startService()
    }

    /// The service's next calls, as many as `count`.
    func hears(_ count: Int) throws -> [String] {
        try until { service.calls.count >= count }
        return service.take()
    }

    func until(_ condition: () -> Bool) throws {
        while !condition() { try #require(try loop.step(timeoutMicroseconds: patience)) }
    }

    /// Waits until every notification has its number.
    func settle() throws { try until { desktop.cards.values.allSatisfy { !$0.isOnItsWay } } }
}

/// Microseconds, longer than any of these tests takes: only a failing test waits so long.
let patience: UInt64 = 60_000_000

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
