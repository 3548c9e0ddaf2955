import Bus
import DaybreakInterfaces
import Streams
import Systemd

/// Shows reminders on the client's desktop, by the notification service on the session bus
/// (Desktop Notifications Specification 1.2).
///
/// Each reminder is shown once. A notice takes the place of the one before it, and is closed when its reminder is moot. While
/// there is no bus or no service, a notice waits for one until it is moot.
final class Desktop {
    /// False: no notification is shown, and shown ones are closed.
    var isOn = true {
        didSet { if isOn { show(current) } else { end() } }
    }

    private let open: () throws(SystemdError) -> Bus
    private let snooze: () -> Void
    private let say: (String) -> Void
    private(set) var bus: Bus?
    private var retry: Retry?
    private var service = NotificationService.unknown
    private(set) var cards: [Notice.Place: Card] = [:]
    private var current: [Homework.Reminder] = []
    /// The ids of the reminders that were shown: of each kind the newest.
    private var seen: [Homework.ReminderKind: String] = [:]
    private var hasLoggedFailure = false

    /// The state of one place on the desktop: the wanted notice, and the notification that shows it.
    struct Card {
        /// Nil if the place is to be empty.
        var notice: Notice?
        var isShown = false
        /// `Notify` was called and is not answered yet.
        var isOnItsWay = false
        /// The service's number of the notification.
        var number: UInt32?
    }

    private enum NotificationService {
        case unknown
        case asked
        case known(Notice.Abilities)
    }

    /// - Parameters:
    ///   - open: opens a connection to the session bus.
    ///   - snooze: is called when the client presses the button Snooze.
    ///   - say: writes a line for an administrator.
    init(
        _ loop: EventLoop, open: @escaping () throws(SystemdError) -> Bus, snooze: @escaping () -> Void,
        say: @escaping (String) -> Void
    ) throws(SystemdError) {
        self.open = open
        self.snooze = snooze
        self.say = say
        retry = try Retry(loop) { [unowned self] in if bus == nil { connect() } else { settle() } }
        connect()
    }

    /// Shows the new current reminders, and closes the notifications of reminders that are no longer current.
    /// - Parameter current: the newest last.
    func show(_ current: [Homework.Reminder]) {
        self.current = current
        guard isOn else { return }
        for place in Notice.Place.allCases {
            let reminders = current.filter { Notice.place(of: $0.kind) == place }
            if let last = reminders.last, seen[last.kind] != last.id {
                cards[place, default: Card()].notice = Notice(reminder: last)
                cards[place]?.isShown = false
            } else if let notice = cards[place]?.notice, !reminders.contains(notice.reminder) {
                cards[place]?.notice = nil
            }
            for reminder in reminders { seen[reminder.kind] = reminder.id }
        }
        settle()
    }

    /// Closes every notification.
    func end() {
        for place in cards.keys { cards[place]?.notice = nil }
        settle()
    }

    private func settle() {
        for place in Notice.Place.allCases { settle(place) }
    }

    /// Shows or closes the notification at one place, as its card wants it, if that is possible now.
    private func settle(_ place: Notice.Place) {
        guard let card = cards[place], !card.isOnItsWay else { return }
        if let notice = card.notice {
            if !card.isShown { show(notice, at: place) }
        } else {
            cards[place] = nil
            if let number = card.number { call(Self.notifications("CloseNotification"), [.count(number)]) { _ in } }
        }
    }

    private func show(_ notice: Notice, at place: Notice.Place) {
        switch service {
        case .asked: return
        case .unknown: ask()
        case .known(let abilities):
            cards[place]?.isOnItsWay = true
            let arguments = notice.arguments(replacing: cards[place]?.number ?? 0, abilities)
            call(Self.notifications("Notify"), arguments) { [unowned self] answer in notified(place, notice, answer) }
        }
    }

    private func notified(_ place: Notice.Place, _ notice: Notice, _ answer: Result<BusMessage, BusError>) {
        cards[place]?.isOnItsWay = false
        switch answer {
        case .success(let message):
            cards[place]?.number = message.count()
            // Another notice may have taken its place meanwhile.
            if cards[place]?.notice == notice { cards[place]?.isShown = true }
            hasLoggedFailure = false
            retry?.reset()
            settle(place)
        case .failure(let error): tryAgain(after: error)
        }
    }
}

// The bus and the service on it.
extension Desktop {
    private static let name = "org.freedesktop.Notifications"

    private static func notifications(_ member: String) -> Bus.Method {
        Bus.Method(name, "/org/freedesktop/Notifications", name, member)
    }

    private static func manager(_ member: String) -> Bus.Method {
        let manager = "org.freedesktop.systemd1"
        return Bus.Method(manager, "/org/freedesktop/systemd1", manager + ".Manager", member)
    }

    /// The unit that opens a terminal with `daybreak start`.
    private static let unit = "daybreak-start.service"

    private func connect() {
        do {
            let bus = try open()
            try bus.onEnd { [unowned self] in
                busEnded()
                failed("the session bus is gone")
            }
            try bus.listen(
                """
                type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',\
                member='NameOwnerChanged',arg0='\(Self.name)'
                """
            ) { [unowned self] in ownerChanged($0) }
            let signal = "type='signal',sender='\(Self.name)',interface='\(Self.name)',member="
            try bus.listen(signal + "'NotificationClosed'") { [unowned self] in closed($0) }
            try bus.listen(signal + "'ActionInvoked'") { [unowned self] in chosen($0) }
            self.bus = bus
            settle()
        } catch {
            failed("\(error)")
            retry?.schedule()
        }
    }

    /// Asks for the service's capabilities and for the unit's state. Nothing is shown before both are answered.
    private func ask() {
        guard bus != nil else { return }
        service = .asked
        call(Self.notifications("GetCapabilities")) { [unowned self] answer in
            switch answer {
            case .success(let message): askForStart(Set(message.texts() ?? []))
            case .failure(let error): tryAgain(after: error)
            }
        }
    }

    /// A notice that could not be shown is tried again; if there is no service, once one comes.
    private func tryAgain(after error: BusError) {
        failed(Self.reason(error))
        if !error.isServiceUnknown, bus != nil { retry?.schedule() }
    }

    private func askForStart(_ capabilities: Set<String>) {
        call(Self.manager("GetUnitFileState"), [.text(Self.unit)], autostart: false) { [unowned self] answer in
            let state = if case .success(let message) = answer { message.text() } else { nil as String? }
            let canStart = state != nil && state != "masked" && state != "bad"
            service = .known(Notice.Abilities(service: capabilities, canStart: canStart))
            settle()
        }
    }

    private func call(
        _ method: Bus.Method, _ arguments: [BusValue] = [], autostart: Bool = true,
        _ answered: @escaping (Result<BusMessage, BusError>) -> Void
    ) {
        do {
            try bus?.call(method, arguments, autostart: autostart, answered)
        } catch {
            busEnded()
            failed("\(error)")
        }
    }

    /// The service came, went, or gave way to another one, which does not know the numbers of the one before.
    private func ownerChanged(_ message: BusMessage) {
        _ = message.text()
        _ = message.text()
        let isThere = message.text()?.isEmpty == false
        for place in cards.keys { cards[place]?.number = nil }
        if case .known = service { service = .unknown }
        if isThere { settle() }
    }

    private func busEnded() {
        bus = nil
        service = .unknown
        for place in cards.keys {
            cards[place]?.number = nil
            cards[place]?.isOnItsWay = false
        }
        retry?.schedule()
    }

    private static func reason(_ error: BusError) -> String {
        error.isServiceUnknown ? "no notification service is on the session bus" : "\(error)"
    }

    /// Logs the reason once, until a notice is shown again: without a login at the desktop, every attempt fails.
    private func failed(_ why: String) {
        service = .unknown
        if !hasLoggedFailure { say("Nothing is shown on a desktop: \(why)") }
        hasLoggedFailure = true
    }

    /// The client, or the service by itself, closed a notification.
    private func closed(_ message: BusMessage) {
        guard let place = place(of: message.count()), cards[place]?.isShown == true else { return }
        cards[place] = nil
    }

    private func chosen(_ message: BusMessage) {
        guard place(of: message.count()) != nil, let action = message.text().flatMap(Notice.Action.init) else { return }
        switch action {
        case .snooze: snooze()
        case .start: start()
        }
    }

    private func place(of number: UInt32?) -> Notice.Place? {
        guard let number else { return nil }
        return cards.first { $0.value.number == number }?.key
    }

    /// The service manager opens the terminal: the sandbox of this program executes nothing.
    private func start() {
        call(Self.manager("StartUnit"), [.text(Self.unit), .text("replace")], autostart: false) { [say] answer in
            guard case .failure(let error) = answer else { return }
            say("\(Self.unit) cannot be started: \(error). `daybreak start` in a terminal does the same.")
        }
    }
}
