import Foundation
import Testing

/// A cable that carries no more than so much, by the kernel's token bucket filter (tc-tbf(8)).
enum SlowLine {
    private static let queue = "tc qdisc add dev"

    /// False where the kernel has no such queue.
    static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c", "unshare --net bash -c '\(queue) lo root tbf rate 32kbit burst 2kb latency 4s' >/dev/null 2>&1",
        ]
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
    static let whyNot: Comment = "the kernel has no token bucket filter"

    /// - Parameters:
    ///   - rate: of the bits that the box sends in a second, as tc(8) writes it.
    ///   - burst: the bytes that may go at once.
    ///   - latency: for how long a packet waits at most; it is dropped if it would wait longer.
    static func lay(in box: Box, _ rate: String, burst: String, latency: String) async throws {
        try await box.run("\(queue) cable root tbf rate \(rate) burst \(burst) latency \(latency)", as: .root)
    }
}
