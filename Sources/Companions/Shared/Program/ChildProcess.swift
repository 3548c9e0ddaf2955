import Files
import Glibc

/// Another program, run by this one.
public enum ChildProcess {
    /// Runs a program and returns its output. Throws its error output if it ends with a status other than 0.
    ///
    /// The program is the one installed beside this one, else the one on the PATH.
    /// - Parameter variables: `NAME=VALUE`, added to this program's environment.
    public static func output(
        of program: String, _ arguments: [String], with variables: [String] = []
    ) throws(Failure) -> [UInt8] {
        guard let output = Pipe(), let errors = Pipe() else { throw cannotRun(program, errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        let environment = variables + Environment.variables.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let result = withPointers(to: [program] + arguments) { words in
            withPointers(to: environment) { variables in
                posix_spawnp(&process, pathBeside(program) ?? program, &actions, nil, words, variables)
            }
        }
        guard result == 0 else { throw cannotRun(program, result) }
        Pipe.readToEnd([output, errors])
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else {
            let exit = status & 0x7f == 0 ? status >> 8 & 0xff : Failure.ourFaultStatus
            throw Failure(ending: exit, saying: String(decoding: errors.bytes, as: UTF8.self).shown)
        }
        return output.bytes
    }

    /// Starts a program, such as one that shows a link or plays a sound, without input and output, and does not wait for it.
    /// False if it cannot be started.
    public static func startDetached(_ words: [String], environment: [String: String] = [:]) -> Bool {
        guard let program = words.first else { return false }
        signal(SIGCHLD, SIG_IGN)  // The kernel reaps it.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for number in [SIGPIPE, SIGCHLD] { sigaddset(&ignored, number) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let all = Environment.variables.merging(environment) { _, new in new }.map { "\($0.key)=\($0.value)" }
        var process = pid_t()
        return withPointers(to: words) { words in
            withPointers(to: all) { all in posix_spawnp(&process, program, &actions, &attributes, words, all) == 0 }
        }
    }

    /// Runs a shell command that uses this terminal, such as an editor, and waits for it. False if it ends with a status
    /// other than 0.
    /// - Parameter argument: the command's `"$1"`.
    public static func runInTerminal(_ command: String, _ argument: String) -> Bool {
        let keys = [SIGINT, SIGQUIT]  // Ctrl-C is for that program.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in keys + [SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        for number in keys { signal(number, SIG_IGN) }
        defer { for number in keys { signal(number, SIG_DFL) } }
        var process: pid_t = 0
        let started = withPointers(to: ["/bin/sh", "-c", command, "sh", argument]) { words in
            posix_spawn(&process, "/bin/sh", nil, &attributes, words, environ)
        }
        guard started == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return status == 0
    }

    /// Replaces this process by a program, which is found as in ``output(of:_:with:)``.
    /// - Returns: why that failed.
    public static func replaceThisOne(by program: String, _ arguments: [String]) -> Failure {
        withPointers(to: [program] + arguments) { _ = execvp(pathBeside(program) ?? program, $0) }
        return cannotRun(program, errno)
    }

    /// Lends the strings as a C array of pointers, the last one null.
    private static func withPointers<Result>(
        to words: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return use(pointers)
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
        private let reading: Int32
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

        /// Reads all pipes at once, because a program that has filled one of them waits until it is read.
        static func readToEnd(_ pipes: [Pipe]) {
            for pipe in pipes { pipe.endWriting() }
            var open = pipes
            while !open.isEmpty {
                var polled = open.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
                guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
                open = zip(open, polled).filter { $1.revents == 0 || $0.readSome() }.map(\.0)
            }
        }

        /// False at the end of the pipe.
        private func readSome() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            let count = read(reading, &chunk, chunk.count)
            guard count >= 0 else { return errno == EINTR }
            bytes += chunk[..<count]
            return count > 0
        }
    }
}
