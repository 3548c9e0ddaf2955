import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// The practice elsewhere that `practice` speaks to.
@Suite struct `A practice elsewhere` {
    /// A practice with a program in the place of `ssh`, which notes its words and ends.
    private func practice(settings: String? = nil) throws -> RealPractice {
        let practice = try RealPractice()
        let bin = practice.folder + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try "#!/bin/sh\necho \"$*\" >>'\(practice.folder)/asked'\nexit 255\n"
            .write(toFile: bin + "/ssh", atomically: true, encoding: .utf8)
        chmod(bin + "/ssh", 0o755)
        practice.also["PATH"] = bin + ":/usr/bin:/bin"
        practice.also["PRACTICE_SOCKET"] = ""
        guard let settings else { return practice }
        let folder = practice.folder + "/.config/practice"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try settings.write(toFile: folder + "/companion.toml", atomically: true, encoding: .utf8)
        return practice
    }

    /// The destinations that `ssh` was asked for, which stand after `--`, and the command after each.
    private func asked(_ practice: RealPractice) throws -> [String] {
        guard let text = try? String(contentsOfFile: practice.folder + "/asked", encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map {
            $0.components(separatedBy: " -- ").dropFirst().joined(separator: " -- ")
        }
    }

    @Test func `the option stands before PRACTICE_AT, and that before the settings`() throws {
        let practice = try practice(settings: "at = \"practice@settings\"\n")
        #expect(try practice.run("status").status == 69)
        practice.also["PRACTICE_AT"] = "practice@variable"
        #expect(try practice.run("status").status == 69)
        #expect(try practice.run("status", "--at", "practice@option").status == 69)
        practice.also["PRACTICE_AT"] = ""
        #expect(try practice.run("status").status == 69)
        #expect(
            try asked(practice)
                == ["settings", "variable", "option", "settings"].map { "practice@\($0) varlink" })
    }

    @Test func `a named socket stands before PRACTICE_AT and the settings`() throws {
        let practice = try practice(settings: "at = \"practice@settings\"\n")
        practice.also["PRACTICE_AT"] = "practice@variable"
        #expect(try practice.run("status", "--socket", practice.path).status == 0)
        practice.also["PRACTICE_SOCKET"] = practice.path
        #expect(try practice.run("status").status == 0)
        #expect(try asked(practice) == [])
        #expect(try practice.run("status", "--at", "practice@option").status == 69)
        #expect(try asked(practice) == ["practice@option varlink"])
    }

    @Test func `--at and --socket exclude each other`() throws {
        let practice = try practice()
        #expect(
            try practice.run("status", "--at", "practice@option", "--socket", practice.path)
                == .init(error: "--at and --socket name two practices: choose one.\n", status: 64))
        #expect(try asked(practice) == [])
    }

    /// `ssh` asks for the touch only where its own standard error is a terminal, which it is not here.
    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `a practice that does not answer for three seconds may wait for the touch of a key`() throws {
        let practice = try practice()
        let bin = practice.folder + "/bin"
        try "#!/bin/sh\nexec sleep 600\n".write(toFile: bin + "/ssh", atomically: false, encoding: .utf8)
        let pane = try TmuxPane(
            columns: 100, rows: 24, environment: practice.surroundings,
            "PATH='\(bin)':$PATH; practice status --at practice@clinic")
        let advice = "practice@clinic does not answer yet. If your key is a security key, touch it."
        pane.waits { pane.picture().contains(advice) }
    }

    @Test(arguments: ["-oProxyCommand=touch x", "-oProxyCommand=x", "-", " ", "a b", "a\tb", "a\nb"])
    func `a destination that ssh would take as something else is refused`(place: String) throws {
        let practice = try practice()
        func refusal(_ source: String) -> ProgramTests.Run {
            .init(error: "\(source) names an account at a machine, such as practice@clinic.example.\n", status: 64)
        }
        #expect(try practice.run("status", "--at=\(place)") == refusal("--at"))
        practice.also["PRACTICE_AT"] = place
        #expect(try practice.run("status") == refusal("PRACTICE_AT"))
        #expect(try asked(practice) == [])
    }

    @Test func `an empty --at is a slip, and an empty PRACTICE_AT is none at all`() throws {
        let practice = try practice()
        let run = try practice.run("status", "--at=")
        #expect(run.status == 64 && run.error.hasPrefix("Error: Missing value for '--at <account@machine>'\n"))
        practice.also["PRACTICE_AT"] = ""
        practice.also["PRACTICE_SOCKET"] = practice.path
        #expect(try practice.run("status").status == 0)
        #expect(try asked(practice) == [])
    }

    @Test func `a destination of the settings is checked as well`() throws {
        let practice = try practice(settings: "at = \"-oProxyCommand=x\"\n")
        let file = practice.folder + "/.config/practice/companion.toml"
        #expect(
            try practice.run("status")
                == .init(
                    error: "\(file) names an account at a machine, such as practice@clinic.example.\n", status: 64))
        #expect(try asked(practice) == [])
    }
}
