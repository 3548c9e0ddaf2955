import Foundation
import Glibc
import UnixTestSupport

/// Libraries between a daemon and the kernel (LD_PRELOAD). They are built once for all tests, by the compiler that Swift
/// needs for linking.
enum Interposer {
    static let disk = built("disk")
    static let clock = built("clock")

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
func interposed(_ surroundings: [String: String]...) -> [String: String] {
    let loaded = surroundings.compactMap { $0["LD_PRELOAD"] }.joined(separator: ":")
    return surroundings.reduce([:]) { all, next in all.merging(next) { $1 } }.merging(["LD_PRELOAD": loaded]) { $1 }
}

/// The clocks of one daemon. They go on by themselves, and can be moved forward.
final class MovedClock {
    let environment: [String: String]
    private let page: UnsafeMutablePointer<Int64>
    private static let length = 4_096

    init(_ household: Household) {
        let path = household.folder["clock"]
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        must(ftruncate(descriptor, off_t(Self.length)))
        page = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
            .bindMemory(to: Int64.self, capacity: 1)
        must(close(descriptor))
        environment = ["LD_PRELOAD": Interposer.clock, "CLOCK_AHEAD": path]
    }

    deinit { munmap(page, Self.length) }

    func goOn(seconds: Int64) { page.pointee += seconds }

    /// Moves to the next noon, so that the hours that a test adds up reach no midnight and no reminder time.
    func goOnToNoon() { page.pointee = (page.pointee / 86_400 + 1) * 86_400 }
}
