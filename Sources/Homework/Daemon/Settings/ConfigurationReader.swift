internal import DaybreakInterfaces
internal import Glibc
internal import HomeworkWire
internal import TOMLKit

extension Configuration {
    /// More than any person writes; less than anybody waits for.
    public static let byteLimit = 64 * 1_024

    /// The configuration that this TOML text spells. What it leaves out has its default; nothing in it is ignored.
    ///
    /// Of several faults the first is thrown. `file` is for the error alone.
    public static func read(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
        var reader = ConfigurationReader(text, file: file)
        return try reader.read()
    }

    /// The configuration in a file. Where there is no file, everything has its default.
    public static func load(_ path: String) throws(ConfigurationError) -> Configuration {
        guard let bytes = try contents(of: path) else {
            var configuration = Configuration()
            configuration.origin.file = path
            return configuration
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: path, line: nil, reason: "It is not UTF-8 text.")
        }
        return try read(text, file: path)
    }

    /// Nil where there is none. A link to where nothing is seen is not that: what it says is in force nowhere.
    private static func contents(of path: String) throws(ConfigurationError) -> [UInt8]? {
        let reason: String
        do {
            guard let bytes = try WrittenFile.contents(of: path, limit: byteLimit) else { return nil }
            if bytes.count <= byteLimit { return bytes }
            reason = "It has more than \(byteLimit) bytes."
        } catch {
            switch error {
            case .denied(let number): reason = "It cannot be read: \(String(cString: strerror(number)))."
            case .noFile(let sentence): reason = sentence
            case .link: reason = "It \(WrittenFile.isBroken)."
            }
        }
        throw ConfigurationError(file: path, line: nil, reason: reason)
    }
}

/// One reading of one text.
private struct ConfigurationReader {
    private let text: String
    private let file: String
    private var values = Setting.Values()
    private var lines: KeyLines?
    private var faults: [ConfigurationError] = []

    init(_ text: String, file: String) {
        self.text = text
        self.file = file
    }

    mutating func read() throws(ConfigurationError) -> Configuration {
        let root = try parse()
        // Names first: other settings may mean them.
        let names = root.keys
        for name in names.filter({ $0 == Setting.patterns }) + names.filter({ $0 != Setting.patterns }) {
            take(root[name], called: name)
        }
        // In the order of the text, which is the order in which a person mends it.
        if let first = faults.min(by: { ($0.line ?? 0) < ($1.line ?? 0) }) { throw first }
        var configuration = values.configuration
        configuration.origin.file = file
        for setting in Setting.all { configuration.origin.lines[setting.name] = lines?[[setting.table, setting.key]] }
        return configuration
    }

    private mutating func parse() throws(ConfigurationError) -> TOMLTable {
        if let null = text.utf8.firstIndex(of: 0) {
            let line = 1 + text.utf8[..<null].count { $0 == UInt8(ascii: "\n") }
            throw ConfigurationError(file: file, line: line, reason: Self.noNull)
        }
        if let line = HeaderCheck.namelessHeader(in: text) {
            throw ConfigurationError(
                file: file, line: line, reason: "It is not TOML. After [ the name of a table must follow.")
        }
        let lines = KeyLines(text)
        self.lines = lines
        if let line = lines.malformedLine {
            throw ConfigurationError(file: file, line: line, reason: correction(of: line) ?? Self.noValue)
        }
        let root: TOMLTable
        do { root = try TOMLTable(string: text) } catch { throw noTOML(error) }
        if let line = lines.nullLine { throw ConfigurationError(file: file, line: line, reason: Self.noNull) }
        return root
    }

    private static let noValue =
        "It is not TOML. There is no such value: a text stands in quotes; yes and no are spelled true and false."

    /// What other programs' settings spell otherwise.
    private static let truths = ["yes": true, "on": true, "true": true, "no": false, "off": false, "false": false]

    /// What to write in a line, counted from 1, that says yes or no in another program's words.
    private func correction(of line: Int) -> String? {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.dropFirst(line - 1).first?.prefix { $0 != "#" }
            .split { $0 == "=" || $0.properties.isWhitespace }.map(String.init)
        guard let words, words.count == 2, let truth = Self.truths[words[1].lowercased()], words[1] != "\(truth)",
            Setting.all.contains(where: { $0.isTruth && (words[0] == $0.key || words[0] == $0.name) })
        else { return nil }
        let correct = "\(words[0]) = \(truth)"
        return "\(words[0]) must be true or false, in small letters and without quotes: write \(correct)."
    }

    private static let noNull = "The character U+0000 has no place in a configuration."

    private func noTOML(_ error: any Error) -> ConfigurationError {
        guard let error = error as? TOMLParseError else {
            return ConfigurationError(file: file, line: nil, reason: "It is not TOML: \(error).")
        }
        let isNoValue = error.description.hasSuffix("could not determine value type")
        let line = error.source.begin.line
        let reason = isNoValue ? Self.noValue : "It is not TOML. \(printable(error.description))."
        return ConfigurationError(file: file, line: line, reason: correction(of: line) ?? reason)
    }

    /// TOMLKit repeats what it found, and this goes to the journal and to terminals.
    private func printable(_ text: String) -> String {
        let kept = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(kept))
    }

    /// One name of the outermost level, which is to be a table's.
    private mutating func take(_ value: (any TOMLValueConvertible)?, called name: String) {
        let table = value?.table
        guard Setting.tables.contains(name) else {
            return refuse([name], table == nil ? Unknown.setting(name) : Unknown.table(name))
        }
        guard let table else {
            return refuse([name], "\(name) must be a table: write [\(name)], and its settings below it.")
        }
        for key in table.keys {
            if name == Setting.patterns, let value = table[key] {
                takePattern(value, called: key)
                continue
            }
            guard let setting = Setting.all.first(where: { $0.table == name && $0.key == key }), let value = table[key]
            else {
                refuse([name, key], Unknown.setting(key, in: name))
                continue
            }
            take(value, for: setting)
        }
    }

    private mutating func takePattern(_ value: any TOMLValueConvertible, called name: String) {
        do {
            try Setting.takePattern(called: name, value, &values)
        } catch {
            refuse([Setting.patterns, name], "patterns.\(printable(name)) \(error.reason)")
        }
    }

    private mutating func take(_ value: any TOMLValueConvertible, for setting: Setting) {
        do {
            try setting.take(value, &values)
        } catch {
            let path = [setting.table, setting.key] + (error.element.map { ["\($0)"] } ?? [])
            let which = error.element.map { " See element \($0 + 1)." } ?? ""
            refuse(path, "\(setting.name) \(error.reason)\(which)")
        }
    }

    private mutating func refuse(_ path: [String], _ reason: String) {
        faults.append(ConfigurationError(file: file, line: lines?[path], reason: reason))
    }
}
