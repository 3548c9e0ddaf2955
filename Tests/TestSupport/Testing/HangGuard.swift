import Dispatch
import Foundation
import TestSupport
public import Testing

/// Ends the whole run when a test takes too long, and names the test, because nothing can interrupt a test that waits in a
/// system call. It also writes how long each test took into the file that DAYBREAK_TIMES names.
///
/// A test's time begins with its first line. The time of `.timeLimit`, and the seconds that the runner prints, begin while
/// the test still waits for a processor.
public struct HangGuard: SuiteTrait, TestTrait, TestScoping {
    private let places: TestSlots?

    /// Longer than all the tests together, because an asynchronous test waits for a thread while other tests hold all of
    /// them.
    private static let minutes = isThorough ? 240 : 45

    /// - Parameter places: the test waits for one of them before its time begins.
    public init(places: TestSlots? = nil) { self.places = places }

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await places?.take()
        defer { places?.giveBack() }
        let name = test.displayName ?? test.name
        let alarm = DispatchWorkItem {
            Self.note(name, .seconds(60 * Self.minutes))
            append("“\(name)” took more than \(Self.minutes) minutes; the run ends.\n", to: STDERR_FILENO)
            _exit(1)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(60 * Self.minutes), execute: alarm)
        let begin = ContinuousClock.now
        defer {
            alarm.cancel()
            Self.note(name, ContinuousClock.now - begin)
        }
        try await function()
    }

    /// Writes a line for each test, or for each case of a test that has several.
    private static func note(_ name: String, _ length: Duration) {
        guard let path = getenv("DAYBREAK_TIMES") else { return }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        append("\(length / .seconds(1))\t\(name)\n", to: file)
        close(file)
    }
}

extension Trait where Self == HangGuard {
    /// For a test that waits for another process.
    public static var hangGuard: Self { HangGuard() }
}

/// A limit on how many tests run at a time.
public final class TestSlots: Sendable {
    private let free: DispatchSemaphore

    public init(_ count: Int) { free = DispatchSemaphore(value: count) }

    /// Waits in a thread of its own, because the threads that run tests are few.
    func take() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                self.free.wait()
                continuation.resume()
            }
        }
    }

    func giveBack() { free.signal() }
}

private func append(_ text: String, to file: Int32) { _ = write(file, text, text.utf8.count) }
