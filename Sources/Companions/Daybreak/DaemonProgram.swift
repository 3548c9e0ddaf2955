import Glibc

/// The daemon's program, run for an answer of its own: no daemon needs to be there for it.
enum DaemonProgram {
    /// What it prints. Throws what it says on its standard error, with the status it ends with.
    ///
    /// `variables`: what its environment has besides this one's, `NAME=VALUE`.
    static func output(of arguments: [String], with variables: [String] = []) throws(Failure) -> [UInt8] {
        try output(of: "daybreakd", arguments, with: variables)
    }

    /// The same of any program.
    static func output(
        of program: String, _ arguments: [String], with variables: [String] = []
    ) throws(Failure) -> [UInt8] {
        guard let output = Pipe(), let errors = Pipe() else { throw noProgram(program, errno) }
        let process = try start(program, arguments, variables, output, errors)
        Pipe.readToEnd([output, errors])
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else {
            let exit = status & 0x7f == 0 ? status >> 8 & 0xff : Failure.ourFaultStatus
            throw Failure(ending: exit, saying: String(decoding: errors.bytes, as: UTF8.self).shown)
        }
        return output.bytes
    }

    /// The one that was installed beside this program, else one that the PATH has.
    private static func start(
        _ name: String, _ arguments: [String], _ variables: [String], _ output: Pipe, _ errors: Pipe
    ) throws(Failure) -> pid_t {
        let beside = (folder ?? ".") + "/" + name
        let isBeside = folder != nil && access(beside, X_OK) == 0
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        let words = strings([name] + arguments)
        let environment = strings(variables + Standard.environment.map { "\($0)=\($1)" })
        defer { for string in words + environment { free(string) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, isBeside ? beside : name, &actions, nil, words, environment)
        guard result == 0 else { throw noProgram(name, result) }
        return process
    }

    private static func noProgram(_ name: String, _ error: Int32) -> Failure {
        .refused("NoProgram", saying: Wording.noProgram(name, why: DaemonConnection.reason(error)))
    }

    /// As C wants them, to be freed.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { $0.withCString { strdup($0) } } + [nil]
    }

    private static var folder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        guard length > 0 else { return nil }
        let text = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }

    private final class Pipe {
        private let reading: Int32
        private(set) var writing: Int32
        private(set) var bytes: [UInt8] = []

        /// Nil where none can be had; errno says why.
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

        /// All of them at once: who has filled one of them waits until that is read, and ends none.
        static func readToEnd(_ pipes: [Pipe]) {
            for pipe in pipes { pipe.endWriting() }
            var open = pipes
            while !open.isEmpty {
                var polled = open.map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
                guard poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
                open = zip(open, polled).filter { $1.revents == 0 || $0.readSome() }.map(\.0)
            }
        }

        /// False at its end.
        private func readSome() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            let count = read(reading, &chunk, chunk.count)
            guard count >= 0 else { return errno == EINTR }
            bytes += chunk[..<count]
            return count > 0
        }
    }
}
