public import Glibc
public import Varlink

/// A daemon, as its companion's messages describe it.
public struct Daemon: Sendable {
    /// Such as `daybreakd`.
    public let name: String
    /// The companion's own name, such as `daybreak`.
    public let companion: String
    /// The sentence that says how to start the daemon that listens at a path.
    let startAdvice: @Sendable (_ path: String) -> String
    /// The sentence that says how to restart it after an update.
    let restartAdvice: @Sendable (_ path: String) -> String
    /// True if the user at the other end of the socket may be the daemon's, or systemd's on its behalf.
    let trusts: @Sendable (_ peer: uid_t, _ path: String) -> Bool
    /// The end of a sentence: how to find the right daemon if another user listens.
    let distrustAdvice: String
    /// The sentence if the daemon denies this user permission.
    let denial: String
    /// The sentence for an error of the daemon's own interfaces; nil for every other error.
    let sentence: @Sendable (_ error: Reply, _ path: String) -> String?
    /// The description of each parameter's form, by the parameter's name: "a day (2026-11-20)".
    let forms: [String: String]
    /// The daemon's limit for calls of a method, in bytes.
    let longestCall: @Sendable (_ method: String) -> Int
    /// Seconds after which a call of a method is given up, if nothing came; nil for never, and without a word in between.
    public var longestSilence: @Sendable (_ method: String) -> Double?
    /// The sentence that says what to do about a daemon that listens at a path and does not answer.
    let silenceAdvice: @Sendable (_ path: String) -> String

    public init(
        name: String, companion: String, startAdvice: @escaping @Sendable (_ path: String) -> String,
        restartAdvice: @escaping @Sendable (_ path: String) -> String, forms: [String: String],
        longestCall: @escaping @Sendable (_ method: String) -> Int,
        longestSilence: @escaping @Sendable (_ method: String) -> Double? = { _ in nil },
        silenceAdvice: @escaping @Sendable (_ path: String) -> String = { _ in "" },
        trusts: @escaping @Sendable (_ peer: uid_t, _ path: String) -> Bool, distrustAdvice: String, denial: String,
        sentence: @escaping @Sendable (_ error: Reply, _ path: String) -> String?
    ) {
        self.name = name
        self.companion = companion
        self.startAdvice = startAdvice
        self.restartAdvice = restartAdvice
        self.forms = forms
        self.longestCall = longestCall
        self.longestSilence = longestSilence
        self.silenceAdvice = silenceAdvice
        self.trusts = trusts
        self.distrustAdvice = distrustAdvice
        self.denial = denial
        self.sentence = sentence
    }
}
