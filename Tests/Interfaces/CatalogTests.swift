import DaybreakInterfaces
import Foundation
import Testing

@Suite struct CatalogTests {
    /// An entry in the format of systemd's catalog (systemd.io/CATALOG).
    private func entry(_ kind: Homework.ReminderKind) -> String {
        """

        -- \(kind.messageID)
        Subject: \(kind.title)
        Defined-By: Daybreak
        Support: daybreak --help

        \(kind.explanation)

        """
    }

    @Test func `the journal's catalog has the same texts as Swift`() throws {
        let expected = """
            # The meaning of each kind of reminder, for `journalctl -x`. `daybreak explain` shows the same texts.
            # A test compares this file with Sources/Interfaces/Daybreak/Catalog.swift.

            """
        let entries = Homework.ReminderKind.allCases.map(entry).joined()
        let file = URL(filePath: #filePath).appending(path: "../../../systemd/daybreak.catalog").standardized
        #expect(try String(contentsOf: file, encoding: .utf8) == expected + entries)
    }

    @Test(arguments: [
        (Homework.ReminderKind.unlocked, "bb39912e6c7349b6bf553d68c16f2e4c"),
        (.stillOpen, "dae1610f9e4a4788a56cb7a256d22f77"), (.providerAvailable, "b4dc27dd764c407f8645057a4f9f7ab7"),
        (.overdue, "db51d52d66e140ed89ecaba8a0f3d4a7"),
        (.completed, "9c706e2591e3466194cce0f7a62f554f"), (.missed, "bdd0c39937fb48cc872f1efe5a16e6b7"),
        (.scheduleTaken, "31860a61b892439989811f804726649e"), (.scheduleRefused, "118e0bde48064ccc870592123c1e39cc"),
        (.mail, "87c1827875d433734ea87dd632da2dc5"), (.chat, "0248ea8b8b80a1574f3d342853029917"),
        (.survey, "d61feba45d87f9fc212cb874537d7d81"), (.broadcast, "fe3d3ca4709e4d71e1b719015f6c0235"),
    ])
    func `the MESSAGE_ID of a kind never changes`(kind: Homework.ReminderKind, messageID: String) {
        #expect(kind.messageID == messageID)
    }

    @Test func `every kind has its own identifier and title`() {
        let kinds = Homework.ReminderKind.allCases
        #expect(Set(kinds.map(\.messageID)).count == kinds.count)
        #expect(Set(kinds.map(\.title)).count == kinds.count)
    }
}
