import CMemory
import CSystemd
import Glibc

/// The memory of this process.
public enum Memory {
    /// From so many bytes on a piece of memory is taken from the machine by itself, and given back when it is freed.
    /// Without a word glibc raises this with each such piece, up to 32 MB (man 3 mallopt, M_MMAP_THRESHOLD).
    private static let largePiece: Int32 = 1_024 * 1_024

    /// Has large pieces go back to the machine when they are freed, whatever was used before.
    public static func keepNothingLarge() { mallopt(M_MMAP_THRESHOLD, largePiece) }

    /// Gives what was freed back to the machine, also where it lies between what is still used (man 3 malloc_trim).
    public static func giveBack() { malloc_trim(0) }

    /// Lets nobody but root look into this process's memory, environment and descriptors, and has the kernel write no core
    /// dump of it, nor pipe one to a collector (man 2 PR_SET_DUMPABLE).
    public static func keepPrivate() throws(SystemdError) {
        try checkErrno("PR_SET_DUMPABLE", cmemory_set_undumpable())
        // One byte: with none the kernel would still pipe a dump to a collector (man 5 core). Less stays less.
        var limit = rlimit()
        try checkErrno("getrlimit", getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit))
        limit = rlimit(rlim_cur: min(1, limit.rlim_max), rlim_max: min(1, limit.rlim_max))
        try checkErrno("setrlimit", setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit))
    }
}
