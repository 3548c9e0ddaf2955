import Files
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Systemd
import Unix

/// The practice on a real machine: its loop, and everything that can wake it.
final class PracticeService {
    private let paths: PracticePaths
    private let isDemo: Bool
    private let loop: EventLoop
    private let server: PracticeServer
    private var status: StatusFileWriter?
    private var nights: NightlyBackups?
    private var tending: Tending?
    private let lock: FileLock
    private let found: DatabasePreparation.Finding
    private var ownSocket: OwnSocket?
    /// A signal has ended the loop.
    private var isEnding = false
    /// The sources of signals. A source that is dropped ends.
    private var sources: [AnyObject] = []

    init(paths: PracticePaths, settings: PracticeSettings) throws {
        self.paths = paths
        isDemo = settings.isDemo
        loop = try EventLoop()
        for folder in [paths.state, paths.runtime] { try Folder.make(folder) }
        lock = try FileLock(
            paths.database + ".lock", refusal: "Another practiced has the database \(paths.database): stop it first")
        var state = ServerState(since: SystemClock.now(), settingsFile: paths.settings)
        let place = StoragePlace(settings, file: paths.database)
        found = try DatabasePreparation.prepare(place, settings)
        switch found {
        case .sound, .copiesOutdated: break
        case .damaged(let reason):
            state.damage = reason
            Log.practiced.report(JournalLine(kind: .storageDamaged, reason: reason))
        case .unreached(let reason):
            state.problem = reason
            Log.practiced.report(JournalLine(kind: .storageUnavailable, reason: reason))
        }
        server = try PracticeServer(
            loop: loop, settings: settings, place: place, socket: paths.socket, state: state,
            now: SystemClock.now,
            steady: SystemClock.steady, say: Log.practiced.say(_:_:), report: Log.practiced.report)
        status = try StatusFileWriter(
            loop, path: paths.statusFile,
            ask: { [unowned server] hear in server.ask(Upkeep.Status()) { if let reply = $0 { hear(reply.health) } } },
            say: Log.practiced.say(_:_:))
        if case .file(let path) = place {
            nights = try NightlyBackups(
                loop, zone: settings.zone, now: SystemClock.now,
                last: { PracticeStorage.lastBackup(PracticeStorage.nights(of: path, settings), at: SystemClock.now()) },
                backUp: { [unowned server] hear in server.ask(Upkeep.BackUpNight(), then: { hear($0 != nil) }) },
                say: Log.practiced.say(_:_:))
        }
        tending = try Tending(
            loop, now: SystemClock.now, tend: { [unowned server] hear in server.ask(Upkeep.Tend(), then: hear) },
            say: Log.practiced.say(_:_:))
        server.onSurveys = { [unowned self] in tending?.wake() }
        server.onBackupFailed = { [unowned self] in nights?.again() }
        server.onChange = { [unowned self] in status?.changed() }
        sources.append(
            try ClockWatch(loop) { [unowned self] in
                nights?.plan()
                tending?.wake()
            })
        for signal in [SIGTERM, SIGINT] { sources.append(try loop.onSignal(signal) { [unowned self] in stop() }) }
    }

    /// Runs until SIGTERM or SIGINT, and returns the exit status.
    func run() throws -> Int32 {
        _ = try loop.enableWatchdog()
        if isDemo, try !fill() {
            server.end()
            return 0
        }
        try listen()
        status?.write()
        // The nightly backup first removes backups that hold an erased record.
        if found == .copiesOutdated { nights?.make() } else { nights?.plan() }
        tending?.wake()
        defer {
            server.end()
            if ownSocket?.isReplaced != true { self.status?.remove() }
            ownSocket?.removeName()
        }
        do { try ServiceManager.ready(status: "Open.") } catch {
            // For want of a descriptor the program ends, and its manager starts it again at once instead of after a vain wait.
            guard !error.isOfShortage else { throw error }
            Log.practiced.say(.warning, "The start cannot be announced: \(error), carrying on")
        }
        return try loop.run()
    }

    /// Fills the made-up practice before the socket opens. A practice that was filled before refuses, and stays as it is.
    /// - Returns: false if a signal ends the daemon meanwhile.
    private func fill() throws -> Bool {
        var isDone = false
        server.ask(Upkeep.Fill(), then: { _ in isDone = true })
        while !isDone, !isEnding { _ = try loop.step(timeoutMicroseconds: nil) }
        return !isEnding
    }

    private func listen() throws {
        let passed = ServiceManager.passedDescriptors().filter(\.isListening)
        for socket in passed { try server.listen(on: socket.descriptor) }
        guard passed.isEmpty else { return }
        let own = try OwnSocket(at: paths.socket, mode: 0o666)
        ownSocket = own
        try server.listen(on: own.descriptor)
    }

    private func stop() {
        isEnding = true
        do {
            try ServiceManager.stopping()
        } catch {
            Log.practiced.say(.warning, "The end cannot be announced: \(error), carrying on")
        }
        loop.exit(0)
    }
}
