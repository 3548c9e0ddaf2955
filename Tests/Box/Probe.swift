/// The attempts of `probe.py` inside a unit's sandbox, in its order, and their outcomes.
enum Probe {
    /// The outcomes in the user's service: a line for each attempt, allowed or refused.
    static let inUsersService = lines { $0[0] }

    /// The outcomes in the system's service.
    static let inSystemsService = lines { $0[$0.count - 1] }

    /// The outcomes in daybreak-notify.service, which has the session bus, and neither the history nor the settings.
    static let inNotify = inUsersService.map { line in
        let what = line.prefix { $0 != ":" }
        return notifyOutcomes[String(what)].map { "\(what): \($0)" } ?? line
    }

    /// The outcomes in daybreak-link.service, which has the network, and neither the session bus nor the history nor the settings.
    static let inLink = inUsersService.map { line in
        let what = line.prefix { $0 != ":" }
        return linkOutcomes[String(what)].map { "\(what): \($0)" } ?? line
    }

    private static let linkOutcomes = [
        "read the settings": "ENOENT", "write the status file's folder": "EROFS",
        "map what was written as executable": "ENOENT", "execute what was written": "ENOENT",
        "open an IPv4 socket": "done", "open an IPv6 socket": "done",
        "open a netlink socket": "done", "reach an abstract socket": "done", "signal another process": "done",
    ]

    private static let notifyOutcomes = [
        "read the settings": "ENOENT", "write the history's folder": "ENOENT",
        "write the status file's folder": "EROFS",
        "write the settings": "ENOENT", "write beside the history": "ENOENT", "make a file setuid": "ENOENT",
        "map what was written as executable": "ENOENT", "execute what was written": "ENOENT",
        "have the service manager execute a program": "done", "have it start another unit": "done",
        "have it reload": "done",
        "ask it for the one unit's state": "done", "write a file that others may read": "ENOENT",
    ]

    /// Prints the folder of the parts of Python's library that are written in C.
    static let libraries = "/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_config_var(\"DESTSHARED\"))'"

    /// Makes files and processes that do not concern the daemon. Root runs it before the probe.
    static let neighbourhood = """
        useradd --create-home neighbour && chmod 0755 /home/neighbour && echo hello >/home/neighbour/letter
        mknod --mode 0666 /dev/box c 1 5 && mkdir --mode 1777 /var/open
        python3 -c 'import ctypes; ctypes.CDLL(None).shmget(0x4242, 64, 0o1666)'
        """

    /// The output of a script that runs the probe, as lines.
    static func answers(_ script: String, in box: Box, as someone: Box.CommandUser = .client) async throws -> [String] {
        try await box.run(script, as: someone).split(separator: "\n").map(String.init)
    }

    private static func lines(_ choose: ([Substring]) -> Substring) -> [String] {
        outcomes.split(separator: "\n").map { line in
            let parts = line.split(separator: ": ")
            return "\(parts[0]): \(choose(parts[1].split(separator: ", ")))"
        }
    }

    /// The outcomes in the user's service and, if it differs, in the system's.
    private static let outcomes = """
        read a neighbour's letter: ENOENT, EACCES
        read one's own letter: ENOENT, EACCES
        read one's own key: ENOENT, EACCES
        read the settings: done, EACCES
        write the history's folder: done
        write the status file's folder: done, EROFS
        write the settings: EROFS, EACCES
        write beside the history: EROFS
        write at home: EROFS, EACCES
        write in the runtime folder: EROFS
        write elsewhere: EROFS
        write the libraries: EROFS
        write shared memory: EACCES
        write the control groups: EROFS
        open a device: ENOENT
        open an IPv4 socket: EAFNOSUPPORT
        open an IPv6 socket: EAFNOSUPPORT
        open a netlink socket: EAFNOSUPPORT
        reach an abstract socket: ECONNREFUSED
        reach the system's bus: ENOENT
        reach shared memory by its key: ENOENT
        trace: EPERM
        attach to another process: EPERM, ESRCH
        read another process's memory: EPERM, ESRCH
        write another process's memory: EACCES, ESRCH
        read another process's environment: EACCES, ESRCH
        look through another process's root: EACCES, ESRCH
        become root: EPERM
        become somebody else: EPERM
        make a user namespace: EPERM
        mount: EPERM
        make a file setuid: EPERM
        write memory and execute it: EPERM
        map what was written as executable: EPERM
        execute from memory: EPERM
        execute a shell: EACCES
        execute what was written: EACCES
        have the service manager execute a program: ENOENT
        have it start another unit: ENOENT
        have it reload: ENOENT
        ask it for the one unit's state: ENOENT
        execute a helper: EACCES
        gain by a setuid program: EPERM
        another architecture's system call: SIGSYS
        write a file that others may read: EACCES
        leave a core dump: EFBIG
        real-time priority: EPERM
        another personality: EPERM
        set the clock: EPERM
        name the host: EPERM
        read the kernel's log: EPERM
        use the keyring: EPERM
        make an io_uring: EPERM
        lock memory: EPERM
        change the priority: EPERM
        set the user, even to oneself: EPERM
        signal another process: EPERM
        see what others run: done, ENOENT
        see how the machine is: done, ENOENT
        """
}
