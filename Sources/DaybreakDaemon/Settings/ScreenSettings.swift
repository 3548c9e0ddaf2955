internal import Control
internal import TOMLKit

// [screen]: how the client likes the guided way to be shown.
extension Setting {
    /// A player, a few options and a file.
    private static let wordLimit = 32

    static func takeCountdown(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        values.read.screen.countdown = try truth(value)
    }

    static func takeMotion(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        values.read.screen.motion = try truth(value)
    }

    static func takePlain(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        values.read.screen.plain = try truth(value)
    }

    static func takeSound(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        values.read.screen.sound = try truth(value)
    }

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

    private static func truth(_ value: any TOMLValueConvertible) throws(Misfit) -> Bool {
        guard let truth = value.bool else { throw misfit(value, "must be true or false, without quotes.") }
        return truth
    }
}
