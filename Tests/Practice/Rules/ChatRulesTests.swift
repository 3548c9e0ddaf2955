import PracticeRules
import Testing

@Suite struct `Talking` {
    /// Each cell: with an administrator, support, a thanatologist, a client. Rows: theirs with an open record, theirs with a
    /// closed one, others.
    @Test(arguments: [
        (Role.administrator, ["++++", "++++", "++++"]), (.support, ["++++", "++++", "++++"]),
        (.thanatologist, ["++++", "+++.", "+++."]), (.client, ["+++.", "++..", "++.."]),
    ])
    func `two people talk if one of them may write to the other`(role: Role, rows: [String]) {
        let found = [(true, true), (true, false), (false, true)].map { isTheirs, isOpen in
            Role.allCases.map { other in
                ChatRules.mayTalk(role, with: other, isTheirs: isTheirs, isOpen: isOpen) ? "+" : "."
            }.joined()
        }
        #expect(found == rows)
    }
}
