internal import ArgumentParser
import DaybreakInterfaces

struct ProviderVerb: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "provider", abstract: Wording.About.provider)

    enum Presence: String, ExpressibleByArgument, CaseIterable {
        case online, offline
    }

    @Argument(help: ArgumentHelp(Wording.About.presence)) var presence: Presence?
    @Option(help: ArgumentHelp(Wording.About.providerName)) var name: String?
    @Option(name: .customLong("for"), help: ArgumentHelp(Wording.About.forSeconds, valueName: "length"))
    var length: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if let length, Length.seconds(length) == nil { throw ValidationError(Wording.notALength(length)) }
    }

    func run() throws {
        guard let presence else {
            let connection = try daemon.connection()
            let today = try connection.call(Homework.GetStatus()).status.today
            return try daemon.ask(Provider.Presence(), over: connection) {
                Wording.presence($0, today: today) + "\n"
            }
        }
        let online = presence == .online
        let method = Provider.SetPresence(
            online: online, name: try name.map(TextFile.word), forSeconds: length.flatMap(Length.seconds))
        try daemon.ask(method) { _ in Wording.told(online: online) + "\n" }
    }
}

/// A length of time as people write it: `90`, `90s`, `5m`, `1h30m`.
enum Length {
    /// In seconds; nil where the text is no length, or one of more than a day.
    static func seconds(_ text: String) -> Int? {
        if let bare = Int(text) { return (1...86_400).contains(bare) ? bare : nil }
        var total = 0
        var digits = ""
        var units = Substring("hms")
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = units.firstIndex(of: character), let count = Int(digits), count <= 86_400 else {
                return nil
            }
            total += count * (character == "h" ? 3600 : character == "m" ? 60 : 1)
            units = units[units.index(after: unit)...]
            digits = ""
        }
        return digits.isEmpty && (1...86_400).contains(total) ? total : nil
    }
}
