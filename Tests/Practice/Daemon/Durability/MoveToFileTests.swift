import DiskSupport
import Foundation
import Glibc
import Testing
import TestingSupport
import UnixTestSupport

@testable import PracticeDaemon
@testable import PracticeStore

/// A practice that is moved to a file, on a disk that fails.
@Suite(.ofFile, .hangGuard) struct `A move to a file` {
    /// The last of the syncs is that of the file's folder. SQLite ignores the failure of another.
    @Test func `is told as it is if the file's name could not be made durable`() throws {
        let day = try Workload()
        mkdir(day.folder["target"], 0o700)
        let target = day.folder["target"] + "/practice.db"
        let (nothing, moved) = ("practiced: nothing was moved. ", "practiced: The practice is in \(target), whole, but")
        var (failures, whole) = (0, 0)
        for number in 1...100 {
            let faults = DiskFaults(in: day.folder, below: day.folder["target"])
            faults.fail(.syncs, number, error: EIO)
            let program = Process()
            program.executableURL = URL(filePath: PracticeProcess.program)
            program.arguments = ["--config", day.folder["practice.toml"], "--move-to", target]
            program.environment = faults.environment.merging(
                ["STATE_DIRECTORY": day.state, "LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
            let (status, said) = try program.runToEnd()
            guard faults.failed > 0 else {
                #expect(status == 0, "\(said)")
                break
            }
            failures += 1
            if exists(target) {
                #expect(!said.contains(nothing), "sync \(number): \(said)")
                if status != 0 { whole += 1 }
                #expect(status == 0 || status == 75 && said.contains(moved), "sync \(number): \(said)")
                _ = try Store.verify(target)
            } else {
                #expect(status != 0 && said.contains(nothing), "sync \(number): \(said)")
            }
            for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
        }
        #expect(failures > 1 && whole == 1)
    }
}
