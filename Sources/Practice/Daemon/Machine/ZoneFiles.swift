import Files
import Glibc
import Time

/// The machine's time zones.
enum ZoneFiles {
    static let folder = "/usr/share/zoneinfo"

    /// Nil for a name that the machine does not know.
    static func zone(_ name: String) -> Zone? {
        let isName =
            !name.isEmpty
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.first != "."
                    && part.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
        guard isName, name.utf8.count <= 60 else { return nil }
        // Many zone files are links to another zone's file, UTC among them.
        guard let real = realpath("\(folder)/\(name)", nil) else { return nil }
        defer { free(real) }
        // A file that cannot be read, or is no zone file, counts as missing.
        guard let bytes = try? File.prefix(256 * 1_024, of: String(cString: real)) else { return nil }
        return try? Zone(name: name, file: bytes)  // A file that is no zone file counts as missing.
    }
}
