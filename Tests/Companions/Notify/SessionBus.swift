import Foundation
import Glibc

/// A real `dbus-daemon` for one test.
final class SessionBus {
    /// Removed with everything in it at the end.
    let folder: String
    private var process = Process()

    var address: String { "unix:path=\(folder)/bus" }

    static let program = "/usr/bin/dbus-daemon"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    init() {
        var template = Array("/tmp/daybreak-tests-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template)!)
        start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it, and returns once it listens.
    func start() {
        let settings = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/> <allow eavesdrop="true"/> <allow own="*"/>
              </policy>
            </busconfig>
            """
        try! settings.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        let told = Pipe()
        process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["--nofork", "--config-file", folder + "/bus.conf", "--print-address"]
        process.standardOutput = told
        process.standardError = FileHandle.nullDevice
        try! process.run()
        _ = told.fileHandleForReading.availableData  // It prints its address once it listens.
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        unlink(folder + "/bus")
    }
}
