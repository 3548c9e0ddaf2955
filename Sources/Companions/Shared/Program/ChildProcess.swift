import Files
import Glibc
import Unix

public enum ChildProcess {
    /// Runs a program and returns its output. Throws its error output if it ends with a status other than 0.
    ///
    /// The program is the one installed beside this one, else the one on the PATH.
    /// - Parameters:
    ///   - variables: `NAME=VALUE`, added to this program's environment.
    ///   - seconds: after which it is ended.
    ///   - onOutput: gets the output so far, each time that there is more of it.
    public static func output(
        of program: String, _ arguments: [String], with variables: [String] = [], within seconds: Double? = nil,
        onOutput: (_ soFar: [UInt8]) -> Void = { _ in }
    ) throws(Failure) -> [UInt8] {
        let ended = try talk([program] + arguments, with: variables, within: seconds, onOutput: onOutput)
        guard ended.status == 0 else { throw Failure(ending: ended.status, saying: ended.said) }
        return ended.output
    }

    /// A program's end.
    public struct Ended {
        public let status: Int32
        public let output: [UInt8]
        /// It was ended, because it took too long.
        public let isLate: Bool
        fileprivate let errors: [UInt8]

        /// The lines of its error output as one, without what would steer a terminal.
        var said: String {
            String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
                .map { String($0).shown }.joined(separator: " ")
        }

        /// The last line of its error output; nil if it said nothing.
        public var lastWords: String? {
            String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last
                .map { String($0.prefix(longestLine)).shown }
        }
    }

    /// A longer line is no sentence for a person.
    private static let longestLine = 400

    /// Runs a program to its end. Of its output and its error output the last megabytes are kept if `seconds` are named: a
    /// machine elsewhere may have no end.
    /// - Parameter input: is said on standard input, and should fit a pipe: other users see the arguments of a command.
    public static func talk(
        _ words: [String], saying input: [UInt8]? = nil, with variables: [String] = [], within seconds: Double? = nil,
        onOutput: (_ soFar: [UInt8]) -> Void = { _ in }
    ) throws(Failure) -> Ended {
        guard let output = Pipe(), let errors = Pipe(), let asked = Pipe() else { throw cannotRun(words[0], errno) }
        let process: pid_t
        do {
            process = try Child.start(
                words, file: pathBeside(words[0]), input: input == nil ? .inherited : .descriptor(asked.reading),
                output: .descriptor(output.writing), errors: .descriptor(errors.writing),
                variables: variables + Environment.variables.map { "\($0)=\($1)" })
        } catch {
            throw cannotRun(words[0], error.errno)
        }
        asked.say(input ?? [])
        let isEnded = Pipe.readToEnd([output, errors], within: seconds) { onOutput(output.bytes) }
        let status = (seconds == nil ? Child.wait(for: process) : Child.end(process)) ?? Failure.ourFaultStatus
        return Ended(status: status, output: output.bytes, isLate: !isEnded, errors: errors.bytes)
    }

    /// Starts a program, such as one that shows a link or plays a sound, without input and output, and does not wait for it.
    /// False if it cannot be started.
    public static func startDetached(_ words: [String], environment: [String: String] = [:]) -> Bool {
        signal(SIGCHLD, SIG_IGN)  // The kernel reaps it.
        let all = Environment.variables.merging(environment) { _, new in new }.map { "\($0.key)=\($0.value)" }
        do {
            _ = try Child.start(
                words, input: .none, output: .none, errors: .none, variables: all, signals: [SIGCHLD], isDetached: true)
            return true
        } catch {
            return false
        }
    }

    /// Runs a shell command that uses this terminal, such as an editor, and waits for it. False if it ends with a status
    /// other than 0.
    /// - Parameter argument: the command's `"$1"`.
    public static func runInTerminal(_ command: String, _ argument: String) -> Bool {
        runInTerminal(["/bin/sh", "-c", command, "sh", argument])
    }

    /// Runs another verb of this program in the same way.
    public static func runVerbInTerminal(_ words: [String]) -> Bool {
        runInTerminal([CommandLine.arguments[0]] + words, file: "/proc/self/exe")
    }

    private static func runInTerminal(_ words: [String], file: String? = nil) -> Bool {
        let keys = [SIGINT, SIGQUIT]
        let found = (keys + [SIGTSTP]).map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return (number, action)
        }
        for key in keys { signal(key, SIG_IGN) }  // Ctrl-C is for that program.
        signal(SIGTSTP, SIG_DFL)  // Ctrl-Z stops both.
        defer {
            for (number, action) in found {
                var action = action
                sigaction(number, &action, nil)
            }
        }
        do {
            return Child.wait(for: try Child.start(words, file: file, signals: keys)) == 0
        } catch {
            return false
        }
    }

    /// Replaces this process by a program, which is found as in ``output(of:_:with:)``.
    /// - Returns: why that failed.
    public static func replaceThisOne(by program: String, _ arguments: [String]) -> Failure {
        Child.withPointers(to: [program] + arguments) { _ = execvp(pathBeside(program) ?? program, $0) }
        return cannotRun(program, errno)
    }

    private static func cannotRun(_ name: String, _ error: Int32) -> Failure {
        guard error == ENOENT else {
            return .refused("NoProgram", saying: "\(name) cannot be run: \(systemError(error)).")
        }
        return .refused(
            "NoProgram",
            saying: "\(name) was found neither beside \(ownName) nor on the PATH (\(systemError(error))); "
                + "`systemd/install` puts both in one place.")
    }

    private static var ownName: String { ownPath?.split(separator: "/").last.map(String.init) ?? "this program" }

    private static func pathBeside(_ name: String) -> String? {
        guard let own = ownPath, let slash = own.lastIndex(of: "/") else { return nil }
        let path = own[...slash] + name
        return access(String(path), X_OK) == 0 ? String(path) : nil
    }

    private static var ownPath: String? { File.linkTarget("/proc/self/exe") }

    private final class Pipe {
        let reading: Int32
        private(set) var writing: Int32
        private(set) var bytes: [UInt8] = []

        /// Nil if no pipe can be made; errno says why.
        init?() {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            (reading, writing) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            close(reading)
            endWriting()
        }

        private func endWriting() {
            if writing >= 0 { close(writing) }
            writing = -1
        }

        /// Writes what fits the pipe, and closes it.
        func say(_ input: [UInt8]) {
            if !input.isEmpty { _ = input.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) } }
            endWriting()
        }

        /// Reads all pipes at once, because a program that has filled one of them waits until it is read. False if they have
        /// no end within so many seconds.
        static func readToEnd(_ pipes: [Pipe], within seconds: Double?, onMore: () -> Void) -> Bool {
            for pipe in pipes { pipe.endWriting() }
            let end = seconds.map { Monotonic.now() + $0 }
            var open = pipes
            while !open.isEmpty {
                var polled = open.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
                let left = end.map { $0 - Monotonic.now() }
                if let left, left <= 0 { return false }
                let milliseconds = left.map { Int32($0 * 1_000) + 1 } ?? -1
                guard poll(&polled, nfds_t(polled.count), milliseconds) >= 0 || errno == EINTR else { return true }
                let most = seconds == nil ? Int.max : mostBytes
                open = zip(open, polled).filter { $1.revents == 0 || $0.readSome(keeping: most) }.map(\.0)
                onMore()
            }
            return true
        }

        private static let mostBytes = 1_024 * 1_024

        /// False at the end of the pipe.
        private func readSome(keeping most: Int) -> Bool {
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            let count = read(reading, &chunk, chunk.count)
            guard count >= 0 else { return errno == EINTR }
            bytes += chunk[..<count]
            if bytes.count / 2 > most { bytes.removeFirst(bytes.count - most) }
            return count > 0
        }
    }
}
