import DaybreakInterfaces
import JSON
import Varlink

/// Why a verb did not do what it was asked: what the client is told, and the status the program ends with.
struct Failure: Error, Equatable {
    static let refusedStatus: Int32 = 1
    static let misusedStatus: Int32 = 64
    static let noDaemonStatus: Int32 = 69
    static let ourFaultStatus: Int32 = 70

    let status: Int32
    /// One clear sentence: what, where, what to do next.
    let sentence: String
    /// The same for programs: `{"error": name, "parameters": {…}}`.
    let json: String

    static func noDaemon(at path: String, why: String) -> Failure {
        Failure(status: noDaemonStatus, name: "NoDaemon", saying: Wording.noDaemon(at: path, why: why))
    }

    /// Somebody else's daemon is none of this user's.
    static func notOurs(_ sentence: String) -> Failure {
        Failure(status: noDaemonStatus, name: "NotOurs", saying: sentence)
    }

    static func refused(_ name: String, saying sentence: String) -> Failure {
        Failure(status: refusedStatus, name: name, saying: sentence)
    }

    static func misused(_ sentence: String) -> Failure {
        Failure(status: misusedStatus, name: "Misused", saying: sentence)
    }

    static func ourFault(_ sentence: String) -> Failure {
        Failure(status: ourFaultStatus, name: "NotUnderstood", saying: sentence)
    }

    /// What the daemon's program said when it was run for an answer.
    init(ending status: Int32, saying sentence: String) {
        self.init(status: status, name: "NotDone", saying: sentence)
    }

    private init(status: Int32, name: String, saying sentence: String) {
        let parameters = JSONObject.text(of: ["reason": sentence])
        self.init(status: status, sentence: sentence, name: name, parameters: parameters)
    }

    private init(status: Int32, sentence: String, name: String, parameters: [UInt8]) {
        self.status = status
        self.sentence = sentence
        json = "{\"error\":\"\(name)\",\"parameters\":\(String(decoding: parameters, as: UTF8.self))}"
    }
}

extension Failure {
    /// What an error reply means.
    /// - Parameters:
    ///   - path: where the daemon listens that said so.
    ///   - file: the schedule that was handed over, where one was.
    init(_ reply: Reply, named name: String, at path: String, file: String = "-") {
        let served = DaemonSocket.served(at: path)
        let refusal = Self.refusal(reply, of: served, file: file)
        let sentence = refusal ?? Self.standardError(reply, of: served) ?? Wording.unknownRefusal(name)
        let ours = refusal == nil && name.hasPrefix("org.varlink.service.") && !Self.isAboutWhatWasAsked(reply)
        let misused = reply.decodeError(InvalidParameter.self) != nil
        self.init(
            status: ours ? Self.ourFaultStatus : misused ? Self.misusedStatus : Self.refusedStatus, sentence: sentence,
            name: name,
            parameters: reply.parameters)
    }

    private static func refusal(_ reply: Reply, of served: String?, file: String) -> String? {
        let known: [(Reply) -> String?] = [
            said(Wording.locked), said(Wording.notEligible), said(Wording.nothingEligible),
            said(Wording.alreadyCompleted),
            said(Wording.noSuchAssignment), said(Wording.wrongStage), said(Wording.moodNotOffered),
            said(Wording.notCompleted), said(Wording.cannotAddNote), said(Wording.cannotSnooze),
            said(Wording.invalidPattern),
            said(Wording.patternStands), said { Wording.storageUnavailable($0, of: served) },
            said(Wording.invalidConfiguration),
            said(Wording.cannotRestore),
            said { (_: Homework.NoFlow) in Wording.noFlow },
            said { (_: Homework.NotGuided) in Wording.notGuided },
            said { (_: Homework.ProviderUnavailable) in Wording.providerUnavailable },
            said { (_: Homework.MoodAlreadyLogged) in Wording.moodAlreadyLogged },
            said { (_: Service.RepliesUnread) in Wording.repliesUnread },
            said { (_: Service.CallUnfinished) in Wording.callUnfinished },
            said { (error: Homework.InvalidSchedule) in Wording.invalidSchedule(error, file: file) },
        ]
        return first(of: known, for: reply)
    }

    private static func standardError(_ reply: Reply, of served: String?) -> String? {
        let known: [(Reply) -> String?] = [
            said { (error: InvalidParameter) in Wording.invalidParameter(error.parameter) },
            said { (_: PermissionDenied) in Wording.permissionDenied },
            said { (error: MethodNotFound) in Wording.notSpoken(error.method, by: served) },
            said { (error: InterfaceNotFound) in Wording.notSpoken(error.interface, by: served) },
            said { (error: MethodNotImplemented) in Wording.notSpoken(error.method, by: served) },
        ]
        return first(of: known, for: reply)
    }

    private static func said<E: ErrorReply>(_ say: @escaping (E) -> String) -> (Reply) -> String? {
        { reply in reply.decodeError(E.self).map(say) }
    }

    private static func first(of known: [(Reply) -> String?], for reply: Reply) -> String? {
        for sentence in known { if let said = sentence(reply) { return said } }
        return nil
    }

    private static func isAboutWhatWasAsked(_ reply: Reply) -> Bool {
        reply.decodeError(InvalidParameter.self) != nil || reply.decodeError(PermissionDenied.self) != nil
    }
}
