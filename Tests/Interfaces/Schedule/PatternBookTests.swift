import ScheduleFormat
import TestSupport
import Testing
import Time

@Suite struct `A book of patterns` {
    private func fault(_ text: String, in book: PatternBook = .standard) -> PatternBook.Fault? {
        do throws(PatternBook.Fault) {
            _ = try book.pattern(text)
            return nil
        } catch { return error }
    }

    private func nameFault(_ name: String) -> PatternBook.NameFault? {
        var book = PatternBook.standard
        do throws(PatternBook.NameFault) {
            try book.add(name, .calm)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        ("calm", "4-0-6-0"), ("box", "4-4-4-4"), ("4-7-8", "4-7-8-0"), ("coherent", "5-0-5-0"),
        ("3-1-5.5-0", "3-1-5.5-0"),
    ])
    func `finds patterns by name, and reads seconds`(text: String, pattern: String) throws {
        #expect(try PatternBook.standard.pattern(text).description == pattern)
    }

    @Test func `takes further names`() throws {
        var book = PatternBook.standard
        try book.add("evening-2", .coherent)
        #expect(try book.pattern("evening-2") == .coherent)
        #expect(book.names == ["4-7-8", "box", "calm", "coherent", "evening-2"])
    }

    @Test func `lists its names if it does not know one`() {
        for text in ["bxo", "", "Calm", "-4-0-6-0"] {
            #expect(fault(text) == .unknownName(known: ["4-7-8", "box", "calm", "coherent"]))
        }
    }

    @Test(arguments: [
        ("4-7", BreathPattern.Fault.unreadable), ("0-4-6-0", .noBreath), ("0.5-0-1-0", .cycleOutOfBounds),
        ("30-0-30-1", .cycleOutOfBounds),
    ])
    func `gives the reason if seconds are no pattern`(text: String, expected: BreathPattern.Fault) {
        #expect(fault(text) == .unsound(expected))
    }

    @Test func `takes a name only if it is short, begins with a letter and is new`() {
        for name in ["", "Slow", "4-0", "-a", "a b", "é", String(repeating: "a", count: 33)] {
            #expect(nameFault(name) == .unfit)
        }
        #expect(nameFault(String(repeating: "a", count: 32)) == nil)
        #expect(nameFault("box") == .taken)
    }

    @Test func `takes fifty further patterns at most`() throws {
        var book = PatternBook.standard
        for number in 1...50 { try book.add("own\(number)", .calm) }
        #expect(throws: PatternBook.NameFault.tooMany) { try book.add("own51", .calm) }
    }
}
