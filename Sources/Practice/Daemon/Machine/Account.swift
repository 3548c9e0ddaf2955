import Glibc

/// The machine's accounts.
enum Account {
    /// The name of the user with that number; nil if there is none.
    static func name(of user: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1_024) { room in
            guard let start = room.baseAddress, getpwuid_r(user, &entry, start, room.count, &found) == 0, found != nil
            else { return nil }
            return String(cString: entry.pw_name)
        }
    }

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
    static func group(of user: UInt32) -> UInt32? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1_024) { room in
            guard let start = room.baseAddress, getpwuid_r(user, &entry, start, room.count, &found) == 0, found != nil
            else { return nil }
            return entry.pw_gid
        }
    }
}
