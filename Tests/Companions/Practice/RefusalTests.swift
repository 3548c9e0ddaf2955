import PracticeRules
import Testing

@testable import PracticeCompanion

struct RefusalTests {
    @Test func `a fault in one of the practice's own fields names the option that takes it`() {
        let faults = [Fault("extra.insurance", "must be there."), Fault("born", "must be a day.")]
        #expect(
            Refusal.faults(faults)
                == "Nothing was written:\n  --field insurance= must be there.\n  born must be a day.")
    }
}
