import Glibc
import Systemd
import Testing
import UnixTestSupport

@testable import Workers

@Suite struct `A worker beside the loop` {
    @Test func `carries out jobs in their order, on one thread, and answers in the loop`() throws {
        let loop = try EventLoop()
        var answers: [Int] = []
        let here = pthread_self()
        var answeredHere = true
        let worker = try Worker<Int, Int>(loop) {
            var sum = 0
            return { jobs in
                jobs.map { job in
                    sum += job
                    return sum
                }
            }
        } deliver: {
            answers += $0
            answeredHere = answeredHere && pthread_equal(pthread_self(), here) != 0
        }
        for job in 1...1_000 { worker.carryOut([job]) }
        while answers.count < 1_000 { _ = try loop.step(timeoutMicroseconds: nil) }
        #expect(answers == (1...1_000).map { $0 * ($0 + 1) / 2 })
        #expect(answeredHere)
    }

    @Test func `ends only once every job is carried out and answered`() throws {
        let loop = try EventLoop()
        var answers: [Int] = []
        let worker = try Worker<Int, Int>(loop) {
            { $0 }
        } deliver: {
            answers += $0
        }
        worker.carryOut(Array(1...100))
        worker.end()
        #expect(answers == Array(1...100))
    }

    @Test func `is refused without a free descriptor, and can be had once there is one`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            separateDescriptors()
            limitDescriptors(to: 256)
            var held: [Int32] = []
            while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { held.append(descriptor) }
            for _ in 1...4 {
                #expect(throws: SystemdError(call: "pipe", errno: EMFILE)) {
                    _ = try Worker<Int, Int>(loop) {
                        { $0 }
                    } deliver: { _ in
                    }
                }
                must(close(held.removeLast()))
            }
            let worker = try Worker<Int, Int>(loop) {
                { $0 }
            } deliver: { _ in
            }
            worker.end()
        }
    }
}
