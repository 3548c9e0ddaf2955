import CMemory
import CSystemd
import Glibc

/// The memory of this process.
public enum Memory {
    /// Allocations of this size and more go straight to the machine, and return to it when freed. Without a fixed number,
    /// glibc raises it with each such allocation, up to 32 MB (man 3 mallopt, M_MMAP_THRESHOLD).
    private static let largePiece: Int32 = 1_024 * 1_024

    /// Lets every large allocation return to the machine when it is freed. Without this, it depends on earlier allocations.
    public static func keepNothingLarge() { mallopt(M_MMAP_THRESHOLD, largePiece) }

    /// Returns freed memory to the machine, also where it lies between allocations in use (man 3 malloc_trim).
    public static func giveBack() { malloc_trim(0) }

    /// Keeps other processes, except root's, from reading this process's memory, environment and descriptors. The kernel
    /// writes no core dump of it and pipes none to a collector (man 2 PR_SET_DUMPABLE).
    public static func keepPrivate() throws(SystemdError) {
        try checkErrno("PR_SET_DUMPABLE", cmemory_set_undumpable())
        // One byte: with none, the kernel would still pipe a dump to a collector (man 5 core). A lower limit stays.
        var limit = rlimit()
        try checkErrno("getrlimit", getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit))
        limit = rlimit(rlim_cur: min(1, limit.rlim_max), rlim_max: min(1, limit.rlim_max))
        try checkErrno("setrlimit", setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit))
    }
}
