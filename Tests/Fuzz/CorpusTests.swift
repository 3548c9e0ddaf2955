import Foundation
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
