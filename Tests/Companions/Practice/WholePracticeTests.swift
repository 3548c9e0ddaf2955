import Foundation
import PracticeInterfaces
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct `The maintenance verbs of practice` {
    @Test func `a practice at its limit of connections is reported, also by the doctor`() throws {
        let practice = try RealPractice(
            """
            [limits]
            connections_of_person = 4
            """)
        let account = RealPractice.account
        let crowded = "practiced takes no more connections of \(account): there are 4, which is the limit."
        let advice =
            "End programs that hold some (`pgrep -af practice` lists those of the practice), and run this again."
        do {
            let crowd = try (0..<4).map { _ in try DaemonConnection(to: practice.path) }
            // An answer shows that the connection was accepted.
            for connection in crowd { _ = try connection.call(Practice.WhoAmI()) }
            #expect(try practice.run("status") == .init(error: "\(crowded)\n\(advice)\n", status: 1))
            #expect(
                try practice.run("doctor") == .init(output: "  ✗ Daemon: \(crowded)\n    \(advice)\n", status: 1))
            withExtendedLifetime(crowd) {}
        }
        #expect(try practice.says("doctor") == "  ✓ Database\n  ✓ Backups\n  ✓ Settings\n")
    }

    @Test func `the verb names the number of nightly backups from the settings`() throws {
        let practice = try RealPractice("[storage]\nnights = 30")
        #expect(
            try practice.says("backup")
                == "The backup of this night is made. The daemon does so by itself, and keeps the last 30.\n")
    }

    @Test func `an erasure names the removed backups, and says that the reader must destroy other copies`() {
        let elsewhere = "Backups that were made elsewhere still hold it: destroy them.\n"
        #expect(
            ClientVerb.Erase.copies(
                .init(removed: ["night-2027-03-04.db", "night-2027-03-05.db"], backup: "/b/night-2027-03-05.db"))
                    == """
                    2 backups were removed: night-2027-03-04.db, night-2027-03-05.db.
                    This night's was made anew, without it: /b/night-2027-03-05.db.
                    \(elsewhere)
                    """)
        #expect(
            ClientVerb.Erase.copies(.init(removed: [], backupProblem: "Copies may hold it.")) == """
                Copies may hold it.
                \(elsewhere)
                """)
    }
}
