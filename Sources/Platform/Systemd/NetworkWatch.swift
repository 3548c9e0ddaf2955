import Glibc

/// Notices that a route of this machine came or went (man 7 rtnetlink). Several changes in a row may call the handler once.
public final class NetworkWatch {
    private let descriptor: Int32
    private var source: IOSource?

    // From linux/netlink.h and linux/rtnetlink.h, which Glibc's module leaves out.
    private static let family: Int32 = 16  // AF_NETLINK
    private static let raw: Int32 = 3  // SOCK_RAW, which the static toolchain's module hides here
    private static let route: Int32 = 0  // NETLINK_ROUTE
    private static let groups: UInt32 = 0x40 | 0x400  // RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_ROUTE

    public init(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemdError) {
        descriptor = try checkErrno("socket", socket(Self.family, Self.raw, Self.route))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        // struct sockaddr_nl
        var address: (family: UInt16, padding: UInt16, process: UInt32, groups: UInt32) = (
            UInt16(Self.family), 0, 0, Self.groups
        )
        let length = socklen_t(MemoryLayout.size(ofValue: address))
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else {
            let error = SystemdError(call: "bind", errno: errno)
            close(descriptor)
            throw error
        }
        source = try loop.onIO(descriptor, .readable) { [unowned self] _ in
            drain()
            handler()
        }
    }

    deinit {
        source?.cancel()
        close(descriptor)
    }

    /// The messages tell nothing more: where the routes lead is ssh's affair.
    private func drain() {
        var chunk = [UInt8](repeating: 0, count: 8_192)
        while recv(descriptor, &chunk, chunk.count, 0) > 0 || errno == ENOBUFS || errno == EINTR {}
    }
}
