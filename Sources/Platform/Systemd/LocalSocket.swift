import CSystemd
import Glibc

/// Sockets between programs of one machine (man 7 unix).
public enum LocalSocket {
    /// A stream that nobody waits for and no program started from here inherits; -1 and errno where there is none to be had.
    ///
    /// Made here since the compiler may find socket(2)'s types in CSystemd, or in Glibc.
    public static func stream() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }
}
