import CMemory
import Files
import Glibc
import PracticeInterfaces
import Varlink
import VarlinkClient

/// `practice-gate` from its arguments to its exit status: sshd runs it before and after a login.
///
/// `keys` is sshd's AuthorizedKeysCommand (man 5 sshd_config), `enter` and `redeem` are the forced commands of the lines
/// that it prints. A login reaches these commands and nothing else.
public enum GateProgram {
    static let usage = """
        usage: practice-gate [--socket PATH] keys TYPE KEY
               practice-gate [--socket PATH] enter FINGERPRINT
               practice-gate [--socket PATH] redeem TYPE KEY

        The way into a practice over SSH. sshd runs it: `keys` prints the lines of an authorized_keys
        file for an offered key, `enter` carries a client's calls to practiced, `redeem` reads the word
        of an invitation from standard input.

        """

    /// 0 done, 1 refused, 64 wrong arguments, 69 no daemon. `keys` always ends with 0: with any other status, sshd ignores
    /// the printed lines.
    public static func main(_ arguments: [String]) -> Int32 {
        ProgramStart.prepare()
        var words = Array(arguments.dropFirst())
        var socket = "/run/practice/control"
        if words.first == "--socket", words.count > 1 {
            socket = words[1]
            words.removeFirst(2)
        }
        let gateway = Gateway(socket: socket)
        switch (words.first, words.count) {
        case ("keys", 3): return gateway.keys(type: words[1], key: words[2])
        case ("enter", 2): return gateway.enter(fingerprint: words[1], Login.ofEnvironment())
        case ("redeem", 3): return gateway.redeem(type: words[1], key: words[2], Login.ofEnvironment())
        case ("--help", 1), ("-h", 1):
            return StandardStreams.print(Array(usage.utf8))
        default:
            complain(usage)
            return 64
        }
    }

    static func complain(_ text: String) {
        let bytes = Array(text.utf8)
        // A failure is ignored, because there is no other place for the message.
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// sshd's facts about a login.
struct Login {
    /// The address of the other machine.
    let address: String
    /// The command that the client asked for; empty for a shell. It is never run.
    let wanted: String

    /// Reads the facts from the environment, and clears the environment, because the client can set some of its variables.
    static func ofEnvironment() -> Login {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        let login = Login(
            address: String(variable("SSH_CONNECTION").prefix { $0 != " " }), wanted: variable("SSH_ORIGINAL_COMMAND"))
        clearenv()
        return login
    }

    /// True if the client's program speaks Varlink: Daybreak's own, or `varlinkctl` (man 1 varlinkctl, `ssh-exec:`).
    var wantsVarlink: Bool { wanted == "varlink" || wanted.hasPrefix("env SYSTEMD_VARLINK_LISTEN=- ") }
}

/// The gate's conversation with practiced.
struct Gateway {
    let socket: String

    /// The seconds in which `keys` must answer. sshd itself sets no limit, and the login waits.
    private static let patience: UInt32 = 3
    /// The seconds in which the word of an invitation must arrive.
    private static let wordPatience: UInt32 = 60

    func keys(type: String, key: String) -> Int32 {
        signal(SIGALRM) { _ in _exit(0) }
        alarm(Self.patience)
        do {
            let reply = try connection().reply(to: Gate.AuthorizedKeys(keyType: type, key: key))
            for line in try reply.decode(Gate.AuthorizedKeys.Reply.self).lines { print(line) }
        } catch {
            // Without lines, sshd refuses the login.
        }
        return 0
    }

    func enter(fingerprint: String, _ login: Login) -> Int32 {
        guard login.wantsVarlink else {
            GateProgram.complain(
                login.wanted.isEmpty
                    ? "This is the door of a practice, for Daybreak's programs. There is no shell here: use `practice --at` or `daybreak`.\n"
                    : "Nothing is run here but Daybreak's own: use `practice --at` or `daybreak`.\n")
            return 1
        }
        do {
            let connection = try connection()
            let reply = try connection.reply(to: Gate.Enter(fingerprint: fingerprint, through: login.address))
            if let error = reply.error { return refused(error) }
            // A link holds for weeks, and needs almost none of the memory of its beginning.
            cmemory_release_code()
            Bridge(connection.descriptor).carry()
            return 0
        } catch { return noDaemon() }
    }

    /// Reads the word, and prints practiced's answer as a line of JSON.
    func redeem(type: String, key: String, _ login: Login) -> Int32 {
        guard login.wanted == "redeem" else {
            GateProgram.complain("This key is nobody's yet. With the word of an invitation: `daybreak link set-up`.\n")
            return 1
        }
        alarm(Self.wordPatience)
        guard let word = Self.line(atMost: 200) else { return refused(Gate.InvitationOver.name) }
        alarm(0)
        do {
            let reply = try connection().reply(
                to: Gate.Redeem(fingerprint: "", publicKey: "\(type) \(key)", invitation: word, through: login.address))
            if let error = reply.error { return refused(error) }
            print(String(decoding: reply.parameters, as: UTF8.self))
            return 0
        } catch { return noDaemon() }
    }

    /// A line of standard input; nil if it is longer. No more than that is read: anybody may send it.
    private static func line(atMost limit: Int) -> String? {
        var (bytes, byte): ([UInt8], UInt8) = ([], 0)
        while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            guard bytes.count < limit else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func connection() throws -> ClientConnection {
        ClientConnection(try Transport.socket(at: socket), longestReply: 64 * 1_024)
    }

    private func noDaemon() -> Int32 {
        GateProgram.complain("The practice is closed at the moment: its daemon does not answer.\n")
        return 69
    }

    private func refused(_ error: String) -> Int32 {
        let sentence =
            switch error {
            case Gate.UnknownKey.name: "This key opens nothing any more."
            case Gate.InvitationOver.name:
                "There is no such invitation: it was used, has expired, or the word has a slip. Ask the practice for another."
            case Practice.StorageUnavailable.name:
                "The practice cannot look anything up at the moment: try again later."
            case Practice.TooManyToday.name:
                "Too many wrong words came from this address today: try again tomorrow, or from elsewhere."
            default: "The practice refuses: \(error)."
            }
        GateProgram.complain(sentence + "\n")
        return 1
    }
}
