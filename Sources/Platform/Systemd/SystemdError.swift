import Glibc

/// A call into libsystemd or the kernel that failed, and why.
public struct SystemdError: Error, Equatable, CustomStringConvertible {
    /// The function that failed, as its manual page spells it.
    public let call: String

    /// Positive, as in man 3 errno.
    public let errno: Int32

    public init(call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// True for a want of descriptors or memory: there may be enough a moment later.
    public var isOfShortage: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }

    /// "sd_event_new: Too many open files"
    public var description: String { "\(call): \(String(cString: strerror(errno)))" }
}

/// libsystemd's convention: a negative result is an errno, anything else an answer.
@discardableResult
package func check(_ call: String, _ result: Int32) throws(SystemdError) -> Int32 {
    guard result >= 0 else { throw SystemdError(call: call, errno: -result) }
    return result
}

/// The kernel's convention: -1 means that `errno` has the error.
@discardableResult
func checkErrno(_ call: String, _ result: Int32) throws(SystemdError) -> Int32 {
    guard result != -1 else { throw SystemdError(call: call, errno: Glibc.errno) }
    return result
}
