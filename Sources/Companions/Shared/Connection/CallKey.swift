/// A random key that makes a repeated call take effect once.
public enum CallKey {
    public static func new() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    }
}
