import HomeworkRules
import Systemd
import Time

/// Shows reminders on the client's desktop, where the session bus has a notification service
/// (Desktop Notifications Specification 1.2).
///
/// A notice takes the place of the one before it, is shown once, and is taken away when it is moot. Where there is no
/// bus or no service, it waits for one until it is moot; nobody waits for it.
final class Desktop {
    /// False: nothing is shown, and what was is taken away.
    var isOn = true {
        didSet { if !isOn { withdraw { _ in true } } }
    }

    private let open: () throws(SystemdError) -> Bus
    private let snooze: () -> Void
    private let say: (Host.Severity, String) -> Void
    private(set) var bus: Bus?
    private var service = NotificationService.unknown
    private(set) var cards: [Notice.Place: Card] = [:]
    private var saidWhyNot = false

    /// What is to be seen at one place, and how far that is.
    struct Card {
        /// Nil: nothing is to be seen there any more.
        var notice: Notice?
        var isShown = false
        /// `Notify` was called and is not answered yet.
        var isOnItsWay = false
        /// By which the service knows what is there.
        var number: UInt32?
    }

    private enum NotificationService {
        case unknown
        case asked
        case known(Notice.Abilities)
    }

    /// `snooze`: somebody chose to.
    init(
        open: @escaping () throws(SystemdError) -> Bus, snooze: @escaping () -> Void,
        say: @escaping (Host.Severity, String) -> Void
    ) {
        self.open = open
        self.snooze = snooze
        self.say = say
    }

    /// There is something to be taken away when it is moot.
    var showsSomething: Bool { !cards.isEmpty }

    /// A reminder was given. It is shown with the next `look(at:)`, unless it is moot by then.
    func give(_ reminder: Reminder) {
        guard isOn else { return }
        if reminder.kind == .scheduleTaken { withdraw { $0 == .schedule } }
        guard let place = Notice.place(of: reminder.kind) else { return }
        cards[place, default: Card()].notice = Notice(reminder: reminder)
        cards[place]?.isShown = false
        connect()
    }

    /// Takes away what is moot, and shows what is not shown yet.
    func look(at outlook: Outlook) {
        withdraw { place in cards[place]?.notice.map { outlook.isMoot($0.reminder) } ?? false }
    }

    /// The daemon ends: nobody would hear what is chosen any more.
    func end() { withdraw { _ in true } }

    private func withdraw(where moot: (Notice.Place) -> Bool) {
        for place in Notice.Place.allCases where cards[place] != nil {
            if moot(place) { cards[place]?.notice = nil }
            settle(place)
        }
    }

    /// Brings about at one place what is to be seen there, as far as that is possible now.
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
            call(Self.notifications("Notify"), arguments) { [unowned self] answer in
                notified(place, notice.reminder, answer)
            }
        }
    }

    private func notified(_ place: Notice.Place, _ reminder: Reminder, _ answer: Result<BusMessage, BusError>) {
        cards[place]?.isOnItsWay = false
        switch answer {
        case .success(let message):
            cards[place]?.number = message.count()
            // Another may have been given meanwhile.
            if cards[place]?.notice?.reminder == reminder { cards[place]?.isShown = true }
            saidWhyNot = false
            settle(place)
        case .failure(let error): failed(Self.reason(error))
        }
    }
}

// The bus and the service on it.
extension Desktop {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private static func notifications(_ member: String) -> Bus.Method { Bus.Method(name, path, name, member) }

    /// The service manager, which starts the guided way: nothing may be executed in the daemon's own sandbox.
    private static func manager(_ member: String) -> Bus.Method {
        let manager = "org.freedesktop.systemd1"
        return Bus.Method(manager, "/org/freedesktop/systemd1", manager + ".Manager", member)
    }

    /// The unit that opens a terminal with the guided way.
    private static let unit = "daybreak-start.service"

    /// That unit itself is started, not any by its name: `daybreakd --bus-door` tells them apart by their paths.
    private static let starts = Bus.Method(
        "org.freedesktop.systemd1", "/org/freedesktop/systemd1/unit/daybreak_2dstart_2eservice",
        "org.freedesktop.systemd1.Unit", "Start")

    /// All that is ever called here.
    static let calls =
        ["GetCapabilities", "Notify", "CloseNotification"].map { notifications($0) } + [
            manager("GetUnitFileState"), starts,
        ]

    /// All that is listened to.
    static let signals = [
        BusDoor.Signal(name, "NotificationClosed"), BusDoor.Signal(name, "ActionInvoked"),
        BusDoor.Signal("org.freedesktop.DBus", "NameOwnerChanged"),
    ]

    private func connect() {
        guard bus == nil else { return }
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
        } catch {
            // A machine without a desktop has no bus: nothing to tell of. The next reminder tries again.
        }
    }

    /// What can it do? Without an answer nothing is shown.
    private func ask() {
        guard bus != nil else { return }
        service = .asked
        call(Self.notifications("GetCapabilities")) { [unowned self] answer in
            switch answer {
            case .success(let message): askForStart(Set(message.texts() ?? []))
            case .failure(let error): failed(Self.reason(error))
            }
        }
    }

    private func askForStart(_ capabilities: Set<String>) {
        call(Self.manager("GetUnitFileState"), [.text(Self.unit)], autostart: false) { [unowned self] answer in
            let state = if case .success(let message) = answer { message.text() } else { nil as String? }
            let canStart = state != nil && state != "masked" && state != "bad"
            service = .known(Notice.Abilities(service: capabilities, canStart: canStart))
            withdraw { _ in false }
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

    /// The service came, went, or gave way to another: it knows no numbers of the one before.
    private func ownerChanged(_ message: BusMessage) {
        _ = message.text()
        _ = message.text()
        let isThere = message.text()?.isEmpty == false
        for place in cards.keys { cards[place]?.number = nil }
        if case .known = service { service = .unknown }
        if isThere { withdraw { _ in false } }
    }

    private func busEnded() {
        bus = nil
        service = .unknown
        for place in cards.keys {
            cards[place]?.number = nil
            cards[place]?.isOnItsWay = false
        }
    }

    private static func reason(_ error: BusError) -> String {
        error.isNobodyThere ? "nobody on the session bus shows notifications" : "\(error)"
    }

    /// Said once, until a notice is shown again: where nobody is logged in it would be said all the time.
    private func failed(_ why: String) {
        service = .unknown
        if !saidWhyNot { say(.debug, "Nothing is shown on a desktop: \(why)") }
        saidWhyNot = true
    }

    /// The client, or the service by itself, closed it.
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

    private func start() {
        call(Self.starts, [.text("replace")], autostart: false) { [say] answer in
            guard case .failure(let error) = answer else { return }
            say(.warning, "\(Self.unit) cannot be started: \(error). `daybreak start` in a terminal does the same.")
        }
    }
}
