import Glibc
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// Texts of 64 KB that take the longest to read, of all that were found.
///
/// Each may take a multiple of the time of plain comments of the same size in the same run, so that the machine's speed
/// does not matter. A reader whose work grows with the square of the size would take thousands of times as long.
@Suite(.serialized) struct ConfigurationWorkTests {
    private static let size = Configuration.byteLimit
    private static let bound = 60

    private static let texts: [(name: String, text: String)] = [
        ("brackets", filled("[")), ("an array of brackets", filled("[", after: "a = ")),
        ("arrays in an array", filled("[],", after: "a = [", end: "]")),
        ("lists as deep as may be", filled(deep("[", "]") + ",", after: "a = [", end: "]")),
        ("tables in tables", filled("{a=", after: "a = ")),
        ("tables in an array", filled("{},", after: "a = [", end: "]")),
        ("a key of 32,000 parts", filled("a.", end: "a = 1")),
        ("a header of 32,000 parts", filled("a.", after: "[", end: "a]")),
        ("headers as deep as may be", numbered { "[\(String(repeating: "a.", count: 30))b\($0)]\n" }),
        ("dotted keys", numbered { "day.a\($0).b = 1\n" }), ("keys", numbered { "a\($0)=1\n" }),
        ("keys of a known table", "[day]\n" + numbered { "a\($0)=1\n" }), ("tables", numbered { "[a\($0)]\n" }),
        ("an inline table", "day = {" + numbered { "a\($0)=1," } + "}"), ("a repeated key", filled("a=1\n")),
        ("tables of an array", filled("[[a]]\n")), ("tables of an array's last table", filled("[[a]]\n[[a.b]]\n")),
        ("tables of a table's array", filled("[[a.b.c.d]]\n")),
        ("long names", numbered { "\(String(repeating: "x", count: 500))\($0)=1\n" }),
        ("patterns", "[patterns]\n" + numbered { "a\($0)='4-0-6-0'\n" }),
        ("empty tables", numbered { "[day.a\($0)]\n" }),
        ("a text", filled("x", after: "a = '", end: "'")), ("a text without an end", filled("x", after: "a = \"")),
        ("escapes", filled("\\u0041", after: "a = \"", end: "\"")),
        ("a name of escapes", filled("\\n", after: "\"", end: "\"=1")),
        ("quotes in a long text", filled("\"\"x", after: "a = \"\"\"", end: "\"\"\"")),
        ("lines of a long text", filled("\\\n", after: "a = \"\"\"", end: "\"\"\"")),
        ("digits", filled("1", after: "a = ")), ("digits apart", filled("1_", after: "a = ", end: "1")),
        ("a fraction", filled("1", after: "a = 0.")), ("a time's fraction", filled("0", after: "a = 01:02:03.")),
        ("a word", filled("x", after: "a = ")),
        ("a word where yes or no stands", filled("x", after: "provider.simulate = ")),
        ("letters of two bytes", filled("é", after: "a = '", end: "'")), ("ends of lines", filled("\n")),
        ("comments", filled("#\n")), ("white space", filled(" ")),
        ("comments in an array", filled("#\n", after: "a = [", end: "]")),
        ("times", filled("'09:00',", after: "reminders.at = [", end: "]")),
        ("words", filled("'x',", after: "screen.sound_command = [", end: "]")),
    ]

    private static func filled(_ part: String, after start: String = "", end: String = "") -> String {
        let room = size - start.utf8.count - end.utf8.count
        return start + String(repeating: part, count: room / part.utf8.count) + end
    }

    private static func numbered(_ part: (Int) -> String) -> String {
        var text = ""
        var number = 0
        while text.utf8.count + 600 < size {
            text += part(number)
            number += 1
        }
        return text
    }

    private static func deep(_ open: String, _ close: String) -> String {
        String(repeating: open, count: 31) + String(repeating: close, count: 31)
    }

    /// The processor's nanoseconds for one reading: other programs count less there than on the wall.
    private func time(of text: String) -> Int {
        let begin = Self.processorTime
        // A fault may be found as well: that takes reading, too.
        _ = Result { try Configuration.read(text, file: "daybreak.toml") }
        return Self.processorTime - begin
    }

    private static var processorTime: Int {
        var time = timespec()
        must(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time))
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test func `no text of the greatest size takes much longer than comments`() throws {
        let comments = Self.filled("x", after: "#")
        let plain = (0..<3).map { _ in time(of: comments) }.min() ?? 0
        for (name, text) in Self.texts {
            #expect(text.utf8.count <= Self.size, "\(name)")
            // Another program may have slowed one reading down, so a slow one is repeated.
            #expect((0..<5).contains { _ in time(of: text) < plain * Self.bound }, "\(name)")
        }
    }
}
