import Glibc
import Testing

@testable import DaybreakDaemon

@Suite struct ListenerTests {
    private let folder = Folder()
    private var path: String { folder["control"] }

    private func failure() -> PathError? {
        #expect(throws: PathError.self) { try Listener.open(at: path) }
    }

    private let answered = "Another daybreakd answers there already."

    @Test func `the socket is for its user alone, whatever the umask`() throws {
        let listener = try Listener.open(at: path)
        defer { close(listener) }
        #expect(mode(of: path) == 0o600)
        #expect(Client(to: path).isCutOff == false)
    }

    @Test func `a socket at which somebody answers is left alone`() throws {
        let first = try Listener.open(at: path)
        defer { close(first) }
        #expect(failure() == PathError(path: path, reason: answered))
        #expect(Client(to: path).isCutOff == false)
    }

    @Test(.timeLimit(.minutes(1))) func `so is one at which so many wait that there is no more room`() throws {
        let first = try Listener.open(at: path)
        defer { close(first) }
        must(listen(first, 0))
        let waiting = Client(to: path)
        #expect(failure() == PathError(path: path, reason: answered))
        waiting.leave()
    }

    @Test func `a socket at which nobody answers any more is taken over`() throws {
        must(close(try Listener.open(at: path)))
        #expect(exists(path))
        let listener = try Listener.open(at: path)
        defer { close(listener) }
        #expect(Client(to: path).isCutOff == false)
    }

    @Test func `of several that begin at once, one gets the socket`() async {
        for round in 1...1_000 {
            let path = folder["\(round)"]
            let listeners = await withTaskGroup(of: Int32?.self) { group in
                // Whoever throws is refused.
                for _ in 1...4 { group.addTask { try? Listener.open(at: path) } }
                return await group.reduce(into: [Int32]()) { all, next in if let next { all.append(next) } }
            }
            #expect(listeners.count == 1)
            for listener in listeners { must(close(listener)) }
        }
    }

    @Test func `a folder in its place is an error`() {
        must(mkdir(path, 0o700))
        #expect(failure() == PathError(path: path, reason: "Is a directory"))
    }
}
