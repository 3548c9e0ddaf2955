import Foundation
import Glibc

/// A folder for one test, removed with everything in it.
public final class Folder {
    public let path: String

    public init() {
        var template = Array("/tmp/daybreak-tests-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template)!)
    }

    deinit {
        // The test may have moved or removed it.
        try? FileManager.default.removeItem(atPath: path)
    }

    public subscript(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in it, in order.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

public func must(_ result: Int32, _ call: String = #function) {
    precondition(result != -1, "\(call): \(String(cString: strerror(errno)))")
}

/// Writes a file in place, as a shell's > does.
public func write(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    must(descriptor)
    let bytes = Array(text.utf8)
    precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    must(close(descriptor))
}

/// Nil if there is no such file.
public func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return String(decoding: text, as: UTF8.self) }
        text += chunk[..<count]
    }
}

/// The permission bits of the file or link itself, not of a link's target; nil if the path does not exist.
public func mode(of path: String) -> mode_t? {
    var seen = stat()
    return lstat(path, &seen) == 0 ? seen.st_mode & 0o7777 : nil
}

public func exists(_ path: String) -> Bool { mode(of: path) != nil }
