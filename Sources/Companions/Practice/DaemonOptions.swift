internal import ArgumentParser
import Companion
import Messages
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time
import Varlink

/// The options of every verb that speaks to practiced.
struct DaemonOptions: ConnectionOptions {
    @Flag(help: "Print what practiced answers, as one line of JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "The control socket to speak to (default: PRACTICE_SOCKET, else that of this machine's practice).",
            valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "A practice elsewhere, through ssh, such as practice@clinic.example (default: PRACTICE_AT, else `at` in "
                + "~/.config/practice/companion.toml).", valueName: "account@machine"))
    var at: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("In a made-up practice: play this person.", valueName: "name"))
    var who: String?

    var path: String {
        PracticeSocket.path(explicit: socket, environment: Environment.variables, isPlay: who != nil)
    }

    /// The account and machine of a practice elsewhere; nil for one on this machine. A named socket comes before PRACTICE_AT
    /// and the settings.
    private var place: String? {
        get throws(Failure) {
            let variables = Environment.variables
            let hasSocket = socket != nil || variables["PRACTICE_SOCKET"]?.isEmpty == false
            if at != nil, socket != nil { throw .misused("--at and --socket name two practices: choose one.") }
            return hasSocket && at == nil ? nil : try RemotePractice.place(at, variables)
        }
    }

    func connection() throws -> DaemonConnection {
        let connection =
            try place.map { place throws(Failure) in
                try DaemonConnection(through: RemotePractice.command(place), at: place, of: .practiced)
            } ?? DaemonConnection(to: path)
        if let who {
            let play = { (connection: DaemonConnection) throws(Failure) in
                _ = try connection.call(Upkeep.PlayAs(who: who))
            }
            try play(connection)
            connection.onRenewal = play
        }
        return connection
    }
}

extension DaemonOptions: PracticeOptions {
    static let companion = "practice"

    func practice() throws -> DaemonConnection { try connection() }
}

/// The caller and the practice, as `WhoAmI` reports them.
struct CallerInfo {
    let reply: Practice.WhoAmI.Reply

    init(reply: Practice.WhoAmI.Reply) { self.reply = reply }

    init(over connection: DaemonConnection) throws(Failure) { reply = try connection.call(Practice.WhoAmI()) }

    var currency: Currency { Currency(reply.currency) }
    /// The practice's word for a thanatologist.
    var therapist: String { reply.therapist?.shown ?? "thanatologist" }
    /// The day in the practice's zone.
    var today: String { reply.today }
    /// A typed day (`yesterday`, `monday`) as the interface spells it. A weekday is the last one.
    func day(_ text: String) -> String { CalendarDay(today).map { text.day(before: $0) } ?? text }
    func may(_ right: Right) -> Bool { reply.rights.contains(right.rawValue) }
}

extension CallerInfo {
    /// Throws without the right, so that a verb refuses before it asks for the fields of a form.
    func demand(_ right: Right) throws(Failure) {
        guard may(right) else { throw .refused(Practice.NotAllowed.name, saying: Refusal.notAllowed(right.rawValue)) }
    }
}
