extension Unicode.Scalar {
    /// True for a character that a reader does not see and that may garble a line of the screen: a control character, the end
    /// of a line or paragraph, a mark that changes the direction of the text, a filler.
    public var isHidden: Bool {
        if (0x20..<0x7F).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: return true
        default: return properties.isDefaultIgnorableCodePoint || value == 0x2800  // A Braille cell without dots.
        }
    }

    /// True for a blank, a tab, the end of a line, and what else Unicode takes for white space. Mostly, a character is one of
    /// ASCII, for which Unicode's tables are not needed.
    public var isSpace: Bool { isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace }

    /// `U+202E (RIGHT-TO-LEFT OVERRIDE)`.
    public var named: String {
        let digits = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        let name = properties.generalCategory == .control ? "control character" : properties.name
        return name.map { "\(code) (\($0))" } ?? code
    }

    /// True if the character joins the letters or emoji on both sides.
    private var isJoiner: Bool { value == 0x200C || value == 0x200D }

    /// True if the character chooses the form of the one before it.
    private var isSelector: Bool { (0xFE00...0xFE0F).contains(value) }

    /// True if the character spells a region's flag behind a black flag.
    private var isTag: Bool { (0xE0020...0xE007F).contains(value) }

    /// True if a joiner beside the character has a visible effect.
    private var canBeJoined: Bool { !isHidden && !isASCII || isSelector || isTag }

    private var canBeSelected: Bool { canBeJoined || "#*0123456789".unicodeScalars.contains(self) }

    /// True for a mark that is drawn on the letter before it.
    fileprivate var isMark: Bool {
        guard !isASCII else { return false }
        return properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark
    }

    fileprivate func hasEffect(after before: Self?, before after: Self?) -> Bool {
        if isJoiner { return before?.canBeJoined == true && after?.canBeJoined == true }
        if isTag { return before?.value == 0x1F3F4 || before?.isTag == true }
        return isSelector && before?.canBeSelected == true
    }
}

extension String {
    /// The first hidden character; nil if there is none. A joiner between letters or emoji does not count: its effect is seen.
    public var firstHidden: Unicode.Scalar? {
        guard unicodeScalars.contains(where: \.isHidden) else { return nil }
        let all = Array(unicodeScalars)
        return all.indices.first { index in
            let before = index > 0 ? all[index - 1] : nil
            let after = index + 1 < all.count ? all[index + 1] : nil
            return all[index].isHidden && !all[index].hasEffect(after: before, before: after)
        }
        .map { all[$0] }
    }

    /// The most marks on one letter: no writing system needs as many (Unicode Standard Annex #15, Stream-Safe Text Format). More of
    /// them would be drawn over the lines above.
    static let mostMarks = 30

    /// Without its hidden characters and more than ``mostMarks`` on a letter: a text of another program must not steer a terminal.
    public var visible: String { filtered(keeping: []) }

    /// Without its hidden characters, line breaks excepted.
    public var visibleLines: String { filtered(keeping: ["\n"]) }

    private func filtered(keeping kept: Set<Unicode.Scalar>) -> String {
        guard unicodeScalars.contains(where: { $0.isHidden || $0.isMark }) else { return self }
        let all = Array(unicodeScalars)
        var seen = String.UnicodeScalarView()
        var marks = 0
        for (index, scalar) in all.enumerated() {
            marks = scalar.isMark ? marks + 1 : scalar.isHidden ? marks : 0
            if marks > Self.mostMarks { continue }
            let after = index + 1 < all.count ? all[index + 1] : nil
            let stays = !scalar.isHidden || kept.contains(scalar) || scalar.hasEffect(after: seen.last, before: after)
            if stays { seen.append(scalar) }
        }
        return String(seen)
    }

    /// True if the text has only white space and hidden characters.
    public var isBlank: Bool { unicodeScalars.allSatisfy { $0.isSpace || $0.isHidden } }
}
