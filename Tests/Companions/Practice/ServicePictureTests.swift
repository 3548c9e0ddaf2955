import Foundation
import TestSupport
import Testing

@testable import Companion

/// Pictures of services in a real terminal, with a program in the place of `chafa`.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `The pictures of services` {
    private static let picture = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        let file = practice.folder + "/a.png"
        try #require(Self.picture).write(to: URL(filePath: file))
        try practice.says(
            "service", "add", "--category", "Alone", "--name", "Walk", "--description", "In the park.",
            "--picture", file)
        return practice
    }

    /// The services in a pane.
    ///
    /// - Parameter chafa: the text of a program in the place of `chafa`; nil: there is none.
    private func shown(_ practice: RealPractice, chafa: String?, _ options: String = "") throws -> String {
        let bin = practice.folder + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        if let chafa {
            try "#!/bin/sh\n\(chafa)\n".write(toFile: bin + "/chafa", atomically: true, encoding: .utf8)
            chmod(bin + "/chafa", 0o755)
        }
        var environment = practice.surroundings
        environment["TERM"] = nil
        environment["PAGER"] = "cat"
        // An installed chafa is not found.
        let programs = Programs.folder
        let pane = try TmuxPane(
            columns: 80, rows: 20, environment: environment,
            "PATH=\(bin); \(programs)/practice services \(options); echo \"= $?\"; read -r _")
        pane.waits { pane.ends(with: "= 0") }
        return pane.picture().trimmed
    }

    private func page(_ middle: String) -> String {
        """
          Clinic at the Park

          Alone

          Walk · v1
        \(middle)
        = 0
        """
    }

    @Test func `chafa draws them, from a file that is gone afterwards`() throws {
        let practice = try practice()
        let log = practice.folder + "/asked"
        let chafa = """
            echo "$1 $2 $3 $4" >'\(log)'; echo "$5" >>'\(log)'; /usr/bin/cksum <"$5" >>'\(log)'
            echo '/\\/\\'; echo '\\/\\/'
            """
        #expect(try shown(practice, chafa: chafa) == page("    /\\/\\\n    \\/\\/\n    In the park."))
        let said = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(said[0] == "--format symbols --size 36x12")
        #expect(!FileManager.default.fileExists(atPath: said[1]))
        let whole = Process()
        let output = Pipe()
        whole.executableURL = URL(filePath: "/usr/bin/cksum")
        whole.standardInput = FileHandle(forReadingAtPath: practice.folder + "/a.png")
        whole.standardOutput = output
        try whole.run()
        whole.waitUntilExit()
        #expect(said[2] + "\n" == String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
    }

    @Test func `they are named where there is no chafa, where it fails, and where nobody wants them`() throws {
        let practice = try practice()
        let named = page("    In the park.\n    (with a picture)")
        #expect(try shown(practice, chafa: nil) == named)
        #expect(try shown(practice, chafa: "echo broken; exit 1") == named)
        #expect(try shown(practice, chafa: "echo drawn", "--no-pictures") == named)
        #expect(try shown(practice, chafa: "echo drawn", "--plain") == named)
    }
}
