/// The keys that one JSON object has shown so far, to notice the second of two alike.
///
/// Keys are compared by their bytes after unescaping. Few keys are compared one by one; many go into a hash table, whose
/// seed is random in each process, so that no input makes it slow.
struct KeysSeen {
    /// From here on a hash table is faster than looking at each key.
    private static let fewAtMost = 8

    private var few: [String] = []
    private var many: Set<Key> = []

    /// Whether the key is new. It is remembered from now on.
    mutating func insert(_ key: String) -> Bool {
        if !many.isEmpty { return many.insert(Key(spelling: key)).inserted }
        if few.contains(where: { $0.isSpelled(key) }) { return false }
        few.append(key)
        if few.count > Self.fewAtMost { many = Set(few.map(Key.init)) }
        return true
    }

    private struct Key: Hashable {
        let spelling: String

        static func == (one: Key, other: Key) -> Bool { one.spelling.isSpelled(other.spelling) }

        func hash(into hasher: inout Hasher) {
            var spelling = spelling
            spelling.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension String {
    /// Whether both consist of the same bytes.
    ///
    /// `==` goes by canonical equivalence: to it, a Kelvin sign is a K, and a method called by it would be found.
    package func isSpelled(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Each byte through the string costs many times what it costs in memory.
        let inMemory = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { mine.elementsEqual($0) }
        }
        return (inMemory ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
