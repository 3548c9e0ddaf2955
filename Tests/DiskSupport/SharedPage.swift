import Glibc
import UnixTestSupport

/// A page of memory that a test shares with an interposed library in a daemon, through a file.
final class SharedPage {
    let numbers: UnsafeMutablePointer<Int64>
    private static let length = 4_096

    /// - Parameter count: the numbers at the start of the page.
    init(_ path: String, count: Int) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        must(ftruncate(descriptor, off_t(Self.length)))
        numbers = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
            .bindMemory(to: Int64.self, capacity: count)
        must(close(descriptor))
    }

    deinit { munmap(numbers, Self.length) }
}
