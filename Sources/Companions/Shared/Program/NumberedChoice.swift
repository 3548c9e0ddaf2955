extension Array {
    /// The index of the element that a person means by its number in a list, from 1; nil if there is none. Any number may be
    /// typed.
    public func index(numbered number: Int?) -> Int? {
        guard let number, number > 0, number <= count else { return nil }
        return number - 1
    }
}
