import Glibc
public import UnixTestSupport

/// The disk of one daemon, which fails on demand: `disk.c`, and the page of memory that it shares with the test.
public final class DiskFaults {
    /// The kinds of call to the kernel that `disk.c` distinguishes.
    public struct Kinds: OptionSet, Sendable {
        public let rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        public static let opens = Self(rawValue: 1)
        public static let reads = Self(rawValue: 2)
        public static let writes = Self(rawValue: 4)
        public static let syncs = Self(rawValue: 8)
        public static let renames = Self(rawValue: 16)
        public static let looks = Self(rawValue: 32)
        public static let locks = Self(rawValue: 64)
        public static let maps = Self(rawValue: 128)
        /// Opening for writing, and making. These fail with `opens` as well.
        public static let creates = Self(rawValue: 256)
        public static let truncates = Self(rawValue: 512)
        public static let unlinks = Self(rawValue: 1_024)
        public static let links = Self(rawValue: 2_048)
        public static let folders = Self(rawValue: 4_096)
        public static let modes = Self(rawValue: 8_192)
        public static let sockets = Self(rawValue: 16_384)
        public static let accepts = Self(rawValue: 32_768)
        /// `bind` and `listen`.
        public static let binds = Self(rawValue: 65_536)
        /// Making the parts of a loop: epoll, timers, signals, inotify.
        public static let sources = Self(rawValue: 131_072)
        /// Adding a folder to inotify.
        public static let watches = Self(rawValue: 262_144)
        /// Adding a descriptor to epoll.
        public static let polls = Self(rawValue: 524_288)
        public static let sends = Self(rawValue: 1_048_576)
        /// Copying a descriptor.
        public static let copies = Self(rawValue: 2_097_152)
        public static let all = Self(rawValue: 4_194_303)

        /// The calls that read and change files and their names.
        public static let disk: Self = [
            .opens, .reads, .writes, .syncs, .renames, .looks, .locks, .maps, .creates, .truncates, .unlinks, .links,
            .folders, .modes,
        ]
        public static let changes: Self = disk.subtracting([.opens, .reads, .looks, .locks, .maps])
    }

    /// A trouble of the machine, and the kinds of call that it affects (man 2 of each call).
    public struct Trouble: Sendable, CustomStringConvertible {
        public let name: String
        public let error: Int32
        public let kinds: Kinds
        public var description: String { name }

        /// The trouble if it lasts. Locks are left out: if every lock fails, SQLite repeats it for ten seconds, and no
        /// database works on such a disk.
        public var lasting: Trouble? {
            kinds == .locks ? nil : without(.locks)
        }

        public func without(_ some: Kinds) -> Trouble {
            Trouble(name: name, error: error, kinds: kinds.subtracting(some))
        }

        private static let changes = Kinds.changes
        private static let loop: Kinds = [.sockets, .accepts, .sources, .watches, .polls, .sends]

        public static let all = [
            Trouble(name: "an input/output error", error: EIO, kinds: .disk),
            Trouble(
                name: "a full disk", error: ENOSPC,
                kinds: [.creates, .writes, .syncs, .truncates, .renames, .links, .folders, .binds]),
            Trouble(
                name: "a used up quota", error: EDQUOT,
                kinds: [.creates, .writes, .syncs, .truncates, .renames, .links, .folders, .binds]),
            Trouble(name: "a read-only file system", error: EROFS, kinds: changes.union(.binds)),
            Trouble(name: "no descriptor left", error: EMFILE, kinds: [.opens, .sockets, .accepts, .copies]),
            Trouble(
                name: "no descriptor left on the machine", error: ENFILE,
                kinds: [.opens, .maps, .sockets, .accepts]),
            Trouble(
                name: "no memory left in the kernel", error: ENOMEM,
                kinds: [.opens, .looks, .renames, .unlinks, .links, .folders, .modes, .maps, .locks]),
            Trouble(
                name: "no right any more", error: EACCES,
                kinds: [.opens, .looks, .renames, .unlinks, .links, .folders, .binds, .watches]),
            // Troubles of the loop.
            Trouble(name: "no memory left for sockets", error: ENOMEM, kinds: loop),
            Trouble(name: "no descriptor left for the loop", error: EMFILE, kinds: [.sockets, .accepts, .sources]),
            Trouble(name: "no watch left", error: ENOSPC, kinds: [.watches, .polls]),
            Trouble(name: "no lock left", error: ENOLCK, kinds: .locks),
        ]
    }

    public let environment: [String: String]
    private let shared: SharedPage
    private var page: UnsafeMutablePointer<Int64> { shared.numbers }

    /// Applies to the files below `place`; to all calls if it is `/`.
    ///
    /// - Parameter folder: gets a file `disk`.
    public init(in folder: Folder, below place: String) {
        let path = folder["disk"]
        shared = SharedPage(path, count: 5)
        environment = ["LD_PRELOAD": Interposer.disk, "DISK_FOLDER": place, "DISK_CONTROL": path]
    }

    /// How many calls of the chosen kinds were made since `fail`, and how many of them failed.
    public var calls: Int { Int(page[0]) }
    public var failed: Int { Int(page[3]) }

    /// From now on the call of number `first` fails, from 1, and those after it up to `last`.
    public func fail(_ kinds: Kinds, _ first: Int, through last: Int? = nil, error: Int32) {
        heal()
        page[0] = 0
        page[3] = 0
        page[1] = Int64(first)
        page[2] = Int64(last ?? first)
        UnsafeMutableRawPointer(page + 4).storeBytes(of: error, toByteOffset: 4, as: Int32.self)
        UnsafeMutableRawPointer(page + 4).storeBytes(of: kinds.rawValue, as: Int32.self)
    }

    /// From now on nothing more has room.
    public func failAsFullDisk() {
        let kinds: Kinds = [.creates, .writes, .syncs, .truncates, .renames, .links, .folders]
        fail(kinds, 1, through: .max, error: ENOSPC)
    }

    /// From now on these calls wait until `heal`. They count as failed.
    public func hold(_ kinds: Kinds) { fail(kinds, 1, through: .max, error: 0) }

    /// Runs `body` without failures and without counting.
    public func pause(_ body: () throws -> Void) rethrows {
        let kinds = UnsafeMutableRawPointer(page + 4).load(as: Int32.self)
        heal()
        try body()
        UnsafeMutableRawPointer(page + 4).storeBytes(of: kinds, as: Int32.self)
    }

    /// Ends the failures and the counting.
    public func heal() { UnsafeMutableRawPointer(page + 4).storeBytes(of: 0, as: Int32.self) }
}
