import Files
import Glibc
import PracticeInterfaces
import PracticeStore
import Systemd
import Unix

/// The practice on a real machine: its loop, and everything that can wake it.
final class PracticeService {
    private let paths: PracticePaths
    private let loop: EventLoop
    private let server: PracticeServer
    private var status: StatusKeeper?
    private var ownSocket: Int32?
    /// Kept for as long as they are to be heard.
    private var sources: [AnyObject] = []

    init(paths: PracticePaths, settings: PracticeSettings) throws {
        self.paths = paths
        loop = try EventLoop()
        for folder in [paths.state, paths.runtime] { try Folder.make(folder) }
        try Self.prepare(paths.database, settings)
        server = try PracticeServer(
            loop: loop, settings: settings, database: paths.database, now: SystemClock.now,
            steady: SystemClock.steady, say: Log.practiced.say(_:_:))
        status = try StatusKeeper(
            loop, path: paths.statusFile,
            ask: { [unowned server] hear in server.ask(Upkeep.Status()) { hear($0.health) } },
            say: Log.practiced.say(_:_:))
        server.onChange = { [unowned self] in status?.changed() }
        for signal in [SIGTERM, SIGINT] { sources.append(try loop.onSignal(signal) { [unowned self] in stop() }) }
        try listen()
    }

    /// Makes the database, or brings it up to date, before anybody is let in.
    private static func prepare(_ path: String, _ settings: PracticeSettings) throws {
        if try !File.exists(path) { _ = try NewFile(at: path) }
        let store = try Store(path, collation: Collation(locale: settings.locale))
        try store.close()
    }

    /// Until SIGTERM or SIGINT; the exit status.
    func run() throws -> Int32 {
        _ = try loop.enableWatchdog()
        status?.write()
        try ServiceManager.ready(status: "Open.")
        let status = try loop.run()
        server.end()
        self.status?.remove()
        if ownSocket != nil { unlink(paths.socket) }
        return status
    }

    private func listen() throws {
        let passed = ServiceManager.passedDescriptors().filter(\.isListening)
        for socket in passed { try server.listen(on: socket.descriptor) }
        guard passed.isEmpty else { return }
        let own = try LocalSocket.listen(at: paths.socket, mode: 0o666)
        ownSocket = own
        try server.listen(on: own)
    }

    private func stop() {
        do {
            try ServiceManager.stopping()
        } catch {
            Log.practiced.say(.warning, "The end cannot be announced: \(error), carrying on")
        }
        loop.exit(0)
    }
}
