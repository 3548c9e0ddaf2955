import Glibc

/// The programs that the tests start.
public enum Programs {
    /// The folder that `DAYBREAK_BIN` names, with the programs as they are installed; else that of the tests, whose programs were built
    /// with them.
    public static let folder: String = {
        if let folder = getenv("DAYBREAK_BIN") { return String(cString: folder) }
        let tests = realpath("/proc/self/exe", nil)
        defer { free(tests) }
        let path = tests.map { String(cString: $0) } ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }()

    public static func path(of name: String) -> String { "\(folder)/\(name)" }
}
