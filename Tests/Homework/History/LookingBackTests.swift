import HomeworkRules
import TestSupport
import Testing
import Time

@testable import HomeworkHistory

/// The steps of one assignment, and the notes for a session.
struct LookingBackTests {
    let place = TemporaryHistory()

    private static func note(_ id: AssignmentID?, _ text: String) -> Happening {
        .noteWritten(id, Note(recorded: text))
    }

    private func open(_ happenings: Happening...) throws -> History {
        let history = try place.open()
        try history.record(happenings.enumerated().map { OneOfEach.event($1, number: $0 + 1) })
        return history
    }

    @Test func `the steps of an assignment leave out the schedule's events and the reminders`() throws {
        let history = try open(
            .assigned(.sample("1")), .assigned(.sample("2")), .unlocked("1"), .reminds("2027-03-05/unlocked/1"),
            .started("1", .calm), .unlocked("2"), Self.note("1", "A word"), Self.note(nil, "Another"), .left("1"),
            .withdrawn("2"))
        #expect(
            try history.reader.steps(of: "1").map(\.what) == [
                .unlocked("1"), .started("1", .calm), Self.note("1", "A word"), .left("1"),
            ])
        #expect(try history.reader.steps(of: "3").map(\.what) == [])
    }

    @Test func `a talking point belongs to the next session after it`() throws {
        let history = try open(
            Self.note(nil, "first"), .left("1"), Self.note("1", "with the task"), Self.note(nil, "second"),
            Self.note(nil, "third"), .left("2"), Self.note(nil, "fourth"))
        func points(_ id: AssignmentID?) throws -> [Happening] { try history.reader.talkingPoints(for: id).map(\.what) }
        #expect(try points("1") == [Self.note(nil, "first")])
        #expect(try points("2") == [Self.note(nil, "second"), Self.note(nil, "third")])
        #expect(try points(nil) == [Self.note(nil, "fourth")])
        #expect(try points("3") == [])
    }

    @Test(arguments: [
        (HistoryReader.stepsOfOne, "SEARCH event USING INDEX event_step (assignment=?)"),
        (HistoryReader.notesBetween, "SEARCH event USING INDEX event_note (seq>? AND seq<?)"),
        (HistoryReader.leftBefore, "SEARCH event USING INDEX event_left (seq<?)"),
    ])
    func `each query uses its index`(query: String, way: String) throws {
        try place.record([])
        let plan = "EXPLAIN QUERY PLAN " + query.replacing("$1", with: "7").replacing("$2", with: "7")
        #expect(try place.shell(plan).split(separator: "|").last.map(String.init) == way)
    }
}
