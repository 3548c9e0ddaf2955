public import Glibc
public import Varlink

/// A daemon as its companion speaks of it.
public struct Daemon: Sendable {
    /// Such as `daybreakd`.
    public let name: String
    /// The companion's own name, such as `daybreak`.
    public let companion: String
    /// How the daemon that listens at a path is started, as a sentence.
    let startAdvice: @Sendable (_ path: String) -> String
    /// How it is restarted after an update, as a sentence.
    let restartAdvice: @Sendable (_ path: String) -> String
    /// Whether the user at the other end of that socket is believed to be the daemon, or systemd on its behalf.
    let trusts: @Sendable (_ peer: uid_t, _ path: String) -> Bool
    /// How the companion is led to the daemon instead, where another user listens: the end of a sentence.
    let distrustAdvice: String
    /// The sentence where the daemon turns this user away.
    let denial: String
    /// The sentence for an error of the daemon's own interfaces; nil for every other error.
    let sentence: @Sendable (_ error: Reply, _ path: String) -> String?
    /// The forms that a parameter takes, by its name: "a day (2026-11-20)".
    let forms: [String: String]
    /// The longest call of a method that the daemon takes, in bytes.
    let longestCall: @Sendable (_ method: String) -> Int

    public init(
        name: String, companion: String, startAdvice: @escaping @Sendable (_ path: String) -> String,
        restartAdvice: @escaping @Sendable (_ path: String) -> String, forms: [String: String],
        longestCall: @escaping @Sendable (_ method: String) -> Int,
        trusts: @escaping @Sendable (_ peer: uid_t, _ path: String) -> Bool, distrustAdvice: String, denial: String,
        sentence: @escaping @Sendable (_ error: Reply, _ path: String) -> String?
    ) {
        self.name = name
        self.companion = companion
        self.startAdvice = startAdvice
        self.restartAdvice = restartAdvice
        self.forms = forms
        self.longestCall = longestCall
        self.trusts = trusts
        self.distrustAdvice = distrustAdvice
        self.denial = denial
        self.sentence = sentence
    }
}
