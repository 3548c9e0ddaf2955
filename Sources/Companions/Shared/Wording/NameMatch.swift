import Text

/// Finds a person or a thing by the text on a command line: an identifier, a number, or a part of a name that
/// fits no other.
public enum NameMatch {
    /// The text if it has the form of an identifier; else nil.
    public static func identifier(_ text: String) -> String? {
        let digits = text.utf8.dropFirst()
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), !digits.isEmpty,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return text
    }

    /// True if the text is the whole name, whatever its accents and capitals.
    public static func isWhole(_ text: String, _ name: String) -> Bool { name.folded == text.folded }

    /// Those whose whole name is the text, and nobody else; all of them if it is nobody's whole name. An accent that was typed
    /// tells two people apart; a text without accents fits both.
    public static func meant<Thing>(by text: String, among things: [Thing], name: (Thing) -> String) -> [Thing] {
        let whole = things.filter { isWhole(text, name($0)) }
        guard !whole.isEmpty else { return things }
        let same = text.folded == text.lowercased() ? [] : whole.filter { name($0).lowercased() == text.lowercased() }
        return same.isEmpty ? whole : same
    }

    /// The only match, or the only one whose whole name is the text, with or without its accents. An empty text is part of every
    /// name, and means nobody: a script's variable may be unset.
    ///
    /// - Parameter given: nil where none was asked for, and the only one is meant.
    public static func one<Thing>(
        _ given: String?, among things: [Thing], kind: String, plural: String, name: (Thing) -> String,
        mark: (Thing) -> String, choice: ((Thing) -> String)? = nil, advice: String
    ) throws(Failure) -> Thing {
        let text = given ?? ""
        if given != nil, text.allSatisfy(\.isWhitespace) {
            throw .refused("NoName", saying: "Say which \(kind): the name is empty. \(advice)")
        }
        if things.count == 1 { return things[0] }
        guard !things.isEmpty else {
            throw .refused("NoneOfThatName", saying: "There is no \(kind) “\(text.shown)”. \(advice)")
        }
        let likely = meant(by: text, among: things, name: name)
        if likely.count == 1 { return likely[0] }
        let marks = things.prefix(20).map { mark($0).shown }
        let width = marks.map(\.count).max() ?? 0
        let shown = zip(marks, things).map { mark, thing in
            "  " + String(repeating: " ", count: width - mark.count)
                + "\(mark)  \((choice?(thing) ?? name(thing)).shown.singleLine)"
        }
        let more = things.count > 20 ? ["  … and \(things.count - 20) more"] : []
        let head =
            (given == nil ? "There are several \(plural)" : "“\(text.shown)” may be any of these \(plural)")
            + "; say which, by what stands before the name:"
        throw .refused("SeveralOfThatName", saying: ([head] + shown + more).joined(separator: "\n"))
    }

    /// Asks whether a part of a name means the one that it fits, before something is done that cannot be taken back. Refuses it
    /// where nobody can be asked: the name that is meant may have gone, and another that fits may have come.
    ///
    /// - Parameters:
    ///   - text: as it was typed.
    ///   - question: with the found name, such as "Send to Team?".
    ///   - reader: nil where nobody can be asked.
    public static func settle(
        _ text: String, means name: String, _ mark: String, question: String, asking reader: LineReader?
    ) throws(Failure) {
        guard !isWhole(text, name) else { return }
        let found = name.shown.singleLine
        guard let reader else {
            throw .refused(
                "PartOfAName",
                saying: "“\(text.shown)” is only a part of “\(found)”. Say the whole name, or \(mark.shown).")
        }
        guard case .line(let answer) = reader.ask("\(question) Enter does; anything else does not: "), answer.isEmpty
        else {
            throw .refused("NotMeant", saying: "Nothing was done. Say the whole name, or \(mark.shown) for \(found).")
        }
    }
}

extension String {
    /// True if the text contains `part`, compared without case. A part without accents also fits letters that have some.
    public func holds(_ part: String) -> Bool {
        let typed = part.lowercased()
        if part.folded == typed { return folded.includes(typed) }
        // Characters are equal however their accents are spelled.
        let (name, sought) = (Array(lowercased()), Array(typed))
        return name.indices.contains { name[$0...].starts(with: sought) }
    }
}
