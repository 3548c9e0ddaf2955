/// One word for how the client feels, out of an assignment's choices.
public struct Mood: Hashable, Sendable, CustomStringConvertible {
    public let word: String

    /// Stands for a mood that the client erased.
    public static let erased = Mood("")

    /// Nil if the client erased it.
    public var wordUnlessErased: String? { self == .erased ? nil : word }

    public init(_ word: String) { self.word = word }

    public var description: String { word }
}
