internal import ArgumentParser
import Companion
import PracticeInterfaces

struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "watch", abstract: "Print news that concern me, until Ctrl-C.")

    @Option(
        help: ArgumentHelp("Begin after this cursor, the last one that an earlier watch printed.", valueName: "cursor"))
    var since: String?
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let today = try CallerInfo(over: connection).today
        try daemon.follow(Practice.Watch(since: since), over: connection) { news in
            Self.sentence(news, today: today) + "\n"
        }
    }

    static func sentence(_ news: Practice.Watch.Reply, today: String) -> String {
        let what = news.what.map { ": \($0.shown)" } ?? ""
        let said =
            switch news.kind {
            case "watching": "Watching."
            case "record": "A record changed\(what)."
            case "session": "A session was recorded or amended\(what)."
            case "homework": "Homework came back, or what a client shares changed\(what)."
            case "waiting": "A client came to the wait room, or left it\(what)."
            case "urgent": "An urgent letter came\(what). `practice mail` reads it."
            case "chat" where news.unread != nil:
                "\(Wording.counted(news.unread ?? 0, "new message")): `practice chat` shows \(news.unread == 1 ? "it" : "them")."
            default: "\(Wording.capitalised(news.kind.shown))\(what)."
            }
        return "\(Wording.clock(news.at, today: today))  \(said)  (\(news.cursor.shown))"
    }
}
