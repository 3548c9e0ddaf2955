import DaybreakInterfaces
import Foundation
import Testing

@testable import Companion
@testable import DaybreakCompanion

/// `o` in the session, where no browser opens.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot)) struct MeetingLinkTests {
    private static let sentence =
        "The link could not be opened here. Open it by hand: https://meet.example.org/amsel"

    /// - Parameter opener: the shell text of an xdg-open that comes first on the PATH; nil for none.
    @Test(arguments: ["exit 4", nil], ["", "--plain"])
    func `a link that could not be opened is said, with its address`(opener: String?, option: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "daybreak-link-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let opener {
            let file = folder.appending(path: "xdg-open").path()
            _ = FileManager.default.createFile(
                atPath: file, contents: Data("#!/bin/sh\n\(opener)\n".utf8), attributes: [.posixPermissions: 0o755])
        }
        let session = Sample.flow("session")
        let daemon = StagedDaemon(
            StagedDaemon.Stage(
                status: Sample.status(session), assignment: Sample.assignment("inProgress"), flow: session))
        let pane = try TmuxPane(
            columns: 80, rows: 24, environment: ["NO_COLOR": "1"], daemon: daemon,
            "daybreak=$(command -v daybreak); PATH=\(folder.path()); exec $daybreak start \(option)")
        pane.waits { pane.picture().contains("opens the link") }
        pane.type(option.isEmpty ? ["o"] : ["o", "Enter"])
        // The sentence may be broken over lines.
        func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(pane.waits { words(pane.picture()).contains(Self.sentence) })
    }
}
