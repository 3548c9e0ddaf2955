import Foundation
import Glibc
import Synchronization
import Testing
import UnixTestSupport

/// A line between a daemon and a server of PostgreSQL that can be cut: nothing comes through any more, and nobody is told so.
final class CutLine: Sendable {
    /// With the socket at which the server seems to be.
    nonisolated(unsafe) let folder = UnixTestSupport.Folder()
    private let server: String
    private let listening: Int32
    private let state = Mutex(State.whole)

    private enum State { case whole, cut, ended }

    /// - Parameter server: the folder of the server's socket.
    init(to server: String) throws {
        self.server = server
        listening = try PracticeProcess.listeningSocket(folder[Self.name])
        Thread.detachNewThread { [self] in carry() }
    }

    private static let name = ".s.PGSQL.5432"

    var isCut: Bool {
        get { state.withLock { $0 == .cut } }
        set { state.withLock { $0 = newValue ? .cut : .whole } }
    }

    func end() { state.withLock { $0 = .ended } }

    private func carry() {
        var pairs: [(Int32, Int32)] = []
        while true {
            switch state.withLock({ $0 }) {
            case .whole: carryOnce(&pairs)
            case .cut: usleep(20_000)
            case .ended:
                for pair in pairs + [(listening, -1)] { for end in [pair.0, pair.1] where end >= 0 { close(end) } }
                return
            }
        }
    }

    private func carryOnce(_ pairs: inout [(Int32, Int32)]) {
        var ends = ([listening] + pairs.flatMap { [$0.0, $0.1] }).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&ends, nfds_t(ends.count), 50) > 0 else { return }
        let ready = Set(ends.filter { $0.revents != 0 }.map(\.fd))
        pairs.removeAll { one, other in
            let isOpen = [(one, other), (other, one)].allSatisfy { !ready.contains($0) || Self.pass(from: $0, to: $1) }
            if !isOpen { for end in [one, other] { close(end) } }
            return !isOpen
        }
        guard ready.contains(listening) else { return }
        let (near, far) = (accept(listening, nil, nil), socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        guard withAddress("\(server)/\(Self.name)", { connect(far, $0, $1) }) == 0 else {
            for end in [near, far] { close(end) }
            return
        }
        pairs.append((near, far))
    }

    /// False at the end of a connection.
    private static func pass(from one: Int32, to other: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64 * 1_024)
        let count = read(one, &bytes, bytes.count)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let more = bytes[sent..<count].withUnsafeBytes {
                send(other, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            sent += more
        }
        return true
    }
}
