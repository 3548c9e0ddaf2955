import Foundation
import Glibc
import Testing
import TestingSupport
import UnixTestSupport

@testable import PracticeDaemon

/// The real `practice-gate`, between a client that reads nothing and a daemon that hangs up.
@Suite(.hangGuard) struct BridgeTests {
    private static let program = URL(filePath: PracticeProcess.program).deletingLastPathComponent()
        .appending(path: "practice-gate").path()

    @Test func `a client that leaves replies unread uses no processor time once practiced has hung up`() throws {
        let folder = UnixTestSupport.Folder()
        let listening = try PracticeProcess.listeningSocket(folder["control"])
        defer { close(listening) }
        let (calls, replies) = (newPipe(), newPipe())
        let gate = try start(
            ["--socket", folder["control"], "enter", "SHA256:none"], "varlink", input: calls.out, output: replies.in)
        try #require(isReadable(listening))
        let practiced = accept(listening, nil, nil)
        var byte: UInt8 = 1
        while byte != 0, recv(practiced, &byte, 1, 0) == 1 {}
        let said = Array(#"{"parameters":{"person":"p1"}}"#.utf8) + [0] + [UInt8](repeating: 32, count: 150_000)
        #expect(send(practiced, said, said.count, Int32(MSG_NOSIGNAL)) == said.count)
        close(practiced)

        // The gate sleeps before the reply as well.
        try #require(isReadable(replies.out))
        // A process that polls without a pause is in the state R.
        var (asleep, looks) = (0, 0)
        while asleep < 100, looks < 100_000 {
            asleep = state(of: gate) == "S" ? asleep + 1 : 0
            looks += 1
        }
        #expect(asleep == 100)
        var waiting: Int32 = 0
        must(ioctl(replies.out, UInt(FIONREAD), &waiting))
        #expect(waiting > Self.pipeBytes / 2 && waiting < said.count)
        for end in [calls.in, replies.out] { close(end) }
        var status: Int32 = 0
        while waitpid(gate, &status, 0) < 0, errno == EINTR {}
        #expect(status == 0)
    }

    @Test func `a word without end is not read`() throws {
        let folder = UnixTestSupport.Folder()
        let (words, answers) = (newPipe(), newPipe())
        let gate = try start(
            ["--socket", folder["control"], "redeem", "ssh-ed25519", "AAAA"], "redeem", input: words.out,
            output: answers.in)
        // The pipe stays open: the gate must not wait for more.
        let flood = [UInt8](repeating: UInt8(ascii: "A"), count: Int(Self.pipeBytes))
        #expect(write(words.in, flood, flood.count) == flood.count)
        var status: Int32 = 0
        while waitpid(gate, &status, 0) < 0, errno == EINTR {}
        #expect(status == 1 << 8)
        for end in [words.in, answers.out] { close(end) }
    }

    /// The capacity of a pipe (man 7 pipe). A pipe is full with fewer bytes if a write ended within a page.
    private static let pipeBytes: Int32 = 65_536

    /// Waits until there is something to read, or to accept; false if nothing comes.
    private func isReadable(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, Int32(patience / 1_000)) == 1
    }

    private func newPipe() -> (out: Int32, in: Int32) {
        var ends: [Int32] = [-1, -1]
        must(pipe(&ends))
        for end in ends { must(fcntl(end, F_SETFD, FD_CLOEXEC)) }
        return (ends[0], ends[1])
    }

    private func start(_ options: [String], _ command: String, input: Int32, output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        closeOthers(in: &actions, from: 3)
        let (arguments, environment) = (
            [Self.program] + options, ["SSH_ORIGINAL_COMMAND=\(command)", "LLVM_PROFILE_FILE=/dev/null"]
        )
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        try #require(posix_spawn(&process, Self.program, &actions, nil, words, variables) == 0)
        for end in [input, output] { close(end) }
        return process
    }

    /// The process's state in the kernel's letters (man 5 proc, `stat`): S sleeps, R runs or is ready to.
    private func state(of process: pid_t) -> Character? {
        let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return line.split(separator: ")").last?.first { $0 != " " }
    }
}
