import Files
import Foundation
import Glibc
import Testing

@testable import HomeworkHistory

/// In a folder that others may write to, they can replace a copy by a link between its making and SQLite's opening of it.
struct PlantedTests {
    @Test func `a copy or an export is refused in a folder that others may write to`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            FaultyDisk.insert()
            let history = try place.open()
            try history.record(OneOfEach.events)
            let (shared, trap) = (place.folder + "/shared", place.folder + "/trap")
            mkdir(shared, 0o700)
            chmod(shared, 0o777)
            plant(trap, instead: "\(shared)/copy.db.new")
            expectRefusal("Others may write in the folder \(shared): run chmod go-w \(shared)") {
                try history.backUp(to: "\(shared)/copy.db")
            }
            expectRefusal("Others may write in the folder \(shared): run chmod go-w \(shared)") {
                try history.export(to: "\(shared)/export.jsonl")
            }
            #expect(contents(trap) == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: shared) == [])
        }
    }

    /// The copy from before a migration is the only one that is made without a request.
    @Test func `a history is not migrated if others may write to the folder of its copy`() async {
        await #expect(processExitsWith: .success) {
            let place = TemporaryHistory()
            let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/version-1.db")
            write(try Array(Data(contentsOf: fixture)), to: place.path)
            FaultyDisk.insert()
            let (backups, trap) = (place.folder + "/backups", place.folder + "/trap")
            mkdir(backups, 0o700)
            chmod(backups, 0o770)
            plant(trap, instead: "\(backups)/before-version-\(Tables.version).db")
            expectRefusal("Others may write in the folder \(backups): run chmod go-w \(backups)") {
                _ = try place.open()
            }
            #expect(contents(trap) == [])
        }
    }

    @Test func `a link in the place of the backups folder is refused`() throws {
        let place = TemporaryHistory()
        let (backups, elsewhere) = (place.folder + "/backups", place.folder + "/elsewhere")
        try place.record(OneOfEach.events)
        mkdir(elsewhere, 0o700)
        write([1], to: elsewhere + "/letter")
        symlink(elsewhere, backups)
        let refused = "\(backups) is a link, or no folder: put a folder in its place"
        expectRefusal(refused) { _ = try Backups(of: place.path).path("night-2027-03-01.db") }
        expectRefusal(refused) { try Backups(of: place.path).removeAll() }
        #expect(contents(elsewhere + "/letter") == [1])
        unlink(backups)
        chmod(place.folder, 0o722)
        expectRefusal("Others may write in the folder \(place.folder): run chmod go-w \(place.folder)") {
            _ = try Backups(of: place.path).path("restore-1")
        }
    }
}

/// Replaces the copy's name by a link to an empty file at the instant before SQLite opens it.
private func plant(_ trap: String, instead name: String) {
    write([], to: trap)
    FaultyDisk.beforeOpening = { opened in
        guard opened == name else { return }
        unlink(name)
        symlink(trap, name)
    }
}
