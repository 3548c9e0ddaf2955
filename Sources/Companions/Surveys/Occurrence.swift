public import PracticeInterfaces

extension Programmes.Survey {
    /// "3 of 8": which time it is, of a survey that is asked more than once; else empty.
    public var whichTime: String {
        guard let occurrence, let occurrences, occurrences > 1 else { return "" }
        return "\(occurrence) of \(occurrences)"
    }
}
