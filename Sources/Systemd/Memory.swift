import CSystemd

/// The memory of this process.
public enum Memory {
    /// Gives what was freed back to the machine, also where it lies between what is still used (man 3 malloc_trim).
    public static func giveBack() { malloc_trim(0) }

    /// Has large blocks go back to the machine when they are freed (man 3 mallopt, M_MMAP_THRESHOLD). By itself the C
    /// library keeps the next of a size that it has given back once.
    public static func keepNothingLarge() { mallopt(M_MMAP_THRESHOLD, 1_024 * 1_024) }
}
