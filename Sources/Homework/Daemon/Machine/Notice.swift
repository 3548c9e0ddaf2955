import DaybreakInterfaces
import HomeworkRules
import HomeworkWire
import Systemd
import Time

/// A reminder as a desktop shows it: the journal's text, as discreet.
struct Notice {
    let reminder: Reminder

    /// Where on the desktop: a notice takes the place of the one before it there.
    enum Place: Hashable, CaseIterable {
        /// What is to be done now.
        case task
        /// What can no longer be done.
        case missed
        /// The schedule file.
        case schedule
    }

    /// Nil for what only confirms what somebody just did: nobody needs to be called for that.
    static func place(of kind: Reminder.Kind) -> Place? {
        switch kind {
        case .unlocked, .stillOpen, .overdue, .providerAvailable: .task
        case .missed: .missed
        case .scheduleRefused: .schedule
        case .completed, .scheduleTaken: nil
        }
    }

    /// What the buttons are called on the bus.
    enum Action: String {
        case start, snooze
    }

    /// How long the snooze button quiets reminders.
    static let snooze = Duration.seconds(30 * 60)

    /// What a service that shows notices can do, and what can be begun from here.
    struct Abilities: Equatable {
        /// As `GetCapabilities` names them.
        var service: Set<String> = []
        /// There is a unit to be started that opens the guided way.
        var canStart = false
    }

    /// The arguments of `Notify` (Desktop Notifications Specification 1.2). `replaced`: the number of the one whose place
    /// it takes, or 0.
    func arguments(replacing replaced: UInt32, _ abilities: Abilities) -> [BusValue] {
        let (summary, body) = parts
        return [
            .text("Daybreak"), .count(replaced), .text(""), .text(summary), .text(body),
            .texts(abilities.service.contains("actions") ? actions(abilities) : []),
            .table(hints), .number(expiry(abilities)),
        ]
    }

    /// The first sentence, and the rest.
    private var parts: (summary: String, body: String) {
        let sentence = reminder.sentence
        guard let end = sentence.firstRange(of: ". ") else { return (sentence, "") }
        return (String(sentence[..<end.lowerBound]) + ".", String(sentence[end.upperBound...]))
    }

    private func actions(_ abilities: Abilities) -> [String] {
        let start = abilities.canStart ? [Action.start.rawValue, "Start"] : []
        switch reminder.kind {
        case .unlocked, .stillOpen, .overdue: return start + [Action.snooze.rawValue, "Snooze 30 minutes"]
        case .providerAvailable: return start
        case .completed, .missed, .scheduleTaken, .scheduleRefused: return []
        }
    }

    private var hints: [BusValue.Entry] {
        let urgency: UInt8 = reminder.kind == .missed ? 0 : 1
        let category = reminder.kind == .providerAvailable ? "presence.online" : "x-daybreak.reminder"
        return [
            BusValue.Entry("desktop-entry", .text("daybreak")), BusValue.Entry("urgency", .byte(urgency)),
            BusValue.Entry("category", .text(category)),
        ]
    }

    /// Milliseconds; -1 as the service thinks best. What is to be done stays until it is moot where the service keeps
    /// nothing that it has shown: a reminder that was gone after five seconds reminds nobody who was not looking.
    private func expiry(_ abilities: Abilities) -> Int32 {
        Self.place(of: reminder.kind) == .task && !abilities.service.contains("persistence") ? 0 : -1
    }
}
