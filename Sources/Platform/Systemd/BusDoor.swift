import CSystemd
import Glibc

/// A narrow way from one program to a bus (man 3 sd-bus): what it may call is passed on, the rest is refused, and of all
/// that is said on the bus it hears no more than the answers and the signals that it may.
///
/// Messages go through as they are, with the names and the numbers that both sides know them by.
public final class BusDoor {
    private let loop: EventLoop
    private let inside: Side
    private let outside: Side
    private let calls: [Bus.Method]
    private let signals: [Signal]
    /// The bus's first word to the program has to be its answer to Hello (the D-Bus specification, "Message Bus Messages").
    private var isGreeted = false
    /// Calls that are refused once that is said.
    private var held: [OpaquePointer] = []
    private static let mostHeld = 16

    /// A signal by its interface and its name; nil for all of them.
    public struct Signal: Sendable {
        let interface: String
        let member: String?

        public init(_ interface: String, _ member: String? = nil) {
            self.interface = interface
            self.member = member
        }
    }

    /// What every program asks of the bus itself.
    private static let usual = ["Hello", "AddMatch", "RemoveMatch"].map {
        Bus.Method("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", $0)
    }

    /// From the program at `descriptor`, a connected socket, to the bus at `address`. The loop ends with either of them.
    public init(
        _ loop: EventLoop, from descriptor: Int32, to address: String, calls: [Bus.Method], signals: [Signal]
    ) throws(SystemdError) {
        self.loop = loop
        self.calls = calls + Self.usual
        self.signals = signals
        inside = try Side()
        outside = try Side()
        var identity = sd_id128_t()
        try check("sd_id128_randomize", sd_id128_randomize(&identity))
        try check("sd_bus_set_fd", sd_bus_set_fd(inside.pointer, descriptor, descriptor))
        try check("sd_bus_set_server", sd_bus_set_server(inside.pointer, 1, identity))
        try check("sd_bus_set_address", sd_bus_set_address(outside.pointer, address))
        inside.heard = { [unowned self] in passOut($0) }
        outside.heard = { [unowned self] in passIn($0) }
        for side in [inside, outside] { try side.start(in: loop) }
    }

    deinit { for message in held { sd_bus_message_unref(message) } }

    /// What the program says: a call that it may make, and nothing else.
    private func passOut(_ message: OpaquePointer) {
        guard !ended(message) else { return }
        guard sd_bus_message_is_method_call(message, nil, nil) > 0 else { return }
        if calls.contains(where: { $0.isCalled(by: message) }) {
            pass(message, to: outside)
        } else if isGreeted {
            refuse(message)
        } else if held.count < Self.mostHeld, let message = sd_bus_message_ref(message) {
            held.append(message)
        } else {
            loop.exit(1)
        }
    }

    private func refuse(_ call: OpaquePointer) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, "org.freedesktop.DBus.Error.AccessDenied", "This is not let through.")
        if sd_bus_reply_method_error(call, &error) < 0 { loop.exit(1) }
        sd_bus_error_free(&error)
    }

    /// What the bus says: an answer, or a signal that the program may hear. Nobody calls it.
    private func passIn(_ message: OpaquePointer) {
        guard !ended(message), sd_bus_message_is_method_call(message, nil, nil) == 0 else { return }
        let isSignal = sd_bus_message_is_signal(message, nil, nil) > 0
        guard !isSignal || signals.contains(where: { sd_bus_message_is_signal(message, $0.interface, $0.member) > 0 })
        else { return }
        pass(message, to: inside)
        isGreeted = true
        for call in held {
            refuse(call)
            sd_bus_message_unref(call)
        }
        held = []
    }

    private func pass(_ message: OpaquePointer, to side: Side) {
        if sd_bus_send(side.pointer, message, nil) < 0 { loop.exit(1) }
    }

    /// libsystemd says itself that a connection is closed (man 3 sd_bus_set_exit_on_disconnect).
    private func ended(_ message: OpaquePointer) -> Bool {
        guard sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") > 0 else { return false }
        loop.exit(0)
        return true
    }

    /// One of its two connections.
    private final class Side {
        let pointer: OpaquePointer
        var heard: (OpaquePointer) -> Void = { _ in }
        private var rest: OpaquePointer?

        init() throws(SystemdError) {
            var made: OpaquePointer?
            try check("sd_bus_new", sd_bus_new(&made))
            guard let made else { preconditionFailure("sd_bus_new succeeded without giving a bus") }
            pointer = made
        }

        deinit {
            sd_event_source_disable_unref(rest)
            sd_bus_close_unref(pointer)
        }

        func start(in loop: EventLoop) throws(SystemdError) {
            let context = Unmanaged.passUnretained(self).toOpaque()
            try check("sd_bus_add_filter", sd_bus_add_filter(pointer, nil, BusDoor.messageHeard, context))
            try check("sd_bus_start", sd_bus_start(pointer))
            try check("sd_bus_attach_event", sd_bus_attach_event(pointer, loop.pointer, 0))
            try check("sd_event_add_post", sd_event_add_post(loop.pointer, &rest, BusDoor.restLeft, context))
        }
    }

    /// What came together with the end of the authentication is read already, and nothing would wake anybody for it.
    fileprivate static let restLeft: sd_event_handler_t = { _, context in
        let side: Side = owner(context)
        while sd_bus_process(side.pointer, nil) > 0 {}
        return 0
    }

    fileprivate static let messageHeard: sd_bus_message_handler_t = { pointer, context, _ in
        guard let pointer else { preconditionFailure("sd-bus called back without a message") }
        let side: Side = owner(context)
        side.heard(pointer)
        return 1
    }
}

extension Bus.Method {
    fileprivate func isCalled(by message: OpaquePointer) -> Bool {
        func isIt(_ text: UnsafePointer<CChar>?, _ wanted: String) -> Bool {
            text.map { String(cString: $0) == wanted } ?? false
        }
        return sd_bus_message_is_method_call(message, interface, member) > 0
            && isIt(sd_bus_message_get_path(message), path)
            && isIt(sd_bus_message_get_destination(message), destination)
    }
}
