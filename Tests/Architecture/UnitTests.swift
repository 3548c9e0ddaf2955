import Foundation
import Testing

/// The directives of each program's sandbox, as in the unit files. Most are tried from inside (`Tests/Box/probe.py`). The
/// others cannot be tried there: another directive forbids the same, or the kernel decides.
@Suite struct UnitTests {
    @Test func `the user's unit has its sandbox directives`() throws {
        #expect(try Self.directives(of: "daybreakd.service") == Self.user)
    }

    @Test func `the system's unit has its sandbox directives`() throws {
        #expect(try Self.directives(of: "daybreakd@.service") == Self.system)
    }

    @Test func `the notifications' unit has its sandbox directives`() throws {
        #expect(try Self.directives(of: "daybreak-notify.service") == Self.notify)
    }

    @Test func `the practice's unit has its sandbox directives`() throws {
        #expect(try Self.directives(of: "practiced.service") == Self.practice)
    }

    @Test func `the unit of the reports has its sandbox directives`() throws {
        #expect(try Self.directives(of: "practice-reports.service") == Self.reports)
    }

    @Test func `the unit of the button Start leaves the browser of a meeting when the terminal is closed`() throws {
        let unit = SourceTree.root.appending(path: "systemd/daybreak-start.service")
        #expect(try String(contentsOf: unit, encoding: .utf8).split(separator: "\n").contains("KillMode=process"))
    }

    /// The last lines of each unit.
    private static let all = """
        NoNewPrivileges=yes
        RestrictAddressFamilies=AF_UNIX
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources @aio @keyring @memlock
        SystemCallFilter=~memfd_create
        SystemCallFilter=~kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal
        SystemCallErrorNumber=EPERM
        """

    private static let user = """
        UMask=0077
        LimitCORE=0
        MemorySwapMax=0
        TasksMax=16
        PrivateUsers=yes
        ProtectSystem=strict
        ProtectHome=tmpfs
        TemporaryFileSystem=/home:ro /root:ro /run:ro /run/user:ro
        BindReadOnlyPaths=%h/.local/bin/daybreakd -%h/.local/bin/daybreak -%h/.config/daybreak
        BindPaths=%h/.local/state/daybreak %t/daybreak
        BindReadOnlyPaths=%t/systemd/notify -/run/systemd/journal -/run/log
        NoExecPaths=/ -%h/.local/state/daybreak %t/daybreak /tmp /var/tmp
        ExecPaths=%h/.local/bin/daybreakd -%h/.local/bin/daybreak
        ExecPaths=-/usr/lib/x86_64-linux-gnu -/usr/lib/aarch64-linux-gnu -/usr/lib64 -/usr/lib/ld-linux-aarch64.so.1
        PrivateTmp=yes
        PrivateDevices=yes
        InaccessiblePaths=-/dev/shm -/dev/mqueue
        PrivateNetwork=yes
        PrivateIPC=yes
        PrivateMounts=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        CapabilityBoundingSet=
        \(all)
        """

    private static let notify = """
        UMask=0077
        LimitCORE=0
        TasksMax=4
        PrivateUsers=yes
        ProtectSystem=strict
        ProtectHome=tmpfs
        TemporaryFileSystem=/home:ro /root:ro /run:ro /run/user:ro
        BindReadOnlyPaths=%h/.local/bin/daybreak-notify %t/bus %t/daybreak
        NoExecPaths=/ /tmp /var/tmp
        ExecPaths=%h/.local/bin/daybreak-notify
        ExecPaths=-/usr/lib/x86_64-linux-gnu -/usr/lib/aarch64-linux-gnu -/usr/lib64 -/usr/lib/ld-linux-aarch64.so.1
        PrivateTmp=yes
        PrivateDevices=yes
        InaccessiblePaths=-/dev/shm -/dev/mqueue
        PrivateNetwork=yes
        PrivateIPC=yes
        PrivateMounts=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        CapabilityBoundingSet=
        \(all)
        """

    private static let system = """
        UMask=0077
        LimitCORE=0
        MemorySwapMax=0
        TasksMax=16
        KeyringMode=private
        RemoveIPC=yes
        ProtectSystem=strict
        ProtectHome=yes
        TemporaryFileSystem=/run:ro
        BindPaths=/run/daybreak/%i
        BindReadOnlyPaths=/run/systemd/notify -/run/systemd/journal -/run/log
        InaccessiblePaths=-/dev/shm -/dev/mqueue
        NoExecPaths=/ /var/lib/daybreak/%i /run/daybreak/%i /tmp /var/tmp
        ExecPaths=/usr/local/bin/daybreakd -/usr/local/bin/daybreak
        ExecPaths=-/usr/lib/x86_64-linux-gnu -/usr/lib/aarch64-linux-gnu -/usr/lib64 -/usr/lib/ld-linux-aarch64.so.1
        PrivateTmp=yes
        PrivateDevices=yes
        DevicePolicy=closed
        PrivateNetwork=yes
        IPAddressDeny=any
        PrivateIPC=yes
        PrivateMounts=yes
        PrivateUsers=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectProc=invisible
        ProcSubset=pid
        CapabilityBoundingSet=
        \(all)
        """

    /// Of a system service that no network and no device reaches.
    private static let alone = """
        PrivateTmp=yes
        PrivateDevices=yes
        DevicePolicy=closed
        PrivateNetwork=yes
        IPAddressDeny=any
        PrivateIPC=yes
        PrivateMounts=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectProc=invisible
        ProcSubset=pid
        CapabilityBoundingSet=
        \(all)
        """

    private static let practice = """
        UMask=0077
        LimitCORE=0
        MemorySwapMax=0
        TasksMax=16
        LimitNOFILE=16384
        KeyringMode=private
        RemoveIPC=yes
        ProtectSystem=strict
        ProtectHome=yes
        TemporaryFileSystem=/run:ro
        BindPaths=/run/practice
        BindReadOnlyPaths=/run/systemd/notify -/run/systemd/journal -/run/systemd/userdb -/run/nscd
        InaccessiblePaths=-/dev/shm -/dev/mqueue
        NoExecPaths=/ /var/lib/practice /run/practice /tmp /var/tmp
        ExecPaths=/usr/local/bin/practiced
        ExecPaths=-/usr/bin/ssh-keygen
        ExecPaths=-/usr/lib/x86_64-linux-gnu -/usr/lib/aarch64-linux-gnu -/usr/lib64 -/usr/lib/ld-linux-aarch64.so.1
        \(alone)
        """

    private static let reports = """
        UMask=0077
        LimitCORE=0
        MemorySwapMax=0
        TasksMax=4
        LimitNOFILE=64
        KeyringMode=private
        RemoveIPC=yes
        ProtectSystem=strict
        ProtectHome=yes
        TemporaryFileSystem=/run:ro
        BindReadOnlyPaths=/run/practice
        InaccessiblePaths=-/var/lib/practice -/etc/practice -/dev/shm -/dev/mqueue
        NoExecPaths=/ /var/lib/practice-reports /tmp /var/tmp
        ExecPaths=/usr/local/bin/practice
        ExecPaths=-/usr/lib/x86_64-linux-gnu -/usr/lib/aarch64-linux-gnu -/usr/lib64 -/usr/lib/ld-linux-aarch64.so.1
        \(alone)
        """

    /// The lines of `[Service]` from UMask= on, without comments.
    private static func directives(of unit: String) throws -> String {
        let text = try String(contentsOf: SourceTree.root.appending(path: "systemd/\(unit)"), encoding: .utf8)
        let service = text.split(separator: "\n[Service]\n")[1].split(separator: "\n[Install]\n")[0]
        let lines = service.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return lines.drop { $0 != "UMask=0077" }.joined(separator: "\n")
    }
}
