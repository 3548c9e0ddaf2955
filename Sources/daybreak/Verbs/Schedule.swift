internal import ArgumentParser
import Control
import Glibc
import Varlink

struct Schedule: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Wording.About.schedule, subcommands: [Import.self, Check.self])

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: Wording.About.scheduleImport)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: false, to: daemon) }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: Wording.About.scheduleCheck)

        @Argument(help: ArgumentHelp(Wording.About.file)) var file: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws { try Schedule.hand(file, dryRun: true, to: daemon) }
    }

    private static func hand(_ file: String, dryRun: Bool, to daemon: DaemonOptions) throws {
        let schedule = try ScheduleFile.text(of: file)
        let connection = try daemon.connection()
        let reply = try connection.reply(to: HomeworkInterface.Import(schedule: schedule, dryRun: dryRun ? true : nil))
        if let error = reply.error { throw Failure(reply, named: error, file: file.shown) }
        try daemon.answer(reply, of: HomeworkInterface.Import.self, over: connection) {
            Wording.imported($0, dryRun: dryRun) + "\n"
        }
    }
}

/// A schedule as it is handed over: read whole, and not looked into.
enum ScheduleFile {
    /// As large as the daemon takes one.
    static let limit = 16 * 1024 * 1024

    static func text(of file: String) throws(Failure) -> String {
        let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(file) }
        defer { close(descriptor) }
        let bytes = try all(of: descriptor, named: file)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let (line, column) = place(ofFaultIn: bytes)
            throw .refused("NotText", saying: Wording.notText(file, line: line, column: column))
        }
        return text
    }

    /// Where what is no UTF-8 begins: line and column from 1, the column in characters (Unicode scalars).
    static func place(ofFaultIn bytes: [UInt8]) -> (line: Int, column: Int) {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = (line: 1, column: 1)
        while case .valid(let scalar) = parser.parseScalar(from: &rest) {
            place = Unicode.UTF8.decode(scalar) == "\n" ? (place.line + 1, 1) : (place.line, place.column + 1)
        }
        return place
    }

    private static func all(of descriptor: Int32, named file: String) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(file) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw .refused("TooLarge", saying: Wording.tooLarge(file)) }
        }
    }

    private static func unreadable(_ file: String) -> Failure {
        .refused("Unreadable", saying: Wording.unreadable(file, why: DaemonConnection.reason(errno)))
    }
}
