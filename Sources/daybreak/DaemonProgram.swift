import Glibc

/// The daemon's program, run for an answer of its own: no daemon needs to be there for it.
enum DaemonProgram {
    /// What it prints. Throws what it says on its standard error, with the status it ends with.
    static func output(of arguments: [String]) throws(Failure) -> [UInt8] {
        try output(of: "daybreakd", arguments)
    }

    /// The same of any program.
    static func output(of program: String, _ arguments: [String]) throws(Failure) -> [UInt8] {
        let (output, errors) = (Pipe(), Pipe())
        let process = try start(program, arguments, output, errors)
        let printed = output.readToEnd()
        let said = errors.readToEnd()
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        guard status == 0 else {
            let exit = status & 0x7f == 0 ? status >> 8 & 0xff : Failure.ourFaultStatus
            throw Failure(ending: exit, saying: String(decoding: said, as: UTF8.self).shown)
        }
        return printed
    }

    /// The one that was installed beside this program, else one that the PATH has.
    private static func start(
        _ name: String, _ arguments: [String], _ output: Pipe, _ errors: Pipe
    ) throws(Failure) -> pid_t {
        let beside = (folder ?? ".") + "/" + name
        let isBeside = folder != nil && access(beside, X_OK) == 0
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        var words = ([name] + arguments).map { $0.withCString { strdup($0) } }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        let result = posix_spawnp(&process, isBeside ? beside : name, &actions, nil, words, environ)
        guard result == 0 else {
            throw .refused("NoProgram", saying: Wording.noProgram(name, why: DaemonConnection.reason(result)))
        }
        return process
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

        init() {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (reading, writing) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit { close(reading) }

        func readToEnd() -> [UInt8] {
            close(writing)
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
            while true {
                let count = read(reading, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return bytes }
                bytes += chunk[..<count]
            }
        }
    }
}
