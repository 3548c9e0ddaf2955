import HomeworkRules
import Time

@testable import HomeworkDaemon

/// `daybreak.toml`.
enum ConfigurationFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let read: Configuration
        do { read = try Configuration.read(text, file: "daybreak.toml") } catch {
            let isKnown = error.line.map { isPlace(line: $0, column: nil, in: Array(text.utf8)) } ?? false
            try promise("\(error) is a place", isKnown)
            return try promise("\(error) is fit for the journal", isLine(error.reason))
        }
        let (settings, provider) = (read.settings, read.provider)
        let minutes = settings.reminderMinutes
        try promise("the day begins by six", (0...360).contains(read.dayStartsAt))
        try promise("the grace has its bound", (0...Settings.graceLimit).contains(settings.graceDays))
        try promise("a day reminds at most 24 times", minutes.count <= 24)
        try promise("reminders are of one day", minutes.allSatisfy { (0..<1_440).contains($0 - read.dayStartsAt) })
        try promise("reminders ascend", zip(minutes, minutes.dropFirst()).allSatisfy { $0 < $1 })
        try promise("a breath is one", (.seconds(2)...(.seconds(60))).contains(settings.pattern.cycle))
        try promise("a word holds a day at most", (.seconds(1)...Presence.longest).contains(provider.holdFor))
        try promise("the played one comes", (.zero...(.seconds(3_600))).contains(provider.simulateAfter))
        try promise("a name is a line", provider.name.map(isLine) ?? true)
        try promise("a link is a line", provider.link.map(isLine) ?? true)
    }
}
