// simulation [SEEDS [FIRST]]: lives one year for each seed, and ends with 1 if a promise was broken.
import Dispatch
import Glibc

let words = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let (count, first) = (words.first ?? 1_000, words.count > 1 ? words[1] : 1)
let begin = ContinuousClock.now
let lanes = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
let found = UnsafeMutableBufferPointer<(turns: Int, failures: [String])>.allocate(capacity: lanes)
found.initialize(repeating: (0, []))
nonisolated(unsafe) let results = found
DispatchQueue.concurrentPerform(iterations: lanes) { lane in
    for seed in stride(from: first + UInt64(lane), to: first + count, by: lanes) {
        let year = SimulatedYear(seed: seed)
        results[lane].turns += year.turns
        guard let failure = year.failure else { continue }
        results[lane].failures.append(failure)
        // Each lane prints its first failure whole, and the others by their seeds.
        print(results[lane].failures.count == 1 ? failure : "Seed \(seed) breaks a promise, too")
    }
}
let turns = results.reduce(0) { $0 + $1.turns }
let failures = results.flatMap(\.failures)
let seconds = (ContinuousClock.now - begin) / .seconds(1)
let tenths = Int((seconds * 10).rounded())
print(
    "simulation: \(count) seeds of \(SimulatedYear.days) days, \(turns) turns, \(tenths / 10).\(tenths % 10) s on \(lanes) "
        + "processors; \(failures.count) broke a promise")
exit(failures.isEmpty ? 0 : 1)
