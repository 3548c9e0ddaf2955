import PracticeRules
import Testing

@Suite struct `Who may do what` {
    @Test func `a visitor sees the services and asks who they are, and nothing else`() {
        #expect(RightsTable.rights(of: nil) == [.ask, .seeServices])
    }
}
