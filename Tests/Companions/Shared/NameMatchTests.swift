import Testing

@testable import Companion

/// Names and identifiers come from a practice, which may be hostile.
@Suite struct `The choice between names` {
    /// It is part of every name: a therapist's only client would be meant by a script's unset variable.
    @Test(arguments: ["", " "]) func `is never made by an empty text`(text: String) {
        let failure = #expect(throws: Failure.self) {
            try NameMatch.one(
                text, among: ["Ana"], kind: "client", plural: "clients", name: \.self, mark: \.self, advice: "Look.")
        }
        #expect(failure?.sentence == "Say which client: the name is empty. Look.")
    }

    @Test func `shows no identifier that would steer the terminal`() {
        let things = [(id: "\u{1B}]0;evil\u{7}p1", name: "Ana\u{9B}2J"), (id: "p2", name: "Anabel")]
        let failure = #expect(throws: Failure.self) {
            try NameMatch.one(
                "an", among: things, kind: "person", plural: "people", name: \.name, mark: \.id, advice: "")
        }
        #expect(
            failure?.sentence == """
                “an” may be any of these people; say which, by what stands before the name:
                  ]0;evilp1  Ana2J
                         p2  Anabel
                """)
    }

    @Test(arguments: [
        ("ben roth", ["Ben Roth", "Ben Róth"]), ("BEN RÓTH", ["Ben Róth"]), ("Bén Roth", ["Ben Roth", "Ben Róth"]),
        ("ben", ["Ben Roth", "Ben Róth", "Ruben Rother"]),
    ])
    func `is among those with the whole name, if somebody has it`(text: String, meant: [String]) {
        let names = ["Ben Roth", "Ben Róth", "Ruben Rother"]
        #expect(NameMatch.meant(by: text, among: names, name: \.self) == meant)
    }

    @Test(arguments: [
        ("Ana Ángeles", "angel", true), ("Ana Ángeles", "ÁNG", true), ("Ana Angeles", "ángel", false),
        ("Jose\u{301} Mari", "josé m", true), ("José Mari", "jose\u{301} m", true), ("José", "José M", false),
        ("Ana", "", true), ("", "a", false), ("", "á", false),
    ])
    func `goes by parts without case, and by the accents that were typed`(name: String, part: String, holds: Bool) {
        #expect(name.holds(part) == holds)
    }
}
