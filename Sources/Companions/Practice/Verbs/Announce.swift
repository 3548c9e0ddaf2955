internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import Time

struct Announce: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "announce", abstract: "Announce something to everybody, to clients or to staff.",
        discussion: """
            practice announce "Closed on Monday." --until monday
            practice announce --edit b3 "Closed on Tuesday."    (those who dismissed it see it again)
            practice announce --end b3
            """)

    @Argument(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text")) var text: String?
    @Option(help: "everybody, clients or staff (default: everybody).") var to: String?
    @Option(help: ArgumentHelp("The first day, or an instant (default: now).", valueName: "day")) var from: String?
    @Option(help: ArgumentHelp("The last day, or an instant; \"\" for no end.", valueName: "day")) var until: String?
    @Flag(help: "As important.") var important = false
    @Flag(help: "Nobody can take it away before its end.") var fixed = false
    @Option(help: ArgumentHelp("Change that announcement.", valueName: "announcement")) var edit: String?
    @Option(help: ArgumentHelp("End that announcement now.", valueName: "announcement")) var end: String?
    @OptionGroup var daemon: DaemonOptions

    func validate() throws {
        if end != nil, edit != nil { throw ValidationError("Say --edit or --end, not both.") }
        if end != nil, text != nil || to != nil || from != nil || until != nil || important || fixed {
            throw ValidationError("--end only ends an announcement; run it again without --end for another one.")
        }
        if edit != nil, from != nil || to != nil {
            throw ValidationError(
                "--edit changes neither the first day nor those who see it: end the announcement, and make another.")
        }
    }

    func run() throws {
        let connection = try daemon.connection()
        let caller = try CallerInfo(over: connection)
        try caller.demand(.announce)
        if let end {
            return try daemon.ask(Mail.EndBroadcast(broadcast: end), over: connection) { _ in
                "The announcement \(end.shown) is shown no more.\n"
            }
        }
        let words = try text.map { text throws(Failure) in try TextInput.word(text) }
        if let edit { return try change(edit, words, caller, over: connection) }
        guard let words else { throw Failure.misused("Say what is announced.") }
        let to = to ?? "everybody"
        let call = Mail.Announce(
            text: words, to: to, from: from.map(caller.comingDay),
            until: until.flatMap { $0.isEmpty ? nil : caller.comingDay($0) },
            dismissable: fixed ? false : nil, level: important ? "important" : nil, key: CallKey.new())
        try daemon.ask(call, over: connection) { said("Announced to \(to.shown)", $0.broadcast, caller) }
    }

    private func change(
        _ announcement: String, _ words: String?, _ caller: CallerInfo, over connection: DaemonConnection
    ) throws {
        let all = try connection.call(Mail.ListBroadcasts(all: true)).broadcasts
        guard let found = all.first(where: { $0.id == announcement }) else {
            throw Failure.refused(
                Practice.NotFound.name, saying: "There is no announcement “\(announcement.shown)” (any more).")
        }
        let call = Mail.EditBroadcast(
            broadcast: announcement, revision: found.revision ?? 0, text: words,
            until: until.map { $0.isEmpty ? "" : caller.comingDay($0) }, dismissable: fixed ? false : nil,
            level: important ? "important" : nil)
        try daemon.ask(call, over: connection) {
            said("Changed, and shown again to those who dismissed it", $0.broadcast, caller)
        }
    }

    private func said(_ deed: String, _ broadcast: Mail.Broadcast, _ caller: CallerInfo) -> String {
        let end = broadcast.until.map { ", until \(Announcements.end($0, today: caller.today))" } ?? ""
        return "\(deed), as \(broadcast.id.shown)\(end).\n"
    }
}

extension CallerInfo {
    /// A typed day as the interface spells it. A weekday is the next one. Other text stays as it is.
    fileprivate func comingDay(_ text: String) -> String {
        guard let today = CalendarDay(today) else { return text }
        return SpokenDay(text)?.day(today: today, weekdays: .next).description ?? text
    }
}
