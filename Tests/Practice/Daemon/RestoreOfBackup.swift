import PracticeInterfaces
import StaffInterfaces

@testable import PracticeDaemon

extension Clinic.TestCaller {
    /// Fetches a backup in pieces and restores it. Returns the path of the replaced database.
    @discardableResult
    func restore(backup: String) throws -> String {
        var (offset, name): (Int?, String?) = (0, nil)
        while let start = offset {
            let read = try call(Upkeep.ReadBackup(backup: backup, offset: start))
            name = try call(Upkeep.UploadRestore(restore: name, offset: start, piece: read.piece)).restore
            offset = read.next
        }
        return try call(Upkeep.Restore(restore: name ?? "")).kept
    }
}
