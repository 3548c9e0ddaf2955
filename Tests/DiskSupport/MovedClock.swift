import Glibc
public import UnixTestSupport

/// The clocks of one daemon. They go on by themselves, and can be moved forward.
public final class MovedClock {
    public let environment: [String: String]
    private let page: UnsafeMutablePointer<Int64>
    private static let length = 4_096

    /// - Parameter folder: gets a file `clock`.
    public init(in folder: Folder) {
        let path = folder["clock"]
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        must(ftruncate(descriptor, off_t(Self.length)))
        page = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
            .bindMemory(to: Int64.self, capacity: 1)
        must(close(descriptor))
        environment = ["LD_PRELOAD": Interposer.clock, "CLOCK_AHEAD": path]
    }

    deinit { munmap(page, Self.length) }

    public func goOn(seconds: Int64) { page.pointee += seconds }

    /// Moves to the next noon, so that the hours that a test adds up reach no midnight and no reminder time.
    public func goOnToNoon() { page.pointee = (page.pointee / 86_400 + 1) * 86_400 }
}
