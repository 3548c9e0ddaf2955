import PracticeInterfaces
import PracticeRules
import Time
import Varlink
import VarlinkService

/// Answers sshd, which asks at each login for the keys: from memory, so that it needs milliseconds and no database.
final class KeyResponder {
    private let settings: GateSettings
    /// What sshd is to run.
    private let program: String
    private let now: () -> Instant
    /// Reads the keys from the database; nil where it cannot be read.
    private let read: (@escaping (Upkeep.Keys.Reply?) -> Void) -> Void
    private var ring = KeyRing()
    /// How many times the keys are being read just now.
    private var readings = 0
    /// They came while the keys were being read: somebody whose key was just added finds it.
    private var waiting: [Request] = []

    init(
        _ settings: GateSettings, socket: String, now: @escaping () -> Instant,
        read: @escaping (@escaping (Upkeep.Keys.Reply?) -> Void) -> Void
    ) {
        (self.settings, self.now, self.read) = (settings, now, read)
        let isUsual = socket == PracticePaths.usualSocket || !GateSettings.isPlain(path: socket)
        program = isUsual ? settings.program : "\(settings.program) --socket \(socket)"
    }

    /// The keys are others than before.
    func refresh() {
        readings += 1
        read { [unowned self] keys in
            readings -= 1
            // While the database is away, the keys that were known go on.
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
