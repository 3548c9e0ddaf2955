import Testing

@testable import Companion

@Suite struct `A progress bar` {
    @Test func `it stands on one line of the terminal, however narrow`() {
        #expect(ProgressBar.width(beside: "Fetching", columns: 80) == 30)
        #expect(ProgressBar.width(beside: "Fetching", columns: 40) == 22)
        #expect(ProgressBar.width(beside: "Fetching", columns: 10) == 1)
    }
}
