internal import DaybreakInterfaces
internal import HomeworkWire
internal import TOMLKit

// [screen]: how the client likes the guided way to be shown.
extension Setting {
    /// A player, a few options and a file.
    private static let wordLimit = 32

    static func takeSoundCommand(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        let expected = """
            must be an array of a program and its arguments, such as ["paplay", "/usr/share/sounds/bell.oga"], or [] \
            for the terminal's bell.
            """
        guard let array = value.array else { throw misfit(value, expected) }
        var words: [String] = []
        for (index, element) in array.enumerated() {
            guard let word = element.string else { throw misfit(element, expected, element: index) }
            guard !word.isEmpty, word.unicodeScalars.allSatisfy(isPrintable) else {
                throw Misfit("must hold no empty word and no control characters.", element: index)
            }
            words.append(word)
        }
        guard words.count <= wordLimit else {
            throw Misfit("must not hold more than \(wordLimit) words: a script can say more.")
        }
        values.read.screen.soundCommand = words
    }
}
