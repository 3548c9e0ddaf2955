public import UnixTestSupport

/// The clocks of one daemon. They go on by themselves, and can be moved forward.
public final class MovedClock {
    public let environment: [String: String]
    private let shared: SharedPage
    private var page: UnsafeMutablePointer<Int64> { shared.numbers }

    /// - Parameter folder: gets a file `clock`.
    public init(in folder: Folder) {
        let path = folder["clock"]
        shared = SharedPage(path, count: 1)
        environment = ["LD_PRELOAD": Interposer.clock, "CLOCK_AHEAD": path]
    }

    public func goOn(seconds: Int64) { page.pointee += seconds }

    /// Moves to the next noon, so that the hours that a test adds up reach no midnight and no reminder time.
    public func goOnToNoon() { page.pointee = (page.pointee / 86_400 + 1) * 86_400 }
}
