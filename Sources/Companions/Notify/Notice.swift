import Bus
import DaybreakInterfaces
import Text

/// A reminder as a desktop shows it, in the journal's discreet words (Desktop Notifications Specification 1.2).
struct Notice: Equatable {
    let reminder: Homework.Reminder

    /// A place on the desktop. A notice takes the place of the one before it there.
    enum Place: Hashable, CaseIterable {
        case task, missed, schedule, mail, chat, survey, broadcast
    }

    /// Nil for a reminder that only confirms the client's last step: it stays in the journal.
    static func place(of kind: Homework.ReminderKind) -> Place? {
        switch kind {
        case .unlocked, .stillOpen, .overdue, .providerAvailable: .task
        case .missed: .missed
        case .scheduleRefused: .schedule
        case .mail: .mail
        case .chat: .chat
        case .survey: .survey
        case .broadcast: .broadcast
        case .completed, .scheduleTaken: nil
        }
    }

    /// The buttons, by their names on the bus.
    enum Action: String {
        case start, snooze
    }

    /// How long the button Snooze mutes reminders, as the method `Snooze` takes it and as the button says it.
    static let snooze = (length: "30m", label: "Snooze 30 minutes")

    /// The abilities of the notification service and of the button Start.
    struct Abilities: Equatable {
        /// As `GetCapabilities` names them.
        var service: Set<String> = []
        var canStart = false
    }

    /// The arguments of `Notify`. `replaced`: the number of the notification whose place it takes, or 0.
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
        let sentence = reminder.message
        guard let end = sentence.firstPlace(of: ". ") else { return (sentence, "") }
        return (String(sentence[..<end.lowerBound]) + ".", String(sentence[end.upperBound...]))
    }

    private func actions(_ abilities: Abilities) -> [String] {
        let start = abilities.canStart ? [Action.start.rawValue, "Start"] : []
        switch reminder.kind {
        case .unlocked, .stillOpen, .overdue: return start + [Action.snooze.rawValue, Self.snooze.label]
        case .providerAvailable: return start
        case .completed, .missed, .scheduleTaken, .scheduleRefused, .mail, .chat, .survey, .broadcast: return []
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

    /// In milliseconds; -1: the service decides; 0: never. A notice about the task never expires if the service keeps no list
    /// of past notifications, because a client who looks away for five seconds would miss it.
    private func expiry(_ abilities: Abilities) -> Int32 {
        Self.place(of: reminder.kind) == .task && !abilities.service.contains("persistence") ? 0 : -1
    }
}
