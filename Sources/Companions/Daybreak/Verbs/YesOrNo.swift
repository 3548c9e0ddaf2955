import Companion

/// A question in lines, which is answered with yes or no.
enum YesOrNo {
    /// Asks until the answer is clear.
    /// - Parameter usual: the answer of Enter alone.
    /// - Returns: nil at the end of the input.
    static func ask(_ question: String, usual: Bool) -> Bool? {
        let choice = usual ? "[Y/n]" : "[y/N]"
        Streams.error("\(question) \(choice) ")
        while let line = readLine() {
            switch line.withoutEnd.lowercased() {
            case "": return usual
            case "y", "yes": return true
            case "n", "no": return false
            default: Streams.error("\(line.shown) is neither. y for yes, n for no: \(choice) ")
            }
        }
        return nil
    }
}
