import Foundation
import Testing

/// How far the units open the machine to the daemon, by systemd's own reckoning (0.0 is shut).
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "systemd-analyze is missing"))
struct ExposureTests {
    /// In tenths, as `systemd-analyze security` prints them. They may only go down.
    @Test(arguments: [("daybreakd.service", 9), ("daybreakd@.service", 2)])
    func `the exposure is no more than it was`(unit: String, tenths: Int) throws {
        #expect(try Self.analyze(unit, threshold: tenths) == 0)
        #expect(try Self.analyze(unit, threshold: tenths - 1) != 0, "It is less by now: put the lower figure here.")
    }

    private static func analyze(_ unit: String, threshold: Int) throws -> Int32 {
        let units = URL(filePath: #filePath).appending(path: "../../../systemd").standardizedFileURL
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = [
            "security", "--offline=true", "--threshold=\(threshold)", "--no-pager", units.appending(path: unit).path,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// What the sandbox forbids, tried from inside: `probe.py` runs in place of the daemon, under the same unit.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .timeLimit(.minutes(20))
)
struct SandboxTests {
    /// All that the client's own sandbox lets through, and how the rest is refused.
    private static let forbidden = """
        read a neighbour's letter: ENOENT
        read one's own letter: ENOENT
        read one's own key: ENOENT
        read the settings: done
        write the history's folder: done
        write the status file's folder: done
        write the settings: EROFS
        write beside the history: EROFS
        write at home: EROFS
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
        attach to another process: EPERM
        read another process's memory: EPERM
        write another process's memory: EACCES
        read another process's environment: EACCES
        look through another process's root: EACCES
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
        have the service manager execute a program: AccessDenied
        have it start another unit: AccessDenied
        have it reload: AccessDenied
        ask it for the one unit's state: done
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
        see what others run: done
        see how the machine is: done
        """

    /// What becomes possible without a directive, or without those that stand for the same. Of the others, each forbids what
    /// another one forbids as well, or what no probe can try here; `UnitTests` sees to it that they stay.
    private static let parts: [(without: String, opens: String)] = [
        (
            "TemporaryFileSystem=\nProtectHome=no",
            """
            read a neighbour's letter: done
            read one's own letter: done
            read one's own key: done
            write beside the history: done
            write at home: done
            write in the runtime folder: done
            reach the system's bus: done
            """
        ),
        ("ProtectSystem=no", "write elsewhere: done"),
        (
            "NoExecPaths=\nExecPaths=",
            """
            map what was written as executable: done
            execute a shell: done
            execute what was written: done
            execute a helper: done
            """
        ),
        (
            "BindReadOnlyPaths=%t/bus\nEnvironment=DBUS_SESSION_BUS_ADDRESS=unix:path=%t/bus",
            """
            have the service manager execute a program: done
            have it start another unit: done
            have it reload: done
            """
        ),
        ("ExecPaths=/usr/lib", "execute a helper: done"),
        ("UMask=0022", "write a file that others may read: done"),
        ("LimitCORE=infinity", "leave a core dump: done"),
        ("PrivateIPC=no", "reach shared memory by its key: done"),
        ("PrivateDevices=no", "open a device: done"),
        ("InaccessiblePaths=", "write shared memory: done"),
        ("PrivateNetwork=no", "reach an abstract socket: done"),
        ("ProtectControlGroups=no", "write the control groups: done"),
        (
            "RestrictAddressFamilies=",
            "open an IPv4 socket: done\nopen an IPv6 socket: done\nopen a netlink socket: done"
        ),
        ("RestrictNamespaces=no", "make a user namespace: done"),
        ("RestrictSUIDSGID=no", "make a file setuid: done"),
        ("MemoryDenyWriteExecute=no", "write memory and execute it: done"),
        ("LockPersonality=no", "another personality: done"),
        (
            "SystemCallFilter=",
            """
            trace: done
            execute from memory: done
            use the keyring: done
            make an io_uring: done
            lock memory: done
            change the priority: done
            set the user, even to oneself: done
            signal another process: done
            """
        ),
    ]

    /// What becomes possible without some words of the filter's lines.
    private static let filterParts: [(without: String, opens: String)] = [
        ("@system-service", "trace: done"),
        ("@privileged ", "set the user, even to oneself: done"),
        (" @resources", "change the priority: done"),
        (" @aio", "make an io_uring: done"),
        (" @keyring", "use the keyring: done"),
        (" @memlock", "lock memory: done"),
        ("~memfd_create", "execute from memory: done"),
        (
            "~kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal", "signal another process: done"
        ),
    ]

    @Test func `from inside, nothing can be reached but what the daemon needs`() async throws {
        let box = try await Self.house()
        #expect(try await Self.probe(box) == Self.forbidden)
    }

    @Test func `these directives forbid what nothing else does`() async throws {
        let box = try await Self.house()
        let closed = Self.forbidden.split(separator: "\n")
        let lines = try Self.filterParts.map { (without: try Self.filter(without: $0.without), opens: $0.opens) }
        for part in Self.parts + lines {
            let open = try await Self.probe(box, without: part.without).split(separator: "\n")
            let opened = zip(closed, open).filter { $0 != $1 }.map { String($1) }.filter { $0.hasSuffix(": done") }
            #expect(opened.joined(separator: "\n") == part.opens, "without \(part.without)")
        }
    }

    /// The unit's system call filter, begun anew and without those words.
    private static func filter(without words: String) throws -> String {
        let unit = URL(filePath: #filePath).appending(path: "../../../systemd/daybreakd.service").standardizedFileURL
        let (lines, name) = (try String(contentsOf: unit, encoding: .utf8).split(separator: "\n"), "SystemCallFilter=")
        let filter = lines.filter { $0.hasPrefix(name) }.map { String($0).replacing(words, with: "") }
        return ([name] + filter.filter { $0 != name }).joined(separator: "\n")
    }

    /// A box with the service installed, a neighbour, and things that are none of its business.
    private static func house() async throws -> Box {
        let box = try await Box()
        try await box.run(
            """
            useradd --create-home neighbour && chmod 0755 /home/neighbour && echo hello >/home/neighbour/letter
            mknod --mode 0666 /dev/box c 1 5 && mkdir --mode 1777 /var/open
            python3 -c 'import ctypes; ctypes.CDLL(None).shmget(0x4242, 64, 0o1666)'
            systemd-run --quiet --property ExitType=cgroup --service-type notify --property NotifyAccess=all \
                /usr/bin/python3 -c '
            import os, signal, socket
            listener = socket.socket(socket.AF_UNIX)
            listener.bind("\\0" + open("/etc/machine-id").read())
            listener.listen()
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
            signal.pause()'
            """, as: .root)
        try await box.run(
            """
            \(Client.install)
            mkdir ~/.ssh && echo secret | tee ~/letter >~/.ssh/id && cp /bin/true ~/.local/state/daybreak/program
            systemd-run --user --quiet --service-type exec sleep infinity
            """)
        return box
    }

    /// Prints where the parts of Python's library are that are written in C.
    static let libraries = "/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_config_var(\"DESTSHARED\"))'"

    private static func probe(_ box: Box, without lines: String = "") async throws -> String {
        try await box.run(
            """
            mkdir --parents ~/.config/systemd/user/daybreakd.service.d
            cat >~/.config/systemd/user/daybreakd.service.d/probe.conf <<END
            [Service]
            Type=oneshot
            Restart=no
            WatchdogSec=0
            ExecStart=
            ExecStart=/usr/bin/python3 \(Box.clone)/Tests/Box/probe.py %h %t /home/neighbour %h/.local/state/daybreak
            ExecPaths=/usr/bin/python3 $(\(Self.libraries))
            StandardOutput=truncate:%h/said
            \(lines)
            END
            systemctl --user daemon-reload && systemctl --user restart daybreakd.service && cat ~/said
            """)
    }
}
