import Files

extension SettingsReader {
    /// Reads a settings file. Throws its first fault. Without a file, the defaults are returned.
    public static func load(
        _ path: String, _ settings: [Setting<Values>], defaults: Values
    ) throws(SettingsError) -> Values {
        guard let text = try text(of: path) else { return defaults }
        return try read(text, file: path, settings, defaults: defaults)
    }

    /// All faults of a settings file, at most `limit` of them, and the number of the others. There are none without a file.
    public static func faults(
        of path: String, _ settings: [Setting<Values>], defaults: Values, limit: Int = 100
    ) -> (told: [SettingsError], more: Int) {
        do throws(SettingsError) {
            guard let text = try text(of: path) else { return ([], 0) }
            return faults(in: text, file: path, settings, defaults: defaults, limit: limit)
        } catch { return ([error], 0) }
    }

    /// All faults of the text of a settings file. `file` is only used in the errors.
    public static func faults(
        in text: String, file: String, _ settings: [Setting<Values>], defaults: Values, limit: Int = 100
    ) -> (told: [SettingsError], more: Int) {
        var reader = SettingsReader(settings, values: defaults)
        do { try reader.read(text) } catch {
            // A text that is not TOML is not read further.
            guard reader.faultCount > 0 else {
                return ([SettingsError(file: file, place: error.place, reason: error.reason)], 0)
            }
        }
        let told = reader.faults(limit: limit)
        return (
            told.map { SettingsError(file: file, place: $0.place, reason: $0.reason) }, reader.faultCount - told.count
        )
    }

    /// Nil if there is no file.
    private static func text(of path: String) throws(SettingsError) -> String? {
        let bytes: [UInt8]
        do {
            guard try File.exists(path) else { return nil }
            bytes = try File.prefix(settingsLimit + 1, of: path)
        } catch {
            throw SettingsError(file: path, place: nil, reason: "\(error)")
        }
        guard bytes.count <= settingsLimit else {
            throw SettingsError(file: path, place: nil, reason: "It has more than \(settingsLimit) bytes.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError(file: path, place: nil, reason: "It is not UTF-8 text.")
        }
        return text
    }

    /// Reads the text of a settings file. `file` is only used in the error.
    public static func read(
        _ text: String, file: String, _ settings: [Setting<Values>], defaults: Values
    ) throws(SettingsError) -> Values {
        var reader = SettingsReader(settings, values: defaults)
        do { try reader.read(text) } catch {
            throw SettingsError(file: file, place: error.place, reason: error.reason)
        }
        return reader.values
    }
}

/// The most bytes of a settings file. A person writes fewer.
private let settingsLimit = 64 * 1_024

/// A fault in a settings file.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    public let file: String
    /// Nil if the fault concerns the whole file.
    public let place: TextPosition?
    /// Sentences that name the key and the expected value.
    public let reason: String

    public init(file: String, place: TextPosition?, reason: String) {
        (self.file, self.place, self.reason) = (file, place, reason)
    }

    /// `FILE:LINE:COLUMN: reason`.
    public var description: String {
        place.map { "\(file):\($0.line):\($0.column): \(reason)" } ?? "\(file): \(reason)"
    }
}
