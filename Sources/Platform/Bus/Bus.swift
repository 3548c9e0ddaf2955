import CSystemd
public import Systemd

/// A connection to the user's session bus, in a loop (man 3 sd-bus).
///
/// No call waits. A message is sent, or queued until the bus has authenticated the connection; a handler gets the answer in
/// the loop. Dropping the object closes the connection, and its open calls are never answered.
public final class Bus {
    private let pointer: OpaquePointer
    private var matches: [Match] = []

    /// Connects to the bus at `address`, or by default to the one that `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`
    /// names (man 3 sd_bus_open_user). Throws if no bus listens there.
    public init(_ loop: EventLoop, address: String? = nil) throws(SystemdError) {
        pointer = if let address { try Bus.open(address) } else { try Bus.openUser() }
        // An initializer that throws from here on runs deinit, which closes the connection.
        // Without this, the loop would wait at its end until every message is sent.
        try check("sd_bus_set_close_on_exit", sd_bus_set_close_on_exit(pointer, 0))
        try check("sd_bus_attach_event", sd_bus_attach_event(pointer, loop.pointer, 0))
    }

    deinit {
        matches = []
        sd_bus_close_unref(pointer)
    }

    private static func openUser() throws(SystemdError) -> OpaquePointer {
        var opened: OpaquePointer?
        try check("sd_bus_open_user", sd_bus_open_user(&opened))
        guard let opened else { preconditionFailure("sd_bus_open_user succeeded without giving a bus") }
        return opened
    }

    private static func open(_ address: String) throws(SystemdError) -> OpaquePointer {
        var made: OpaquePointer?
        try check("sd_bus_new", sd_bus_new(&made))
        guard let made else { preconditionFailure("sd_bus_new succeeded without giving a bus") }
        do throws(SystemdError) {
            try check("sd_bus_set_address", sd_bus_set_address(made, address))
            try check("sd_bus_set_bus_client", sd_bus_set_bus_client(made, 1))
            try check("sd_bus_start", sd_bus_start(made))
        } catch {
            sd_bus_close_unref(made)
            throw error
        }
        return made
    }

    /// A method of an object on the bus.
    public struct Method: Sendable {
        public let destination: String
        public let path: String
        public let interface: String
        public let member: String

        public init(_ destination: String, _ path: String, _ interface: String, _ member: String) {
            self.destination = destination
            self.path = path
            self.interface = interface
            self.member = member
        }
    }

    /// Calls a method (man 3 sd_bus_call_async). `answered` is called once, in the loop, unless the connection is
    /// dropped before.
    /// - Parameters:
    ///   - autostart: whether the bus may start a service that is not running.
    ///   - patience: microseconds without an answer after which the call fails.
    public func call(
        _ method: Method, _ arguments: [BusValue] = [], autostart: Bool = true, patience: UInt64 = 30_000_000,
        _ answered: @escaping (Result<BusMessage, BusError>) -> Void
    ) throws(SystemdError) {
        let message = try OwnedMessage("sd_bus_message_new_method_call") {
            sd_bus_message_new_method_call(
                pointer, $0, method.destination, method.path, method.interface, method.member)
        }
        try check("sd_bus_message_set_auto_start", sd_bus_message_set_auto_start(message.pointer, autostart ? 1 : 0))
        for argument in arguments { try argument.append(to: message.pointer) }
        let context = Unmanaged.passRetained(PendingCall(answered))
        var slot: OpaquePointer?
        let sent = sd_bus_call_async(pointer, &slot, message.pointer, callAnswered, context.toOpaque(), patience)
        guard sent >= 0 else {
            context.release()
            throw SystemdError(call: "sd_bus_call_async", errno: -sent)
        }
        // The bus owns the slot from here on, and releases the handler with it.
        sd_bus_slot_set_destroy_callback(slot, callForgotten)
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
    }

    /// Calls `handler` with each message that fits the match rule (D-Bus specification), until the connection ends.
    public func listen(_ rule: String, _ handler: @escaping (BusMessage) -> Void) throws(SystemdError) {
        matches.append(try Match(pointer, rule, handler))
    }

    /// Calls `handler` when the other side has ended the connection.
    public func onEnd(_ handler: @escaping () -> Void) throws(SystemdError) {
        let local = "org.freedesktop.DBus.Local"
        try listen("type='signal',sender='\(local)',interface='\(local)',member='Disconnected'") { _ in handler() }
    }
}

/// An error answer to a call.
public struct BusError: Error, Equatable, CustomStringConvertible {
    /// `org.freedesktop.DBus.Error.ServiceUnknown`
    public let name: String
    public let message: String

    /// No program owns the name that was called, and the bus can start none.
    public var isServiceUnknown: Bool {
        ["ServiceUnknown", "NameHasNoOwner"].contains { name == "org.freedesktop.DBus.Error.\($0)" }
    }

    public var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

/// A received message, valid only while its handler runs. Its arguments are read in their order.
public struct BusMessage {
    fileprivate let pointer: OpaquePointer

    /// Reads the next argument; nil if it is no string.
    public func text() -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(pointer, "s".type, &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    /// Reads the next argument; nil if it is no `uint32`.
    public func count() -> UInt32? {
        var count: UInt32 = 0
        return sd_bus_message_read_basic(pointer, "u".type, &count) > 0 ? count : nil
    }

    /// Reads the next argument; nil if it is no array of strings.
    public func texts() -> [String]? {
        guard sd_bus_message_enter_container(pointer, "a".type, "s") > 0 else { return nil }
        var texts: [String] = []
        while let text = text() { texts.append(text) }
        return sd_bus_message_exit_container(pointer) >= 0 ? texts : nil
    }

    fileprivate var error: BusError? {
        guard let error = sd_bus_message_get_error(pointer)?.pointee else { return nil }
        return BusError(
            name: error.name.map { String(cString: $0) } ?? "", message: error.message.map { String(cString: $0) } ?? ""
        )
    }
}

/// A match rule and its handler.
private final class Match {
    private let handler: (BusMessage) -> Void
    private var slot: OpaquePointer?

    init(_ bus: OpaquePointer, _ rule: String, _ handler: @escaping (BusMessage) -> Void) throws(SystemdError) {
        self.handler = handler
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Not sd_bus_add_match, which waits for the bus to agree.
        try check("sd_bus_add_match_async", sd_bus_add_match_async(bus, &slot, rule, messageFits, nil, context))
    }

    deinit { sd_bus_slot_unref(slot) }

    func hear(_ message: BusMessage) { handler(message) }
}

private final class PendingCall {
    let answered: (Result<BusMessage, BusError>) -> Void
    init(_ answered: @escaping (Result<BusMessage, BusError>) -> Void) { self.answered = answered }
}

private let callAnswered: sd_bus_message_handler_t = { pointer, context, _ in
    guard let pointer else { preconditionFailure("sd-bus called back without a message") }
    let message = BusMessage(pointer: pointer)
    let pending: PendingCall = owner(context)
    pending.answered(message.error.map { .failure($0) } ?? .success(message))
    return 0
}

private let callForgotten: sd_bus_destroy_t = { context in
    guard let context else { return }
    Unmanaged<PendingCall>.fromOpaque(context).release()
}

private let messageFits: sd_bus_message_handler_t = { pointer, context, _ in
    guard let pointer else { preconditionFailure("sd-bus called back without a message") }
    let match: Match = owner(context)
    match.hear(BusMessage(pointer: pointer))
    return 0
}
