import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Time
import Varlink
import VarlinkService

/// Answers sshd, which asks for keys at each login. The answer comes from memory, in milliseconds and without the database.
final class KeyResponder {
    private let settings: GateSettings
    /// The command in the lines that sshd gets.
    private let program: String
    private let now: () -> Instant
    /// Reads the keys from the database; nil if it cannot be read.
    private let read: (@escaping (Upkeep.Keys.Reply?) -> Void) -> Void
    private var ring = KeyRing()
    /// The number of unanswered reads of the keys.
    private var readings = 0
    /// Requests that came during a read. They wait for it, so that they see a key that was just added.
    private var waiting: [Request] = []

    init(
        _ settings: GateSettings, socket: String, now: @escaping () -> Instant,
        read: @escaping (@escaping (Upkeep.Keys.Reply?) -> Void) -> Void
    ) {
        (self.settings, self.now, self.read) = (settings, now, read)
        let isUsual = socket == PracticePaths.usualSocket || !GateSettings.isPlain(path: socket)
        program = isUsual ? settings.program : "\(settings.program) --socket \(socket)"
    }

    /// Reads the keys again, because they changed.
    func refresh() {
        readings += 1
        read { [unowned self] keys in
            readings -= 1
            // While the database is unavailable, the known keys stay valid.
            if let keys { ring = KeyRing(keys) }
            guard readings == 0 else { return }
            for request in waiting { reply(to: request) }
            waiting = []
        }
    }

    func answer(_ request: Request) {
        guard request.caller.isOwner || request.caller.account == settings.keysAccount else {
            return request.fail(Practice.NotAllowed(right: Right.openGate.rawValue))
        }
        if readings > 0 { waiting.append(request) } else { reply(to: request) }
    }

    private func reply(to request: Request) {
        do {
            let offered = try request.call.decode(Gate.AuthorizedKeys.self)
            let lines = ring.lines(for: offered.keyType, offered.key, at: now(), program: program)
            request.reply(Gate.AuthorizedKeys.Reply(lines: lines))
        } catch {
            request.fail(error)
        }
    }
}
