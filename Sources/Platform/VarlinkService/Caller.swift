/// The caller on a connection: the user, the way in, and the rights.
public struct Caller: Equatable, Sendable {
    /// The way a connection came in.
    public enum Entrance: Equatable, Sendable {
        /// Over the local socket: `user` is the caller.
        case localSocket
        /// Through a program that the daemon trusts to name the caller; `user` is that program's. key: by which the caller was
        /// known there. from: the address of their machine.
        case gate(key: String, from: String)
    }

    /// The user of the process that holds the other end, as the kernel reports it (`SO_PEERCRED`, man 7 unix).
    public let user: UInt32
    public let entrance: Entrance
    /// The name of that user's account, if the daemon looks it up.
    public let account: String?
    /// The daemon's own identifier of the person, if it knows persons.
    public let person: String?
    public let rights: Rights

    public init(
        user: UInt32, entrance: Entrance = .localSocket, account: String? = nil, person: String? = nil, rights: Rights
    ) {
        self.user = user
        self.entrance = entrance
        self.account = account
        self.person = person
        self.rights = rights
    }
}

extension Caller {
    /// The one whose connections are counted together.
    var party: Party { person.map(Party.person) ?? .user(user) }
}

/// A person, if the daemon knows persons, else a user of the machine.
enum Party: Hashable {
    case user(UInt32)
    case person(String)
}

/// The rights of a caller, one bit for each. Each daemon names its own rights in an extension.
public struct Rights: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
}
