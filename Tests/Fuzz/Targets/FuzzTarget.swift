import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink

@testable import HomeworkDaemon

/// A reader of bytes from strangers or from a damaged disk, and its promises for any bytes.
///
/// `Tests/Fuzz/run` invents the bytes. The inputs worth keeping are in `Corpus`, and ``CorpusTests`` tries them.
enum FuzzTarget: String, CaseIterable {
    case frames, interfaces, schedules, configurations, times, programmes

    /// Throws if a promise is broken. The caller notices other failures, a trap or an endless loop.
    func run(_ bytes: [UInt8]) throws {
        switch self {
        case .frames: try FrameFuzz.run(bytes)
        case .interfaces: try InterfaceFuzz.run(bytes)
        case .schedules: try ScheduleFuzz.run(bytes)
        case .configurations: try ConfigurationFuzz.run(bytes)
        case .times: try TimeFuzz.run(bytes)
        case .programmes: try ProgrammeFuzz.run(bytes)
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

/// Whether the place is in the text, or directly behind it.
func isPlace(line: Int, column: Int?, in bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard (1...lines.count).contains(line) else { return false }
    return column.map { (1...lines[line - 1].count + 1).contains($0) } ?? true
}
