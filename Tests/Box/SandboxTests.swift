import Foundation
import Testing

/// The units' exposure, as systemd calculates it (0.0 is closed).
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "systemd-analyze is missing"))
struct ExposureTests {
    /// The figures are tenths, as `systemd-analyze security` prints them. They may only go down.
    @Test(arguments: [
        ("daybreakd.service", 9), ("daybreakd@.service", 2), ("daybreak-notify.service", 9),
        ("daybreak-link.service", 17),
        ("practiced.service", 4), ("practice-reports.service", 4),
    ])
    func `systemd-analyze rates the exposure no higher than before`(unit: String, tenths: Int) throws {
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

/// Tries from inside what the sandbox forbids: `probe.py` runs in place of the daemon, under the same unit.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .boxed
)
struct SandboxTests {
    /// The attempts that succeed without a directive, or without those that have the same effect. The other directives forbid
    /// something that another one forbids as well, or that no probe can try here; `UnitTests` checks that they stay.
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
            have the service manager execute a program: done
            have it start another unit: done
            have it reload: done
            ask it for the one unit's state: done
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
            "BindReadOnlyPaths=%t/bus",
            """
            have the service manager execute a program: done
            have it start another unit: done
            have it reload: done
            ask it for the one unit's state: done
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

    /// The attempts that succeed without some words of the system call filter.
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

    @Test func `a process in the sandbox can reach only what the daemon needs`() async throws {
        let box = try await Self.house()
        #expect(try await Self.probe(box) == Probe.inUsersService)
    }

    @Test func `a process in the notifications' sandbox reaches the bus and the control socket, and no file`()
        async throws
    {
        let box = try await Self.house()
        #expect(try await Self.probe(box, unit: "daybreak-notify.service") == Probe.inNotify)
    }

    @Test
    func `a process in the link's sandbox reaches the network, the control socket and its key, and no other file`()
        async throws
    {
        let box = try await Self.house()
        let answers = try await Self.probe(box, unit: Self.link, state: Self.ownFolder)
        #expect(answers == Probe.inLink)
        // The probe executes Python; the link executes only itself and ssh.
        let paths = try await box.run("systemctl --user show --property ExecPaths,NoExecPaths \(Self.link)")
        #expect(paths.contains("/usr/bin/ssh") && paths.contains("NoExecPaths=/ /tmp /var/tmp"))
    }

    @Test func `each of these directives of the link's sandbox forbids something that no other one forbids`()
        async throws
    {
        let box = try await Self.house()
        for part in Self.linkParts {
            let open = try await Self.probe(
                box, unit: Self.link, state: Self.ownFolder, without: part.without)
            let opened = zip(Probe.inLink, open).filter { $0 != $1 }.map(\.1).filter { $0.hasSuffix(": done") }
            #expect(opened.joined(separator: "\n") == part.opens, "without \(part.without)")
        }
    }

    private static let link = "daybreak-link.service"
    /// The only folder that it can write: it is private, and goes with the process. The probe uses it in place of the history's.
    private static let ownFolder = "/tmp"

    private static let linkParts: [(without: String, opens: String)] = [
        (
            "TemporaryFileSystem=\nProtectHome=no",
            """
            read a neighbour's letter: done
            read one's own letter: done
            read one's own key: done
            read the settings: done
            write the settings: done
            write at home: done
            write in the runtime folder: done
            reach the system's bus: done
            have the service manager execute a program: done
            have it start another unit: done
            have it reload: done
            ask it for the one unit's state: done
            """
        ),
        ("ProtectSystem=no", "write elsewhere: done"),
        (
            "NoExecPaths=\nExecPaths=",
            """
            execute a shell: done
            execute a helper: done
            """
        ),
        ("ExecPaths=/usr/lib", "execute a helper: done"),
        ("UMask=0022", "write a file that others may read: done"),
        ("LimitCORE=infinity", "leave a core dump: done"),
        ("PrivateIPC=no", "reach shared memory by its key: done"),
        ("PrivateDevices=no", "open a device: done"),
        ("InaccessiblePaths=", "write shared memory: done"),
        ("ProtectControlGroups=no", "write the control groups: done"),
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
            """
        ),
    ]

    @Test func `each of these directives forbids something that no other one forbids`() async throws {
        let box = try await Self.house()
        let lines = try Self.filterParts.map { (without: try Self.filter(without: $0.without), opens: $0.opens) }
        for part in Self.parts + lines {
            let open = try await Self.probe(box, without: part.without)
            let opened = zip(Probe.inUsersService, open).filter { $0 != $1 }.map(\.1).filter { $0.hasSuffix(": done") }
            #expect(opened.joined(separator: "\n") == part.opens, "without \(part.without)")
        }
    }

    /// The unit's system call filter, reset and then set without those words.
    private static func filter(without words: String) throws -> String {
        let unit = URL(filePath: #filePath).appending(path: "../../../systemd/daybreakd.service").standardizedFileURL
        let (lines, name) = (try String(contentsOf: unit, encoding: .utf8).split(separator: "\n"), "SystemCallFilter=")
        let filter = lines.filter { $0.hasPrefix(name) }.map { String($0).replacing(words, with: "") }
        return ([name] + filter.filter { $0 != name }).joined(separator: "\n")
    }

    /// A box with the service installed, a second user, and files that do not concern the daemon.
    private static func house() async throws -> Box {
        let box = try await Box()
        try await box.run(
            """
            \(Probe.neighbourhood)
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
            mkdir --parents ~/.config/daybreak/link && ssh-keygen -q -t ed25519 -N '' -f ~/.config/daybreak/link/key
            mkdir ~/.ssh && echo secret | tee ~/letter >~/.ssh/id && cp /bin/true ~/.local/state/daybreak/program
            systemd-run --user --quiet --service-type exec sleep infinity
            """)
        return box
    }

    private static func probe(
        _ box: Box, unit: String = "daybreakd.service", state: String = "%h/.local/state/daybreak",
        without lines: String = ""
    ) async throws -> [String] {
        try await Probe.answers(
            """
            mkdir --parents ~/.config/systemd/user/\(unit).d
            cat >~/.config/systemd/user/\(unit).d/probe.conf <<END
            [Service]
            Type=oneshot
            Restart=no
            WatchdogSec=0
            ExecStart=
            ExecStart=/usr/bin/python3 \(Box.clone)/Tests/Box/probe.py %h %t /home/neighbour \(state)
            ExecPaths=/usr/bin/python3 $(\(Probe.libraries))
            StandardOutput=truncate:%h/said
            \(lines)
            END
            systemctl --user daemon-reload && systemctl --user restart \(unit) && cat ~/said
            """, in: box)
    }
}
