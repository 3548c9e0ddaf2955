import Foundation
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing

@testable import PracticeDaemon

@Suite struct `The journal's messages` {
    /// An entry as systemd's catalog format has it (systemd.io/CATALOG).
    private func entry(_ kind: PracticeMessage) -> String {
        """

        -- \(kind.messageID)
        Subject: \(kind.title)
        Defined-By: Daybreak
        Support: practice --help

        \(kind.explanation)

        """
    }

    @Test func `the journal's catalog has the same texts as Swift`() throws {
        let expected = """
            # The meaning of each kind of message of a practice, for `journalctl -x`.
            # A test compares this file with Sources/Interfaces/Staff/Messages.swift.

            """
        let file = URL(filePath: #filePath).appending(path: "../../../../systemd/practice.catalog").standardized
        #expect(
            try String(contentsOf: file, encoding: .utf8) == expected + PracticeMessage.allCases.map(entry).joined())
    }

    @Test(arguments: [
        (PracticeMessage.recordOpened, "bee8cb07593ca939ad098b0adf8a082e"),
        (.recordClosed, "e87daeb2237eb55ae86a3782c7586bc6"),
        (.recordReopened, "a1bc5b6d19ea0c995808ef9e407f66b8"),
        (.recordTransferred, "cb234c0d39d79d3689e599123a5640e9"),
        (.recordErased, "0c61f8720af90d64316fffdef6192547"),
        (.staffAdded, "e501381ecb7bd2339db0222592543da0"),
        (.staffRetired, "271a6e05dc6dcac5389f153a3666120e"),
        (.backupMade, "25f656b6fbaac1f27c4f22b6f3c55c19"),
        (.backupFailed, "bd180ce413b14bbb7cf9c36717c0571f"),
        (.storageUnavailable, "241ee08e515dd8dfcb43bf95a795de53"),
        (.storageBack, "ca4b9a689473f6be2407f4e89d84c82f"),
        (.storageDamaged, "2491caacf320290ffdc5d8cb25cfca4f"),
        (.storageRestored, "ffed7d538cacf51982603a3c1b911ca1"),
        (.practiceFilled, "a9d6d6a948e4a111e0a475012b71adb9"),
        (.imported, "274018db2168e15e94942bbcaa74b7e5"),
        (.clientWaits, "97baac5f95a9f1e0ac2b2ac7c2ed6f1b"),
    ])
    func `the MESSAGE_ID of a kind never changes`(kind: PracticeMessage, messageID: String) {
        #expect(kind.messageID == messageID)
    }

    @Test func `every kind has an identifier and a title of its own`() {
        let kinds = PracticeMessage.allCases
        #expect(Set(kinds.map(\.messageID)).count == kinds.count)
        #expect(Set(kinds.map(\.title)).count == kinds.count)
    }

    @Test func `messages about records and staff have identifiers, and one message for each key`() throws {
        let clinic = try Clinic()
        let ana = try clinic.staff("Ana", .thanatologist)
        let ben = try clinic.staff("Ben", .thanatologist)
        let vera = try clinic.staff("Vera", .administrator)
        func told<M: Handled>(_ person: String, _ method: M) throws -> [String] {
            try clinic.as(person).outcome(method).journalLines.map(\.sentence)
        }
        let adding = Practice.AddStaff(name: "Sol", role: "support", key: "once")
        #expect(try told(vera, adding) == ["A person joined the staff: p4."])
        #expect(try told(vera, adding) == [])
        #expect(try told(ana, Records.AddClient(name: "Cleo")) == ["A record was opened: p5."])
        #expect(try told(ana, Records.CloseRecord(client: "p5", reason: "She moved")) == ["A record was closed: p5."])
        #expect(
            try told(ana, Records.ReopenRecord(client: "p5", why: .return, reason: "She is back"))
                == ["A record was opened again: p5."])
        #expect(
            try told(vera, Records.Transfer(client: "p5", to: ben, reason: "Ana is away"))
                == ["A record was transferred: p5."])
        #expect(try told(ana, Records.GetClient(client: "p5")) == [])
        #expect(
            try told(vera, Practice.RetireStaff(person: ben, revision: 1, successor: ana))
                == ["A record was transferred: p5.", "A person left the staff: p2."])
        #expect(try told(vera, Practice.RetireStaff(person: ben, revision: 2)) == [])
    }
}
