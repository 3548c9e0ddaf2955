import CSystemd

/// The memory of this process.
public enum Memory {
    /// Gives what was freed back to the machine, also where it lies between what is still used (man 3 malloc_trim).
    public static func giveBack() { malloc_trim(0) }
}
