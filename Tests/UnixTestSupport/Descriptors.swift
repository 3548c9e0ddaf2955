import Foundation
import Glibc

/// Gives this thread a descriptor table of its own (man 2 unshare). libdispatch opens and closes descriptors on its own
/// threads at any time; in a shared table they are counted too, and take the numbers that a test meant to keep.
public func separateDescriptors() {
    // Swift's Glibc does not declare it.
    let unshare = unsafeBitCast(dlsym(nil, "unshare"), to: (@convention(c) (Int32) -> Int32).self)
    let descriptors: Int32 = 0x400  // CLONE_FILES
    must(unshare(descriptors))
}

/// How many descriptors this thread has open.
public func descriptors() throws -> Int {
    let folder = "/proc/thread-self/fd"
    // The descriptor that lists the folder is closed by the time it is read.
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { exists("\(folder)/\($0)") }
}

/// The number of the next descriptor.
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
    /// Sends a message with a descriptor of this process (SCM_RIGHTS, man 7 unix).
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

/// Closes what a child process would inherit of other tests, from that number on: it would hold open what they wait to see
/// closed.
public func closeOthers(in actions: inout posix_spawn_file_actions_t, from first: Int32) {
    var limit = rlimit()
    must(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit))
    // A descriptor below the limit that is not open is passed over.
    for descriptor in first..<max(first, Int32(min(limit.rlim_cur, 1_024))) {
        posix_spawn_file_actions_addclose(&actions, descriptor)
    }
}
