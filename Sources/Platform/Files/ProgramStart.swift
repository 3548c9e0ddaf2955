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
        if ZoneSetting.ofThisProcess?.isPipe == true { setenv("TZ", "UTC", 1) }
    }
}
