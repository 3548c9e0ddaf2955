import Foundation
import Glibc

/// Libraries between a daemon and the kernel (LD_PRELOAD). They are built once for all tests, by the compiler that Swift
/// needs for linking.
public enum Interposer {
    public static let disk = built("disk")
    public static let clock = built("clock")

    private static let folder: String = {
        var template = Array("/tmp/daybreak-interposers-XXXXXX".utf8CString)
        let folder = String(cString: mkdtemp(&template)!)
        atexit {
            // Only this process makes the folder.
            try? FileManager.default.removeItem(atPath: Interposer.folder)
        }
        return folder
    }()

    private static func built(_ name: String) -> String {
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name + ".c").path()
        let library = "\(folder)/\(name).so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-O1", "-o", library, source]
        try! compiler.run()
        compiler.waitUntilExit()
        precondition(compiler.terminationStatus == 0, "\(name).c does not compile")
        return library
    }
}

/// The environment with all of these libraries.
public func interposed(_ surroundings: [String: String]...) -> [String: String] {
    let loaded = surroundings.compactMap { $0["LD_PRELOAD"] }.joined(separator: ":")
    return surroundings.reduce([:]) { all, next in all.merging(next) { $1 } }.merging(["LD_PRELOAD": loaded]) { $1 }
}

/// Kills the process after that many microseconds, whatever it is doing.
public func kill(_ process: pid_t, after microseconds: UInt32) {
    Thread.detachNewThread {
        usleep(microseconds)
        kill(process, SIGKILL)
    }
}
