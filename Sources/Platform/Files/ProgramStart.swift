import Glibc

/// The first step of each program. Another program may have started it in an unusual environment.
public enum ProgramStart {
    /// Call it before the program opens or writes anything.
    ///
    /// - Closed standard streams become unusable ones, so that the next file does not take their numbers.
    /// - A write to a closed pipe, or beyond the limit of a file's size, fails instead of ending the program.
    /// - A pipe that `TZ` names is not read as a time zone, because glibc would never return from opening it.
    public static func prepare() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // Opened for the other direction, so that reading or writing fails. It takes the lowest free number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        if let zone = getenv("TZ").map({ String(cString: $0) }), isPipe(zone) { setenv("TZ", "UTC", 1) }
    }

    /// True if the value of `TZ` names a file that is neither a regular one nor a folder (man 3 tzset).
    private static func isPipe(_ zone: String) -> Bool {
        let name = zone.hasPrefix(":") ? String(zone.dropFirst()) : zone
        let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        var status = stat()
        guard !name.isEmpty, stat(name.hasPrefix("/") ? name : "\(folder)/\(name)", &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }
}
