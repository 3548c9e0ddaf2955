import DaybreakInterfaces
import Glibc
import TOML

extension Configuration {
    /// More than any person writes.
    static let byteLimit = 64 * 1_024

    /// Reads a configuration from TOML. A setting that the text leaves out has its default. Every key must be a setting.
    ///
    /// Throws the first fault in the text. `file` is only used in the error.
    static func read(_ text: String, file: String) throws(ConfigurationError) -> Configuration {
        var reader = SettingsReader(rows, values: Configuration())
        do { try reader.read(text) } catch {
            throw ConfigurationError(file: file, line: error.place.line, reason: error.reason)
        }
        var configuration = reader.values
        configuration.origin.file = file
        configuration.origin.lines = reader.places.mapValues(\.line)
        return configuration
    }

    /// The configuration in a file. Without a file, every setting has its default.
    static func load(_ path: String) throws(ConfigurationError) -> Configuration {
        guard let bytes = try contents(of: path) else {
            var configuration = Configuration()
            configuration.origin.file = path
            return configuration
        }
        return try read(text(bytes, of: path), file: path)
    }

    /// False if there is no such file. Throws if it cannot be read.
    static func isThere(_ path: String) throws(ConfigurationError) -> Bool { try contents(of: path) != nil }

    /// All faults of a file, and the number of those that are too many to be told. There are none without a file.
    static func faults(of path: String) -> (told: [ConfigurationError], more: Int) {
        do throws(ConfigurationError) {
            guard let bytes = try contents(of: path) else { return ([], 0) }
            let found = SettingsReader.faults(
                in: try text(bytes, of: path), file: path, rows, defaults: Configuration())
            let told = found.told.map {
                ConfigurationError(file: path, line: $0.place?.line, reason: $0.reason)
            }
            return (told, found.more)
        } catch { return ([error], 0) }
    }

    private static func text(_ bytes: [UInt8], of path: String) throws(ConfigurationError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: path, line: nil, reason: "It is not UTF-8 text.")
        }
        return text
    }

    /// Nil if there is no file. Throws for a link that leads to no file, because the person expects their settings to be in
    /// force.
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

    /// A setting's value as the file spells it, without quotes and brackets; `none` if it is empty.
    func spelled(_ name: String) -> String {
        guard let row = Self.rows.first(where: { $0.name == name }) else {
            preconditionFailure("\(name) is no setting")
        }
        let bare = row.spelled(self).filter { !"\"[]".contains($0) }
        return bare.isEmpty ? "none" : bare
    }
}
