import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink

@testable import HomeworkDaemon

/// A reader of ours that strangers or a damaged disk feed, and what it promises of whatever bytes it is given.
///
/// `Tests/Fuzz/run` invents the bytes; what it found worth keeping lies in `Corpus` and is tried by ``CorpusTests``.
enum FuzzTarget: String, CaseIterable {
    case frames, interfaces, schedules, configurations, times

    /// Throws where a promise is broken. Other failures, a trap or an endless loop, are for the caller to notice.
    func run(_ bytes: [UInt8]) throws {
        switch self {
        case .frames: try FrameFuzz.run(bytes)
        case .interfaces: try InterfaceFuzz.run(bytes)
        case .schedules: try ScheduleFuzz.run(bytes)
        case .configurations: try ConfigurationFuzz.run(bytes)
        case .times: try TimeFuzz.run(bytes)
        }
    }
}

/// A promise that did not hold.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func promise(_ description: @autoclosure () -> String, _ holds: Bool) throws {
    guard holds else { throw Broken(description: description()) }
}

/// Whether a place is one of the text's, or just behind it.
func isPlace(line: Int, column: Int?, in bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard (1...lines.count).contains(line) else { return false }
    return column.map { (1...lines[line - 1].count + 1).contains($0) } ?? true
}
