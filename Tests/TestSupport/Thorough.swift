import Glibc

/// Whether the tests take their long forms (`Tests/run --thorough`).
public let isThorough = getenv("DAYBREAK_THOROUGH") != nil

/// The seed of every random test. It is fixed, so that each run does the same, except in the long forms; DAYBREAK_SEED
/// names another one. A test that uses it prints it.
public let testSeed: UInt64 =
    getenv("DAYBREAK_SEED").flatMap { UInt64(String(cString: $0)) } ?? (isThorough ? .random(in: 0 ... .max) : 1)
