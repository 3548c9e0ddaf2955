import Foundation
import Glibc

/// How many this process has open.
public func descriptors() throws -> Int {
    // The listing's own is gone by the time it is read.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { exists("/proc/self/fd/\($0)") }
}

/// The number that the next one to be opened gets.
public func lowestFree() -> Int32 {
    let free = dup(STDERR_FILENO)
    must(close(free))
    return free
}

public func limitDescriptors(to number: Int32) {
    var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: 1_024)
    must(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
}

public extension Client {
    /// A message with a descriptor of this process (SCM_RIGHTS, man 7 unix).
    func send(_ message: String, along sent: Int32) {
        var bytes = Array(message.utf8) + [0]
        // A header of 16 bytes, and an int with its padding (man 3 cmsg).
        var control: [UInt8] = []
        withUnsafeBytes(of: 20) { control += $0 }
        withUnsafeBytes(of: SOL_SOCKET) { control += $0 }
        withUnsafeBytes(of: Int32(1)) { control += $0 }
        withUnsafeBytes(of: Int(sent)) { control += $0 }
        bytes.withUnsafeMutableBytes { bytes in
            var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            withUnsafeMutablePointer(to: &vector) { vector in
                control.withUnsafeMutableBytes { control in
                    var header = msghdr()
                    header.msg_iov = vector
                    header.msg_iovlen = 1
                    header.msg_control = control.baseAddress
                    header.msg_controllen = control.count
                    precondition(sendmsg(descriptor, &header, 0) == bytes.count)
                }
            }
        }
    }
}
