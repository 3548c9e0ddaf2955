internal import ArgumentParser
import DaybreakInterfaces
import JSON
import Varlink

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "doctor", abstract: Wording.About.doctor)

    @Flag(help: ArgumentHelp(Wording.About.doctorJSON)) var json = false
    @Option(help: ArgumentHelp(Wording.About.socket, valueName: "path")) var socket: String?

    func run() throws {
        let path = try DaemonSocket.path(explicit: socket, environment: Standard.environment)
        let findings = Examination(facts: .gathered(socket: path, environment: Standard.environment)).findings
        let report = Report(well: findings.allSatisfy { $0.state != .wrong }, findings: findings)
        Standard.output(
            json ? JSONObject.text(of: report) + [UInt8(ascii: "\n")] : Array(Self.text(report, Standard.ink).utf8))
        if !report.well { throw ExitCode(Failure.refusedStatus) }
    }

    private struct Report: Encodable {
        let well: Bool
        let findings: [Finding]
    }

    private static func text(_ report: Report, _ ink: Ink) -> String {
        let wrong = report.findings.count { $0.state == .wrong }
        return report.findings.map { line($0, ink) }.joined()
            + "\n" + (report.well ? Wording.Doctor.well : Wording.Doctor.faults(wrong)) + "\n"
    }

    /// A mark, what was looked at, and what it means; under it what to do.
    static func line(_ finding: Finding, _ ink: Ink) -> String {
        let mark =
            switch finding.state {
            case .good: ink.good("✓")
            case .wrong: ink.warm("✗")
            case .unknown: ink.faint("·")
            }
        let head = "  \(mark) \(Wording.Doctor.title(finding.check).padded(to: 14)) \(finding.finding)\n"
        return head + (finding.advice.map { "".padded(to: 19) + "→ \($0)\n" } ?? "")
    }
}
