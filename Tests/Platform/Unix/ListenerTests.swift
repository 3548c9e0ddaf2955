import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import TestingSupport
import Unix
import UnixTestSupport

@Suite(.hangGuard) struct ListenerTests {
    private let folder = Folder()
    private var path: String { folder["control"] }

    private func failure() -> SocketError? {
        #expect(throws: SocketError.self) { try LocalSocket.listen(at: path) }
    }

    private let answered = "Another program answers there already"

    @Test func `the socket has mode 0600, whatever the umask`() throws {
        let listener = try LocalSocket.listen(at: path)
        defer { close(listener) }
        #expect(mode(of: path) == 0o600)
        #expect(Client(to: path).isCutOff == false)
    }

    @Test func `a socket that a program listens on is left alone`() throws {
        let first = try LocalSocket.listen(at: path)
        defer { close(first) }
        #expect(failure() == SocketError(path: path, reason: answered))
        #expect(Client(to: path).isCutOff == false)
    }

    @Test func `a socket with a full queue of waiting clients is left alone`() throws {
        let first = try LocalSocket.listen(at: path)
        defer { close(first) }
        must(listen(first, 0))
        let waiting = Client(to: path)
        #expect(failure() == SocketError(path: path, reason: answered))
        waiting.leave()
    }

    @Test func `a socket that no program listens on is replaced`() throws {
        must(close(try LocalSocket.listen(at: path)))
        #expect(exists(path))
        let listener = try LocalSocket.listen(at: path)
        defer { close(listener) }
        #expect(Client(to: path).isCutOff == false)
    }

    @Test func `a program leaves the socket of another one that has taken its name`() throws {
        let first = try OwnSocket(at: path)
        defer { close(first.descriptor) }
        must(unlink(path))
        #expect(!first.isReplaced)
        let second = try OwnSocket(at: path)
        defer { close(second.descriptor) }
        #expect(first.isReplaced && !second.isReplaced)
        first.removeName()
        #expect(exists(path))
        second.removeName()
        #expect(!exists(path))
    }

    /// Any account may lock a folder that it can open, as that of a socket for all.
    @Test func `a lock on the folder keeps nobody from listening, and no lock is left`() throws {
        let stranger = open(folder[""], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(stranger) }
        must(flock(stranger, LOCK_EX))
        must(close(try LocalSocket.listen(at: path)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder[""]) == ["control"])
    }

    @Test func `a lock of the socket that others can open is refused`() {
        write("", to: folder[".control.lock"])
        chmod(folder[".control.lock"], 0o666)
        let reason = "The file .control.lock beside it is not this user's alone"
        #expect(failure() == SocketError(path: path, reason: reason))
    }

    private final class Listeners: Sendable {
        let all = Mutex<[Int32]>([])
    }

    /// In threads of their own: a task would wait until the other tests leave it one.
    @Test func `of several programs that start at once, one gets the socket`() {
        let listeners = Listeners()
        for round in 1...(isThorough ? 1_000 : 200) {
            let path = folder["\(round)"]
            let programs = DispatchGroup()
            for _ in 1...4 {
                programs.enter()
                Thread.detachNewThread {
                    // A program that throws was refused.
                    if let listener = try? LocalSocket.listen(at: path) {
                        listeners.all.withLock { $0.append(listener) }
                    }
                    programs.leave()
                }
            }
            programs.wait()
            let heard = listeners.all.withLock { all in
                defer { all = [] }
                return all
            }
            #expect(heard.count == 1)
            for listener in heard { must(close(listener)) }
        }
    }

    @Test func `a link in the folder's place is refused`() {
        must(mkdir(folder["elsewhere"], 0o700))
        must(symlink(folder["elsewhere"], folder["link"]))
        let error = #expect(throws: SocketError.self) { try LocalSocket.listen(at: folder["link/control"]) }
        #expect(error == SocketError(path: folder["link"], reason: "Not a directory"))
        #expect(!exists(folder["elsewhere/control"]))
    }

    /// Runs until the socket was made, and the link was found, some hundreds of times each.
    @Test func `swapping the socket for a link makes and removes nothing elsewhere`() throws {
        for name in ["own", "victim"] { must(mkdir(folder[name], 0o700)) }
        write("precious", to: folder["victim/file"])
        let (place, done) = (folder["own/control"], folder["done"])
        let targets = [folder["victim/file"], folder["victim/new"]]
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var turn = 0
            while !exists(done) {
                unlink(place)
                symlink(targets[turn % 2], place)
                turn += 1
                sched_yield()
            }
            ended.signal()
        }
        var (made, met) = (0, 0)
        while made < 200 || met < 200 {
            do {
                must(close(try LocalSocket.listen(at: place)))
                made += 1
            } catch { met += 1 }
            var seen = stat()
            met += lstat(place, &seen) == 0 && seen.st_mode & S_IFMT == S_IFLNK ? 1 : 0
        }
        write("", to: done)
        ended.wait()
        #expect(text(of: folder["victim/file"]) == "precious")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["victim"]) == ["file"])
    }

    /// Runs until the socket was made, and the link was found, some hundreds of times each.
    @Test(arguments: [[], ["control"]])
    func `swapping the folder for a link makes and removes nothing elsewhere`(there: [String]) throws {
        for name in ["own", "victim"] { must(mkdir(folder[name], 0o700)) }
        for name in there { write("precious", to: folder["victim/\(name)"]) }
        let (place, victim) = (folder["own"], folder["victim"])
        let (aside, done) = (folder["aside"], folder["done"])
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !exists(done) {
                rename(place, aside)
                symlink(victim, place)
                sched_yield()
                unlink(place)
                rename(aside, place)
            }
            ended.signal()
        }
        var (made, met) = (0, 0)
        while made < 300 || met < 300 {
            do {
                must(close(try LocalSocket.listen(at: place + "/control")))
                made += 1
            } catch { met += 1 }
        }
        write("", to: done)
        ended.wait()
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == there)
        for name in there { #expect(text(of: folder["victim/\(name)"]) == "precious") }
    }

    @Test func `a folder in the socket's place is an error`() {
        must(mkdir(path, 0o700))
        #expect(failure() == SocketError(path: path, reason: "Is a directory"))
    }
}
