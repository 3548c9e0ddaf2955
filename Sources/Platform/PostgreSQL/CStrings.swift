import Glibc

extension [String?] {
    /// Calls `body` with copies of the texts as C has them: a null pointer for nil, and one behind the last.
    func withCStrings<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result) -> Result {
        let copies = map { $0.flatMap { strdup($0) } } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
