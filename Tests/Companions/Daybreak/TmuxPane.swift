import Foundation
import Glibc
import TestSupport
import Testing

/// A real terminal of tmux with one pane, in which a program runs, and the scripted daemon that the program talks to.
final class TmuxPane {
    private let folder: String
    private var control = pid_t()
    /// The conversation with tmux: the test's orders and tmux's news.
    private var (orders, news): (Int32, Int32) = (-1, -1)
    private let daemon: StagedDaemon?
    /// The terminal is gone.
    private var hasEnded = false
    private var socket: String { folder + "/tmux" }

    /// Seconds, longer than any of these tests takes: only a failing test waits so long.
    private static let patience = 300.0

    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")
    static let whyNot: Comment = "there is no tmux here: install Debian's package tmux"

    /// - Parameter command: the pane's shell command.
    init(
        columns: Int, rows: Int, environment: [String: String] = [:], daemon: StagedDaemon? = nil, _ command: String
    ) throws {
        self.daemon = daemon
        var template = Array("/tmp/daybreak-pane-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        try """
        set -g status off
        set -g remain-on-exit on
        set -g default-terminal tmux-256color
        set -g escape-time 0
        set -g default-size \(columns)x\(rows)
        """.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        let binaries = Programs.folder + "/"
        let all = ["HOME": folder, "LANG": "C.UTF-8"].merging(
            daemon.map { ["DAYBREAK_SOCKET": $0.path] } ?? [:]
        ) { _, new in new }
        .merging(environment) { _, new in new }
        let words = all.flatMap { ["-e", "\($0.key)=\($0.value)"] }
        // A server takes its client's PATH in any case, and keeps inherited descriptors open.
        let start = ["-f", folder + "/conf", "new-session", "-d", "-s", "pane", "-x", "\(columns)", "-y", "\(rows)"]
        // tmux sets TERM itself.
        let terminal = environment["TERM"].map { "export TERM=\($0); " } ?? ""
        tmux(start + words + ["\(terminal)PATH='\(binaries)':$PATH; \(command)"], isHeard: false)
        // Not in the configuration file, because version 3.3a crashes on it there.
        tmux(["set-option", "-t", "pane", "window-size", "manual"])
        // A client in control mode receives everything that the pane prints, so that no test need look again and again.
        var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        precondition(pipe(&input) == 0 && pipe(&output) == 0)
        for end in [input[1], output[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        control = Self.start(["-C", "attach", "-t", "pane"], socket: socket, input: input[0], output: output[1])
        close(input[0])
        close(output[1])
        (orders, news) = (input[1], output[0])
        // The tests' end closes this client, and so the server and the program in the pane. The option is set after the
        // client is attached, because the server would otherwise end at once.
        var told = "", bytes = [UInt8](repeating: 0, count: 65_536)
        while told.contains("%session-changed") == false {
            let count = read(news, &bytes, bytes.count)
            precondition(count > 0, "tmux did not attach: \(told)")
            told += String(decoding: bytes[..<count], as: UTF8.self)
        }
        let whole = "set-option destroy-unattached on\n"
        precondition(write(orders, whole, whole.utf8.count) == whole.utf8.count)
    }

    deinit {
        close(orders)
        close(news)
        tmux(["kill-server"])
        kill(control, SIGKILL)
        waitpid(control, nil, 0)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A file that the program in the pane may write.
    func file(_ name: String) -> String { folder + "/" + name }

    func type(_ keys: String...) { type(keys) }

    func type(_ keys: [String]) { tmux(["send-keys", "-t", "pane"] + keys) }

    /// Pastes.
    /// - Parameter isMarked: as a terminal does that marks pastes, if the program has asked for marks.
    func paste(_ text: String, isMarked: Bool = true) {
        tmux(["set-buffer", text])
        tmux(["paste-buffer"] + (isMarked ? ["-p"] : []) + ["-t", "pane"])
    }

    /// Sends a signal to a program that the pane's shell runs.
    func send(signal: String, to program: String) throws {
        let kill = Process()
        kill.executableURL = URL(filePath: "/bin/sh")
        kill.arguments = ["-c", "kill -\(signal) $(pgrep -P \(says("#{pane_pid}")) \(program))"]
        try kill.run()
        kill.waitUntilExit()
    }

    /// Closes the terminal, as a person closes a window.
    func closeTerminal() { tmux(["kill-pane", "-t", "pane"]) }

    func resize(columns: Int, rows: Int) {
        tmux(["resize-window", "-t", "pane", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// The value of one of tmux's formats for the pane.
    func says(_ format: String) -> String {
        tmux(["display-message", "-p", "-t", "pane", format]).trimmingCharacters(in: .newlines)
    }

    /// Begins to count ``bells``.
    func countBells() { tmux(["set-hook", "-t", "pane", "alert-bell", "set-option -a @bells x"]) }

    var bells: Int { says("#{@bells}").count }

    /// The text in the pane, without spaces at the ends of the lines; colours as control sequences.
    func picture(colours: Bool = false) -> String {
        let captured = tmux(["capture-pane", "-p", "-t", "pane"] + (colours ? ["-e"] : []))
        let lines = captured.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }
        return lines.dropLast().joined(separator: "\n")
    }

    /// Whether the picture ends with the text.
    func ends(with text: String) -> Bool { picture().trimmingCharacters(in: .newlines).hasSuffix(text) }

    /// Waits for the condition, for as long as the pane prints or the daemon is called. One that is never met is an issue.
    /// - Returns: whether it was met.
    @discardableResult func waits(sourceLocation: SourceLocation = #_sourceLocation, until isSo: () -> Bool) -> Bool {
        let end = clock() + Self.patience
        while !isSo() {
            guard clock() < end else {
                Issue.record("the pane does not come to this:\n\(picture())", sourceLocation: sourceLocation)
                return false
            }
            pump(within: min(1, end - clock()))
        }
        return true
    }

    /// Waits until nothing was printed for so long.
    func settles(for seconds: Double = 1) {
        let end = clock() + Self.patience
        while clock() < end, pump(within: seconds) {}
    }

    /// Handles the next event; false if there is none in that time.
    @discardableResult private func pump(within seconds: Double) -> Bool {
        let output = hasEnded ? -1 : news
        var polled = ([output] + (daemon?.descriptors ?? [])).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), Int32(seconds * 1_000)) > 0 else { return false }
        for ready in polled where ready.revents != 0 {
            guard ready.fd == output else {
                daemon?.serve(ready.fd)
                continue
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            hasEnded = read(news, &bytes, bytes.count) <= 0
        }
        return true
    }

    private func clock() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs a tmux command to its end, and returns its output.
    @discardableResult private func tmux(_ words: [String], isHeard: Bool = true) -> String {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        let child = Self.start(words, socket: socket, input: nil, output: isHeard ? ends[1] : nil)
        close(ends[1])
        defer { close(ends[0]) }
        var said: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(ends[0], &bytes, bytes.count), count > 0 { said += bytes[..<count] }
        waitpid(child, nil, 0)
        return String(decoding: said, as: UTF8.self)
    }

    /// Not Foundation's `Process`, which waits for every process that the program leaves running.
    private static func start(_ words: [String], socket: String, input: Int32?, output: Int32?) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, given) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, nil)] {
            if let given {
                posix_spawn_file_actions_adddup2(&actions, given, descriptor)
            } else {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
            }
        }
        // A server would keep open what it inherits from tests that run at the same time.
        let alone =
            "for end in /proc/self/fd/*; do ((${end##*/} < 3)) || eval \"exec ${end##*/}>&-\"; done; exec tmux \"$@\""
        let arguments =
            (["bash", "-c", alone, "bash", "-u", "-S", socket] + words).map { (word: String) in strdup(word) } + [nil]
        let surroundings =
            ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color"].map { (word: String) in strdup(word) } + [nil]
        defer { for pointer in arguments + surroundings { free(pointer) } }
        var child = pid_t()
        let started = posix_spawn(&child, "/bin/bash", &actions, nil, arguments, surroundings)
        precondition(started == 0)
        return child
    }
}
