import Foundation
import Glibc
import PracticeInterfaces
import PracticeStore
import StaffInterfaces
import Testing
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// A connection that plays a person of a made-up practice.
final class Voice {
    let client: Client
    private var isPlayed = false

    init(_ path: String, _ person: String) {
        client = Client(to: path)
        client.send(bytes: Call.frame(Upkeep.PlayAs(who: person)))
    }

    /// The next reply that is there. Nil for none, and for one that cannot be read, which is a fault of its call.
    func reply() -> Reply? {
        while let message = client.message() {
            guard isPlayed else {
                isPlayed = true
                continue
            }
            return try? Reply(frame: Array(message.utf8))
        }
        return nil
    }

    func ask<M: Method>(_ method: M) throws -> M.Reply {
        client.send(bytes: Call.frame(method))
        var waits = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if let reply = reply() { return try reply.decode(M.Reply.self) }
            try #require(!client.isCutOff)
            try #require(poll(&waits, 1, Int32(patience / 1_000)) == 1)
        }
    }
}

extension Voice {
    /// Waits until something is heard or the daemon has ended.
    static func wait(for voices: [Voice], or daemon: PracticeProcess) -> Heard {
        var waited = voices.filter { !$0.client.isCutOff }.map {
            pollfd(fd: $0.client.descriptor, events: Int16(POLLIN), revents: 0)
        }
        waited.append(pollfd(fd: daemon.ended, events: Int16(POLLIN), revents: 0))
        guard poll(&waited, nfds_t(waited.count), 30_000) > 0 else { return .nothing }
        return waited[waited.count - 1].revents != 0 ? .end : .something
    }

    enum Heard { case something, end, nothing }
}

extension Clinic {
    /// A clinic whose days are long ago by the clock of the machine that carries out the calls.
    static func longAgo() throws -> Clinic {
        let clinic = try Clinic()
        clinic.clock.advance(by: .seconds(-425 * 86_400))
        return clinic
    }

    /// Ends it, and moves its database, in which anybody can be played, to where a ``PracticeProcess`` looks for it.
    func move(to folder: UnixTestSupport.Folder) throws {
        for name in ["state", "run"] { mkdir(folder[name], 0o700) }
        let store = try writer.storage.store()
        try store.transaction { try store.state(.madeUp, "1") }
        try close()
        try FileManager.default.copyItem(atPath: database, toPath: folder["state"] + "/practice.db")
        must(chmod(folder["state"] + "/practice.db", 0o600))
    }
}
