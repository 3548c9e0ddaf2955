import Glibc

/// A value of the variable `TZ`, which names a time zone (man 3 tzset).
public struct ZoneSetting: Sendable {
    /// Without the colon that may stand before it.
    private let name: String
    /// The folder in which zones that do not begin with `/` are looked for.
    public static var folder: String { getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo" }

    public init(_ value: String) { name = value.hasPrefix(":") ? String(value.dropFirst()) : value }

    /// The value of this process's variable; nil if it is not set.
    public static var ofThisProcess: ZoneSetting? { getenv("TZ").map { ZoneSetting(String(cString: $0)) } }

    /// True if glibc finds the zone: UTC if it is empty, a file, or a rule such as `CET-1CEST`. Of any other text it makes UTC,
    /// and says nothing.
    public var isKnown: Bool { name.isEmpty || text?.starts(with: "TZif".utf8) == true || isRule }

    /// True if it names something that is neither a regular file nor a folder. glibc never returns from opening a pipe.
    public var isPipe: Bool { mode.map { $0 != S_IFREG && $0 != S_IFDIR } ?? false }

    /// True if both name files of zones with the same text: `UTC` and `Etc/UTC` do.
    public func hasTimes(of other: ZoneSetting) -> Bool {
        guard let text, let theirs = other.text else { return false }
        return text == theirs
    }

    private var text: ArraySlice<UInt8>? {
        guard mode == S_IFREG else { return nil }
        do throws(FileError) {
            let file = try File.openToRead(path, followingLinks: true)
            defer { close(file) }
            return try File.read(from: file, named: path)
        } catch {
            return nil
        }
    }

    private var path: String { name.hasPrefix("/") ? name : "\(Self.folder)/\(name)" }

    /// The type of the file; nil if there is none.
    private var mode: mode_t? {
        var found = stat()
        guard !name.isEmpty, stat(path, &found) == 0 else { return nil }
        return found.st_mode & S_IFMT
    }

    /// POSIX.1-2017, 8.3: a name of at least three characters, and an offset. Between `<` and `>`, a name may have digits and signs.
    private var isRule: Bool {
        let isQuoted = name.hasPrefix("<")
        let text = isQuoted ? name.dropFirst() : name[...]
        let letters = text.prefix { $0.isASCII && ($0.isLetter || isQuoted && ($0.isNumber || $0 == "+" || $0 == "-")) }
        var rest = text.dropFirst(letters.count)
        guard letters.count >= 3, !isQuoted || rest.popFirst() == ">" else { return false }
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        return rest.first.map { $0.isASCII && $0.isNumber } == true
    }
}
