import Glibc

/// The machine's accounts.
enum Account {
    /// The user that the daemon runs as.
    static let own = geteuid()

    /// True for the account of a service, false for a person's (man 5 login.defs, SYS_UID_MAX).
    static func isOfService(_ user: UInt32) -> Bool { user < 1_000 }

    /// The name of the user with that number; nil if there is none.
    static func name(of user: UInt32) -> String? { entry(of: user) { String(cString: $0.pw_name) } }

    /// The number of the user with that name; nil if there is none.
    static func user(_ name: String) -> UInt32? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1_024) { room in
            guard let start = room.baseAddress, getpwnam_r(name, &entry, start, room.count, &found) == 0, found != nil
            else { return nil }
            return entry.pw_uid
        }
    }

    /// The group of that user; nil if there is no such user.
    static func group(of user: UInt32) -> UInt32? { entry(of: user, \.pw_gid) }

    /// A part of the user's entry among the accounts (man 3 getpwuid_r), which is valid within `part` alone.
    private static func entry<Part>(of user: UInt32, _ part: (passwd) -> Part) -> Part? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1_024) { room in
            guard let start = room.baseAddress, getpwuid_r(user, &entry, start, room.count, &found) == 0, found != nil
            else { return nil }
            return part(entry)
        }
    }
}
