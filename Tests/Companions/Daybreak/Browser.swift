import Foundation

/// Chromium, without a screen.
enum Browser {
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static func run(_ arguments: String..., home: URL) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                "--user-data-dir=\(home.path)/profile",
            ] + arguments
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, process.terminationStatus)
    }

    /// The option that makes the system's colours `light` or `dark`.
    static func prefers(_ scheme: String) -> String {
        "--blink-settings=preferredColorScheme=\(scheme == "dark" ? 0 : 1)"
    }

    /// The colour of a picture's first pixel, such as `#fdfbf7`.
    static func firstPixel(of picture: String) throws -> String {
        // Of the first pixel, every filter of PNG leaves the bytes as they are.
        let script = """
            import struct, sys, zlib
            file = open(sys.argv[1], "rb").read()
            place, data = 8, b""
            while place < len(file):
                length, kind = struct.unpack(">I4s", file[place:place + 8])
                if kind == b"IDAT": data += file[place + 8:place + 8 + length]
                place += length + 12
            print("#" + zlib.decompress(data)[1:4].hex())
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, picture]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return said.split(separator: "\n").first.map(String.init) ?? ""
    }
}
