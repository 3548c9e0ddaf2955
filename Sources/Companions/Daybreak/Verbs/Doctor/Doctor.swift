internal import ArgumentParser
import Companion
import JSON

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "doctor", abstract: "Say what is wrong with Daybreak here, and what to do about it.")

    @Flag(help: "Print the findings as one line of JSON.") var json = false
    @Option(help: DaemonOptions.socketHelp) var socket: String?

    func run() throws {
        let path = try DaemonSocket.path(explicit: socket, environment: Environment.variables)
        let findings = Examination(facts: .gathered(socket: path, environment: Environment.variables)).findings
        let report = Report(well: findings.allSatisfy { $0.state != .wrong }, findings: findings)
        if json { Streams.output(object: report) } else { Streams.output(Self.text(report, Streams.ink)) }
        if !report.well { throw ExitCode(Failure.refusedStatus) }
    }

    private struct Report: Encodable {
        let well: Bool
        let findings: [Finding]
    }

    private static func text(_ report: Report, _ ink: Ink) -> String {
        let wrong = report.findings.count { $0.state == .wrong }
        return report.findings.map { line($0, ink) }.joined()
            + "\n" + (report.well ? "All is well." : "\(Wording.counted(wrong, "thing")) to look at.") + "\n"
    }

    /// A mark, the check's name and the finding; on the next line the advice.
    static func line(_ finding: Finding, _ ink: Ink) -> String {
        let mark =
            switch finding.state {
            case .good: ink.good("✓")
            case .wrong: ink.warm("✗")
            case .unknown: ink.faint("·")
            }
        let title = finding.check == .nextUnlock ? "next unlock" : finding.check.rawValue
        let head = "  \(mark) \(title.padded(to: 14)) \(finding.finding)\n"
        return head + (finding.advice.map { "".padded(to: 19) + "→ \($0)\n" } ?? "")
    }
}

/// The outcome of one check.
struct Finding: Equatable, Encodable {
    enum Check: String, Encodable, CaseIterable {
        case daemon, version, unit, sandbox, lingering, journal, folders, disk, history, configuration, schedule, clock,
            zone
        case notifications, nextUnlock
    }

    enum State: String, Encodable {
        case good, wrong
        /// The state cannot be seen from here, or only while the daemon runs, which is no fault.
        case unknown
    }

    let check: Check
    let state: State
    /// One line.
    let finding: String
    /// The advice, on one line.
    let advice: String?

    static func good(_ check: Check, _ finding: String) -> Finding {
        Finding(check: check, state: .good, finding: finding, advice: nil)
    }

    static func wrong(_ check: Check, _ finding: String, do advice: String) -> Finding {
        Finding(check: check, state: .wrong, finding: finding, advice: advice)
    }

    static func unknown(_ check: Check, _ finding: String) -> Finding {
        Finding(check: check, state: .unknown, finding: finding, advice: nil)
    }
}
