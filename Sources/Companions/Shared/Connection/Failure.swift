import JSON
public import Varlink

/// The reason why a verb failed: the sentence for the person, and the program's exit status.
public struct Failure: Error, Equatable, Sendable {
    public static let refusedStatus: Int32 = 1
    public static let misusedStatus: Int32 = 64
    public static let noDaemonStatus: Int32 = 69
    public static let ourFaultStatus: Int32 = 70
    static let noDaemonName = "NoDaemon"
    public static let noAnswerName = "NoAnswer"

    public let status: Int32
    /// Names the kind of failure for programs: the error's full name, or a word of the companion's own.
    public let name: String
    /// Names the fault, its place and the next step.
    public let sentence: String
    private let parameters: [UInt8]

    /// The failure for programs: `{"error": name, "parameters": {…}}`.
    public var json: String {
        let name = String(decoding: JSONObject.text(of: ["error": name.shown]), as: UTF8.self)
        return "\(name.dropLast()),\"parameters\":\(String(decoding: parameters, as: UTF8.self))}"
    }

    private init(status: Int32, name: String, sentence: String, parameters: [UInt8]) {
        self.status = status
        self.name = name
        self.sentence = sentence
        self.parameters = parameters
    }

    private init(status: Int32, name: String, saying sentence: String) {
        let parameters = JSONObject.text(of: ["reason": sentence])
        self.init(status: status, name: name, sentence: sentence, parameters: parameters)
    }

    public static func noDaemon(_ daemon: Daemon, at path: String, why: String) -> Failure {
        let sentence = "\(daemon.name) cannot be reached at \(path.shown): \(why).\n\(daemon.startAdvice(path))"
        return Failure(status: noDaemonStatus, name: noDaemonName, saying: sentence)
    }

    /// The daemon had the whole call and hung up: it may have carried it out.
    static func inDoubt(_ daemon: Daemon, at path: String) -> Failure {
        Failure(
            status: noDaemonStatus, name: "InDoubt",
            saying: "\(daemon.name) hung up at \(path.shown) before it answered.\n\(doubt)\n\(daemon.startAdvice(path))"
        )
    }

    private static let doubt = "A change may be made all the same: look before you repeat it."

    /// True if the daemon may have carried out the call, or may still do so.
    public var isInDoubt: Bool { status == Self.noDaemonStatus && name != Self.noDaemonName }

    /// The call may still be carried out.
    static func noAnswer(_ daemon: Daemon, at path: String, within seconds: Double) -> Failure {
        let length = Wording.counted(Int(seconds), "second")
        return Failure(
            status: noDaemonStatus, name: noAnswerName,
            saying: (path.hasPrefix("/") ? "\(daemon.name) listens at \(path.shown), and" : path.shown)
                + " has not answered for \(length).\n\(doubt)\n" + daemon.silenceAdvice(path))
    }

    /// The daemon, or the folder of its socket, belongs to another user.
    public static func notOurs(_ path: String, advice: String) -> Failure {
        Failure(
            status: noDaemonStatus, name: "NotOurs",
            saying: "\(path.shown) belongs to someone else, so it is not used; \(advice).")
    }

    public static func refused(_ name: String, saying sentence: String) -> Failure {
        Failure(status: refusedStatus, name: name, saying: sentence)
    }

    /// A refusal without asking the daemon, with the error's name and parameters as the daemon would send them.
    public init(refused error: some ErrorReply, saying sentence: String) {
        self.init(
            status: Self.refusedStatus, name: type(of: error).name, sentence: sentence,
            parameters: JSONObject.text(of: error))
    }

    public static func misused(_ sentence: String) -> Failure {
        Failure(status: misusedStatus, name: "Misused", saying: sentence)
    }

    public static func notUnderstood(_ what: String, from daemon: Daemon) -> Failure {
        Failure(
            status: ourFaultStatus, name: "NotUnderstood",
            saying: "\(daemon.name) answered in a way that \(daemon.companion) does not understand (\(what.shown)); "
                + "they may be of different versions.")
    }

    /// The same failure, with one more sentence, on a line of its own.
    public func adding(_ more: String) -> Failure {
        Failure(status: status, name: name, sentence: "\(sentence)\n\(more)", parameters: parameters)
    }

    /// The same failure, with words before its sentence.
    public func after(_ words: String) -> Failure {
        Failure(status: status, name: name, sentence: words + sentence, parameters: parameters)
    }

    /// A program that was run for its answer ended with `status` and said `sentence` on its standard error.
    init(ending status: Int32, saying sentence: String) {
        self.init(status: status, name: status == Self.misusedStatus ? "Misused" : "NotDone", saying: sentence)
    }
}

// Error replies.
extension Failure {
    /// A refusal by the daemon's rules, in a sentence of the verb's own.
    public init(refusal reply: Reply, saying sentence: String) {
        self.init(
            status: Self.refusedStatus, name: reply.error ?? "", sentence: sentence, parameters: reply.parameters)
    }

    /// An error reply of `daemon`, which listens at `path`.
    public init(_ reply: Reply, from daemon: Daemon, at path: String) {
        let name = reply.error ?? ""
        if let sentence = daemon.sentence(reply, path) {
            self.init(refusal: reply, saying: sentence)
        } else if let error = reply.decodeError(InvalidParameter.self) {
            self.init(
                status: Self.misusedStatus, name: name, sentence: Self.invalidParameter(error.parameter, daemon),
                parameters: reply.parameters)
        } else if reply.decodeError(PermissionDenied.self) != nil {
            self.init(refusal: reply, saying: daemon.denial)
        } else if name.hasPrefix("org.varlink.service.") {
            self.init(
                status: Self.ourFaultStatus, name: name, sentence: Self.unknownCall(reply, daemon, at: path),
                parameters: reply.parameters)
        } else {
            self.init(refusal: reply, saying: "\(daemon.name) refused this: \(name.shown).")
        }
    }

    private static func invalidParameter(_ parameter: String, _ daemon: Daemon) -> String {
        let refused = "\(daemon.name) cannot make sense of what was given for “\(parameter.shown)”"
        guard let forms = daemon.forms[parameter] else {
            return "\(refused); `\(daemon.companion) help` and the verb say its form."
        }
        return "\(refused); write \(forms)."
    }

    private static func unknownCall(_ reply: Reply, _ daemon: Daemon, at path: String) -> String {
        let called =
            reply.decodeError(MethodNotFound.self)?.method ?? reply.decodeError(InterfaceNotFound.self)?.interface
            ?? reply.decodeError(MethodNotImplemented.self)?.method
        guard let called else { return "\(daemon.name) refused this: \((reply.error ?? "").shown)." }
        return "\(daemon.name) does not know what was asked (\(called.shown)); "
            + "\(daemon.companion) and \(daemon.name) may be of different versions. \(daemon.restartAdvice(path))"
    }
}
