public import ArgumentParser
import Files
import Glibc
import Unix

/// The option that turns the pager off.
public struct PagerOptions: ParsableArguments {
    @Flag(name: .customLong("no-pager"), help: "Print a long text at once, without a pager (PAGER, else less).")
    public var isOff = false

    public init() {}

    /// Prints the text, through a pager if it is longer than the terminal.
    public func print(_ text: String) {
        let text = Pager.columns.map { text.fitted(to: $0) } ?? text
        guard !isOff, isatty(STDOUT_FILENO) == 1, let command = Pager.command(Environment.variables),
            text.utf8.count(where: { $0 == UInt8(ascii: "\n") }) >= Pager.rows
        else { return Streams.output(verbatim: text) }
        if !Pager.show(text, with: command) { Streams.output(verbatim: text) }
    }
}

public enum Pager {
    /// PAGER, else less; nil if PAGER is empty or `cat`, or the terminal is dumb.
    static func command(_ environment: [String: String]) -> String? {
        guard let term = environment["TERM"], term != "dumb" else { return nil }
        let command = environment["PAGER"] ?? "less"
        return command.isEmpty || command == "cat" ? nil : command
    }

    /// The options of less. F: quit if the text fits; R: show colours; X: leave the screen as it is. Of a client's own options the
    /// others stay, and colours are shown in any case, because the text has them.
    static func less(_ own: String?) -> String { own.map { $0.isEmpty ? "-R" : "-R \($0)" } ?? "FRX" }

    static var rows: Int {
        let rows = Streams.window(of: STDOUT_FILENO).ws_row
        return rows > 0 ? Int(rows) : 24
    }

    /// The width of the terminal; nil if standard output is none.
    public static var columns: Int? { Streams.columns(of: STDOUT_FILENO) }

    /// Shows the text until the pager is left. False if there is no such program.
    static func show(_ text: String, with command: String) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        setenv("LESS", less(Environment.variables["LESS"]), 1)
        setenv("LESSCHARSET", "utf-8", 0)  // Without a locale, less would show bytes.
        let process: pid_t
        do {
            defer { close(ends[0]) }
            process = try Child.start(["/bin/sh", "-c", command], input: .descriptor(ends[0]))
        } catch {
            close(ends[1])
            return false
        }
        signal(SIGINT, SIG_IGN)  // Ctrl-C is for the pager.
        _ = File.write(Array(text.utf8), to: ends[1])  // The pager may be left before its end.
        close(ends[1])
        let status = Child.wait(for: process)
        signal(SIGINT, SIG_DFL)
        return status != 127
    }
}
