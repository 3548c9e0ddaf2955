import Foundation
import TestSupport
import Testing

/// The inputs that `run` kept, and those that once broke a reader. Every run of the tests tries them.
@Suite struct CorpusTests {
    private static func inputs(of target: FuzzTarget) throws -> [URL] {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
        return try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: target.rawValue), includingPropertiesForKeys: nil)
    }

    @Test(arguments: FuzzTarget.allCases) func `each kept input keeps the promises`(
        target: FuzzTarget
    ) throws {
        let inputs = try Self.inputs(of: target)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let bytes = Array(try Data(contentsOf: input))
            #expect(throws: Never.self, "\(target.rawValue)/\(input.lastPathComponent)") { try target.run(bytes) }
        }
    }

    /// A short form of what `run` does, without its knowledge of which code an input reaches.
    @Test(arguments: FuzzTarget.allCases) func `each kept input keeps the promises after any change`(
        target: FuzzTarget
    ) throws {
        let inputs = try Self.inputs(of: target).sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
        var dice = SplitMix64(seed: testSeed)
        for input in inputs {
            for _ in 1...20 {
                let bytes = Self.changed(input, inputs, &dice)
                #expect(throws: Never.self, "\(target.rawValue), seed \(testSeed): \(bytes)") { try target.run(bytes) }
            }
        }
    }

    /// The bytes with up to four changes: other bytes, bytes left out or repeated, or a part of another input.
    private static func changed(_ input: [UInt8], _ inputs: [[UInt8]], _ dice: inout SplitMix64) -> [UInt8] {
        var bytes = input
        for _ in 1...Int.random(in: 1...4, using: &dice) {
            let begin = Int.random(in: 0...bytes.count, using: &dice)
            let end = min(bytes.count, begin + Int.random(in: 0...16, using: &dice))
            switch Int.random(in: 0...3, using: &dice) {
            case 0: bytes.insert(.random(in: .min ... .max, using: &dice), at: begin)
            case 1: bytes.removeSubrange(begin..<end)
            case 2: bytes.insert(contentsOf: bytes[begin..<end], at: begin)
            default:
                let other = inputs.randomElement(using: &dice) ?? []
                let part = other.dropFirst(Int.random(in: 0...64, using: &dice)).prefix(32)
                bytes.replaceSubrange(begin..<end, with: part)
            }
        }
        return bytes
    }

    @Test(arguments: FuzzTarget.allCases) func `each target takes an empty input and every single byte`(
        target: FuzzTarget
    ) throws {
        try target.run([])
        for byte in UInt8.min...UInt8.max { try target.run([byte]) }
    }

    @Test func `every folder of the corpus belongs to a target`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
        for folder in ["Corpus", "Dictionaries"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
            #expect(names.sorted() == FuzzTarget.allCases.map(\.rawValue).sorted())
        }
    }
}
