import Glibc

/// libFuzzer's entry point, called again and again. DAYBREAK_FUZZ names the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("Broken: \(error)")
    }
    return 0
}

private let target: FuzzTarget = {
    guard let target = getenv("DAYBREAK_FUZZ").flatMap({ FuzzTarget(rawValue: String(cString: $0)) }) else {
        fatalError("DAYBREAK_FUZZ names none of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()
