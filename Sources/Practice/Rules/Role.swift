/// A person's part in the practice.
public enum Role: String, CaseIterable, Sendable {
    case administrator, support, thanatologist, client

    /// True for the roles of staff.
    public var isStaff: Bool { self != .client }
}

/// A permission of a caller. A right that concerns a client's record holds for the records in ``Right/reach(of:)``.
public enum Right: String, CaseIterable, Sendable {
    // Services and vocabularies.
    case seeServices, editServices, seeTerms, editTerms
    // People.
    case seeColleagues, seeStaff, editStaff
    // Clients and their records.
    case listClients, addClients, seeRecord, keepRecords, transferClients, eraseRecords, seeCaseFile
    // Letters, and what the practice says to all.
    case mail, announce
    // Rooms to talk in: their members, those who keep them, and those who keep order.
    case chat, keepRooms, moderateChat
    // The practice as a whole.
    case seeAudit, seeReports, seeStatus, watch, maintain
    // Homework.
    case giveHomework, seeHomework, haveHomework, readFeedback
    // Programmes: their list and their versions, a client's enrolments and surveys.
    case seeProgrammes, editProgrammes, enrol, seeEnrolments, takePart
    // Access over SSH.
    case ownKeys, anyonesKeys, invite
    // For the gate's account alone.
    case openGate
    // For every caller.
    case ask
}

/// The records that a right holds for.
public enum Reach: String, Sendable {
    case nobodys, own, everybodys
}

/// The rights of each role: one table, for the daemon and for `practice rights`.
public enum RightsTable {
    /// The rights of a visitor, who has no role.
    public static let visitor: Set<Right> = [.ask, .seeServices]

    public static func rights(of role: Role?) -> Set<Right> { role.flatMap { ofRole[$0] } ?? visitor }

    private static let ofRole = Dictionary(
        uniqueKeysWithValues: Role.allCases.map { role in
            (role, visitor.union(role == .client ? client : staff.union(ofStaff[role] ?? [])))
        })

    private static let client: Set<Right> = [
        .seeColleagues, .seeRecord, .seeCaseFile, .mail, .chat, .seeAudit, .watch, .ownKeys, .seeHomework,
        .haveHomework, .seeEnrolments, .takePart,
    ]

    private static let staff: Set<Right> = [
        .seeTerms, .seeColleagues, .listClients, .seeRecord, .mail, .chat, .keepRooms, .seeStatus, .watch, .ownKeys,
        .seeProgrammes,
    ]

    private static let ofStaff: [Role: Set<Right>] = [
        .thanatologist: [
            .addClients, .keepRecords, .seeCaseFile, .seeAudit, .seeReports, .invite, .giveHomework, .seeHomework,
            .enrol, .seeEnrolments,
        ],
        .support: [.seeStaff, .addClients, .seeReports, .invite],
        .administrator: [
            .seeStaff, .editStaff, .editServices, .editTerms, .addClients, .transferClients, .eraseRecords, .announce,
            .moderateChat, .seeAudit, .seeReports, .anyonesKeys, .invite, .maintain, .readFeedback,
            .editProgrammes,
        ],
    ]

    /// The records, reports and audit entries for which a role's rights hold.
    ///
    /// `own` means, for a client, their own record; for a thanatologist, the records of their clients.
    public static func reach(of role: Role?) -> Reach {
        switch role {
        case nil: .nobodys
        case .client, .thanatologist: .own
        case .support, .administrator: .everybodys
        }
    }
}
