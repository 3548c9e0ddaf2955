import CSystemd
import Glibc

/// Reads those of this machine's journal files that this user may read (man 3 sd_journal_open).
///
/// A reader is at one entry. A new reader is before the first.
public final class JournalReader {
    /// The result of `wait` and `process`.
    public enum Change {
        case nothing

        /// There may be entries to read: call `next()` until it returns false. New and removed journal files count as well.
        case appended
    }

    private let pointer: OpaquePointer

    public init() throws(SystemdError) {
        var pointer: OpaquePointer?
        try check("sd_journal_open", sd_journal_open(&pointer, Int32(SD_JOURNAL_LOCAL_ONLY)))
        guard let pointer else { preconditionFailure("sd_journal_open succeeded without giving a journal") }
        self.pointer = pointer
    }

    deinit { sd_journal_close(pointer) }

    /// Shows only entries with this field. Values of one field are alternatives; different fields must all match
    /// (man 3 sd_journal_add_match). Seek afterwards.
    public func addMatch(_ field: String, _ value: String) throws(SystemdError) {
        let match = Array("\(field)=\(value)".utf8)
        try check("sd_journal_add_match", sd_journal_add_match(pointer, match, match.count))
    }

    /// Goes before the first entry.
    public func seekHead() throws(SystemdError) {
        try check("sd_journal_seek_head", sd_journal_seek_head(pointer))
    }

    /// Goes to a place from which `next()` gives the last `entries` entries, if there are as many, and then new ones.
    public func seekTail(keeping entries: UInt64 = 0) throws(SystemdError) {
        try check("sd_journal_seek_tail", sd_journal_seek_tail(pointer))
        // From the tail itself, libsystemd would not find later entries.
        let skipped = try check("sd_journal_previous_skip", sd_journal_previous_skip(pointer, entries + 1))
        if UInt64(skipped) <= entries { try seekHead() }
    }

    /// Goes to the next entry.
    /// - Returns: false when there is none yet; the reader does not move.
    public func next() throws(SystemdError) -> Bool {
        try check("sd_journal_next", sd_journal_next(pointer)) > 0
    }

    /// A field of this entry; nil if the entry has no such field. Bytes that are not UTF-8 are replaced. A value of more
    /// than 64 KiB may be cut (man 3 sd_journal_set_data_threshold).
    public func field(_ name: String) throws(SystemdError) -> String? {
        var data: UnsafeRawPointer?
        var length = 0
        let result = sd_journal_get_data(pointer, name, &data, &length)
        if result == -ENOENT { return nil }
        try check("sd_journal_get_data", result)
        let bytes = UnsafeRawBufferPointer(start: data, count: length)
        return String(decoding: bytes.dropFirst(name.utf8.count + 1), as: UTF8.self)
    }

    /// When the journal received this entry: microseconds since 1970-01-01T00:00Z.
    public var realtimeMicroseconds: UInt64 {
        get throws(SystemdError) {
            var time: UInt64 = 0
            try check("sd_journal_get_realtime_usec", sd_journal_get_realtime_usec(pointer, &time))
            return time
        }
    }

    /// Readable when `process()` should be called. The reader closes it.
    public var descriptor: Int32 {
        get throws(SystemdError) { try check("sd_journal_get_fd", sd_journal_get_fd(pointer)) }
    }

    /// Returns the change that made `descriptor` readable, and clears it.
    public func process() throws(SystemdError) -> Change {
        change(try check("sd_journal_process", sd_journal_process(pointer)))
    }

    /// Waits for a change; nil waits without limit. The first call may return at once.
    public func wait(microseconds: UInt64?) throws(SystemdError) -> Change {
        change(try check("sd_journal_wait", sd_journal_wait(pointer, microseconds ?? .max)))
    }

    private func change(_ answer: Int32) -> Change { answer == Int32(SD_JOURNAL_NOP) ? .nothing : .appended }
}
