import Foundation
import Glibc

/// The disk of one daemon, which fails when it is told to: `disk.c`, and the page that it shares with the test.
final class DiskFaults {
    struct Kinds: OptionSet {
        let rawValue: Int32
        static let opens = Self(rawValue: 1)
        static let reads = Self(rawValue: 2)
        static let writes = Self(rawValue: 4)
        static let syncs = Self(rawValue: 8)
        static let names = Self(rawValue: 16)
        static let looks = Self(rawValue: 32)
        static let locks = Self(rawValue: 64)
        static let maps = Self(rawValue: 128)
        static let all = Self(rawValue: 255)
    }

    let environment: [String: String]
    private let page: UnsafeMutablePointer<Int64>
    private static let length = 4_096

    /// Of what is below that folder: the history's, or another.
    init(_ household: Household, folder: String? = nil) {
        let path = household.folder["disk"]
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        must(ftruncate(descriptor, off_t(Self.length)))
        page = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
            .bindMemory(to: Int64.self, capacity: 5)
        must(close(descriptor))
        environment = ["LD_PRELOAD": Interposer.disk, "DISK_FOLDER": folder ?? household.state, "DISK_CONTROL": path]
    }

    deinit { munmap(page, Self.length) }

    /// How many calls of those kinds there were since, and how many failed.
    var calls: Int { Int(page[0]) }
    var failed: Int { Int(page[3]) }

    /// From now on: the call of that number fails, from 1, and those after it up to `last`.
    func fail(_ kinds: Kinds, _ first: Int, through last: Int? = nil, error: Int32) {
        heal()
        page[0] = 0
        page[3] = 0
        page[1] = Int64(first)
        page[2] = Int64(last ?? first)
        UnsafeMutableRawPointer(page + 4).storeBytes(of: error, toByteOffset: 4, as: Int32.self)
        UnsafeMutableRawPointer(page + 4).storeBytes(of: kinds.rawValue, as: Int32.self)
    }

    /// Nothing fails any more, and nothing is counted.
    func heal() { UnsafeMutableRawPointer(page + 4).storeBytes(of: 0, as: Int32.self) }
}
