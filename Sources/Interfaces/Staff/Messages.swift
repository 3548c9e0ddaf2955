// Everything that the practice tells the journal. `systemd/practice.catalog` has the same texts for `journalctl -x`; a test
// compares them.

/// A kind of message for the journal. Messages carry identifiers and counts, never a name or a person's words.
public enum PracticeMessage: String, CaseIterable, Sendable {
    case recordOpened, recordClosed, recordReopened, recordTransferred, recordErased
    case staffAdded, staffRetired, backupMade, backupFailed, storageUnavailable
    case storageBack, storageDamaged, storageRestored, practiceFilled, imported, clientWaits

    /// The journal's MESSAGE_ID of this kind (man 7 systemd.journal-fields): 128 bits, in hexadecimal. Never changed.
    public var messageID: String {
        switch self {
        case .recordOpened: "bee8cb07593ca939ad098b0adf8a082e"
        case .recordClosed: "e87daeb2237eb55ae86a3782c7586bc6"
        case .recordReopened: "a1bc5b6d19ea0c995808ef9e407f66b8"
        case .recordTransferred: "cb234c0d39d79d3689e599123a5640e9"
        case .recordErased: "0c61f8720af90d64316fffdef6192547"
        case .staffAdded: "e501381ecb7bd2339db0222592543da0"
        case .staffRetired: "271a6e05dc6dcac5389f153a3666120e"
        case .backupMade: "25f656b6fbaac1f27c4f22b6f3c55c19"
        case .backupFailed: "bd180ce413b14bbb7cf9c36717c0571f"
        case .storageUnavailable: "241ee08e515dd8dfcb43bf95a795de53"
        case .storageBack: "ca4b9a689473f6be2407f4e89d84c82f"
        case .storageDamaged: "2491caacf320290ffdc5d8cb25cfca4f"
        case .storageRestored: "ffed7d538cacf51982603a3c1b911ca1"
        case .practiceFilled: "a9d6d6a948e4a111e0a475012b71adb9"
        case .imported: "274018db2168e15e94942bbcaa74b7e5"
        case .clientWaits: "97baac5f95a9f1e0ac2b2ac7c2ed6f1b"
        }
    }

    /// The meaning in a few words.
    public var title: String {
        switch self {
        case .recordOpened: "A record was opened"
        case .recordClosed: "A record was closed"
        case .recordReopened: "A record was opened again"
        case .recordTransferred: "A record was transferred"
        case .recordErased: "A record was erased"
        case .staffAdded: "A person joined the staff"
        case .staffRetired: "A person left the staff"
        case .backupMade: "A backup was made"
        case .backupFailed: "No backup could be made"
        case .storageUnavailable: "The storage is unavailable"
        case .storageBack: "The storage is available again"
        case .storageDamaged: "The database is damaged"
        case .storageRestored: "A backup was restored"
        case .practiceFilled: "The practice was filled with made-up people"
        case .imported: "Records were imported"
        case .clientWaits: "A client waits"
        }
    }

    /// The meaning, the consequences, and what to do.
    public var explanation: String {
        switch self {
        case .recordOpened:
            """
            A client's record begins. The entry names it by its identifier alone; `practice client
            show` has the rest, for those who may see it.
            """
        case .recordClosed:
            """
            A client's record was closed, with a reason that stands in the record. Its sessions
            stay; no session can be added until it is opened again.
            """
        case .recordReopened:
            """
            A closed record is open again: the closing was a mistake, or the client came back.
            """
        case .recordTransferred:
            """
            An administrator gave a client's record to another colleague.
            """
        case .recordErased:
            """
            An administrator erased the closed record of a client. The audit keeps the erasure, its
            reason and the administrator. The daemon's backups are removed as well; copies that you
            made yourself are out of reach.
            """
        case .staffAdded:
            """
            An administrator added a person to the staff. `practice staff` lists them.
            """
        case .staffRetired:
            """
            An administrator retired a person, who can no longer log in. Their data stays; clients
            that they had were handed to a successor.
            """
        case .backupMade:
            """
            Everything was copied into the folder of backups, where the last nights are kept:
            seven, unless `storage.nights` says otherwise. `practice backup` makes a copy for
            elsewhere: keep one on another machine.
            """
        case .backupFailed:
            """
            The entry has the reason; mostly the disk is full. The daemon tries again five minutes
            later. Until then the backups of earlier nights are the newest; after an erasure there
            are none.
            """
        case .storageUnavailable:
            """
            The database cannot be read or written at the moment; the entry says why. Calls are
            refused, and no acknowledged change is lost. Work goes on by itself once the cause is
            gone: make room on the disk, or let the other program end.
            """
        case .storageBack:
            """
            The database can be read and written again. Calls that were refused in between were not
            recorded.
            """
        case .storageDamaged:
            """
            The database is no longer written, so that the damage cannot grow, and every call is
            refused. Put a backup in its place with `practice restore FILE`, as root; the
            copies of the last nights are in the folder `backups` beside it, or in the folder that
            the setting `storage.backups` names. The damaged one is kept in `backups`.
            """
        case .storageRestored:
            """
            A file was checked from end to end and put in the place of the database, which is
            kept in the folder `backups`. Only that file has the changes since the backup.
            """
        case .practiceFilled:
            """
            All people in this practice are invented, for trying it out. It cannot become a real one:
            begin with an empty database for that.
            """
        case .imported:
            """
            All rows of a file of clients or sessions were imported.
            """
        case .clientWaits:
            """
            A client has done the exercise, and sits in the wait room. The entry has only the number
            of the record. The client's thanatologist sees the rest with `practice waiting`, and is
            shown to the client after `practice available`.
            """
        }
    }
}
