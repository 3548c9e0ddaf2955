import Glibc

/// Output of a program that is done.
public enum StandardStreams {
    /// Prints the bytes, and returns the exit status: 1 if they cannot be written, which standard error tells. A reader that has
    /// read enough is no failure.
    public static func print(_ bytes: [UInt8]) -> Int32 {
        guard !File.write(bytes, to: STDOUT_FILENO), errno != EPIPE else { return 0 }
        let reason = String(cString: strerror(errno))
        // A failure is ignored, because there is no other place for the message.
        _ = File.write(Array("Standard output cannot be written: \(reason).\n".utf8), to: STDERR_FILENO)
        return 1
    }

    /// Prints the line. Returns the exit status.
    public static func print(_ line: String) -> Int32 { print(Array("\(line)\n".utf8)) }
}
