import PracticeRules
import Testing

@Suite struct `Letters` {
    /// Each cell: the role may write to clients who are theirs with an open record, theirs with a closed one, others.
    @Test(arguments: [
        (Role.administrator, "+++"), (.support, "+++"), (.thanatologist, "+.."), (.client, "..."),
    ])
    func `a role writes to the clients in its row`(role: Role, cells: String) {
        let found = [(true, true), (true, false), (false, true)].map { isTheirs, isOpen in
            LetterRules.mayWrite(role, to: .client, isTheirs: isTheirs, isOpen: isOpen) ? "+" : "."
        }
        #expect(found.joined() == cells)
    }

    /// The columns are the same, of the client's own record.
    @Test(arguments: [
        (Role.administrator, "..."), (.support, "+++"), (.thanatologist, "+.."), (.client, "..."),
    ])
    func `a client writes to the staff in its row`(role: Role, cells: String) {
        let found = [(true, true), (true, false), (false, true)].map { isTheirs, isOpen in
            LetterRules.mayWrite(.client, to: role, isTheirs: isTheirs, isOpen: isOpen) ? "+" : "."
        }
        #expect(found.joined() == cells)
    }

    @Test func `staff write to staff`() {
        for sender in Role.allCases where sender.isStaff {
            for recipient in Role.allCases where recipient.isStaff {
                #expect(LetterRules.mayWrite(sender, to: recipient, isTheirs: false, isOpen: true))
            }
        }
    }

    @Test(arguments: [
        ("Dear Ana,\n\nI slept.", "Dear Ana, I slept."), ("", ""), ("> At ten?\nYes.\n", "Yes."),
        ("Yes.\n\nOn Friday, Ana wrote:\n> At ten?\n", "Yes."), ("To bring:\nkeys", "To bring: keys"),
        ("\t a  b \n", "a b"), (String(repeating: "word ", count: 40), String(repeating: "word ", count: 27) + "word…"),
    ])
    func `a preview is the beginning on one line, without quotes`(body: String, preview: String) {
        #expect(LetterRules.preview(of: body) == preview)
    }

    @Test(arguments: [
        (Audience.everybody, "CTSA"), (.clients, "C"), (.staff, "TSA"),
    ])
    func `an audience includes these roles`(audience: Audience, roles: String) {
        let found = [("C", Role.client), ("T", .thanatologist), ("S", .support), ("A", .administrator)]
            .filter { audience.includes($0.1) }.map(\.0)
        #expect(found.joined() == roles)
    }
}
