import Glibc
public import Testing

/// Whether the tests take their long forms (`Tests/run --thorough`).
public let isThorough = getenv("DAYBREAK_THOROUGH") != nil

extension Trait where Self == TimeLimitTrait {
    /// For what could stand still for ever. A test's time runs while it waits for those beside it, and so this is more than
    /// all of them take together.
    public static var hangGuard: Self { .timeLimit(.minutes(isThorough ? 240 : 60)) }
}
