import PracticeRules
import Testing

@Suite struct `The table of rights` {
    /// The roles that have each right. V visitor, C client, T thanatologist, S support, A administrator.
    static let table: [(right: Right, holders: String)] = [
        (.seeServices, "VCTSA"),
        (.editServices, "....A"),
        (.seeTerms, "..TSA"),
        (.editTerms, "....A"),
        (.seeColleagues, ".CTSA"),
        (.seeStaff, "...SA"),
        (.editStaff, "....A"),
        (.listClients, "..TSA"),
        (.addClients, "..TSA"),
        (.seeRecord, ".CTSA"),
        (.keepRecords, "..T.."),
        (.transferClients, "....A"),
        (.eraseRecords, "....A"),
        (.seeCaseFile, ".CT.."),
        (.mail, ".CTSA"),
        (.announce, "....A"),
        (.chat, ".CTSA"), (.keepRooms, "..TSA"), (.moderateChat, "....A"),
        (.seeAudit, ".CT.A"),
        (.seeReports, "..TSA"),
        (.seeStatus, "..TSA"),
        (.watch, ".CTSA"),
        (.maintain, "....A"),
        (.ownKeys, ".CTSA"),
        (.anyonesKeys, "....A"),
        (.invite, "..TSA"), (.openGate, "....."),
        (.giveHomework, "..T.."), (.seeHomework, ".CT.."), (.haveHomework, ".C..."), (.readFeedback, "....A"),
        (.seeProgrammes, "..TSA"), (.editProgrammes, "....A"), (.enrol, "..T.."), (.seeEnrolments, ".CT.."),
        (.takePart, ".C..."),
        (.ask, "VCTSA"),
    ]

    static let columns: [(letter: Character, role: Role?)] = [
        ("V", nil), ("C", .client), ("T", .thanatologist), ("S", .support), ("A", .administrator),
    ]

    @Test func `each right has its row`() {
        #expect(Set(Self.table.map(\.right)) == Set(Right.allCases))
        #expect(Self.table.count == Right.allCases.count)
    }

    @Test(arguments: table)
    func `a right is held by the roles in its row, and by no other`(right: Right, holders: String) {
        let held = Self.columns.map { RightsTable.rights(of: $0.role).contains(right) ? $0.letter : "." }
        #expect(String(held) == holders)
    }

    @Test func `clients and thanatologists reach their own records, administrators and support everybody's`() {
        #expect(
            Self.columns.map { RightsTable.reach(of: $0.role) } == [.nobodys, .own, .own, .everybodys, .everybodys])
    }
}

@Suite struct `The visibility of a person` {
    /// Rows: the caller. Columns: an administrator, a support, a thanatologist, a client. W whole, n the name, . nothing.
    static func row(_ caller: Role?, isTheirs: Bool = false) -> String {
        String(
            Role.allCases.map { role in
                switch Visibility(of: role, by: caller, isSelf: false, isTheirs: isTheirs) {
                case .whole: "W"
                case .name: "n"
                case nil: "."
                }
            })
    }

    @Test func `strangers`() {
        #expect(Self.row(nil) == "....")
        #expect(Self.row(.client) == "....")
        #expect(Self.row(.thanatologist) == "nnn.")
        #expect(Self.row(.support) == "WWWn")
        #expect(Self.row(.administrator) == "WWWn")
    }

    @Test func `a client and their thanatologist`() {
        #expect(Visibility(of: .thanatologist, by: .client, isSelf: false, isTheirs: true) == .name)
        #expect(Visibility(of: .client, by: .thanatologist, isSelf: false, isTheirs: true) == .name)
    }

    @Test func `oneself`() {
        for role in Role.allCases { #expect(Visibility(of: role, by: role, isSelf: true, isTheirs: false) == .whole) }
        #expect(Visibility(of: .client, by: nil, isSelf: true, isTheirs: false) == nil)
    }
}
