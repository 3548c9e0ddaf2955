import CSystemd
import Glibc
import Systemd

@testable import Bus

/// Plays a desktop's notification service and the service manager on a bus, and keeps the calls of both.
final class NotificationService {
    /// Each call, as a line.
    private(set) var calls: [String] = []
    var capabilities = ["actions", "body", "persistence"]
    /// Nil if there is no such unit.
    var unitState: String? = "static"
    /// True if it answers no call.
    var isDeaf = false
    /// How many of the next calls of `Notify` it answers with an error.
    var failures = 0
    private var last: UInt32 = 0
    private let pointer: OpaquePointer
    private var slot: OpaquePointer?

    static let name = "org.freedesktop.Notifications"
    static let names = [name, "org.freedesktop.systemd1"]

    init(_ loop: EventLoop, _ address: String, names: [String] = names) {
        var opened: OpaquePointer?
        check(sd_bus_new(&opened))
        pointer = opened!
        check(sd_bus_set_address(pointer, address))
        check(sd_bus_set_bus_client(pointer, 1))
        check(sd_bus_start(pointer))
        let handler: sd_bus_message_handler_t = { message, context, _ in
            Unmanaged<NotificationService>.fromOpaque(context!).takeUnretainedValue().hear(message!)
        }
        check(sd_bus_add_filter(pointer, &slot, handler, Unmanaged.passUnretained(self).toOpaque()))
        for name in names { own(name) }
        check(sd_bus_attach_event(pointer, loop.pointer, 0))
    }

    deinit {
        sd_bus_slot_unref(slot)
        sd_bus_close_unref(pointer)
    }

    /// Takes the name; a later owner can take it over.
    private func own(_ name: String) {
        let flags = UInt64(SD_BUS_NAME_ALLOW_REPLACEMENT | SD_BUS_NAME_REPLACE_EXISTING)
        while true {
            let result = sd_bus_request_name(pointer, name, flags)
            if result == -EINTR { continue }  // Another test's child has ended.
            return check(result == -EALREADY ? 0 : result)
        }
    }

    func take() -> [String] {
        defer { calls = [] }
        return calls
    }

    /// The client presses a button.
    func choose(_ action: String, of number: UInt32) {
        signal("ActionInvoked", number) { check(sd_bus_message_append_basic($0, "s".type, action)) }
    }

    /// The client dismisses it (reason 2).
    func dismiss(_ number: UInt32) {
        signal("NotificationClosed", number) {
            var reason: UInt32 = 2
            check(sd_bus_message_append_basic($0, "u".type, &reason))
        }
    }

    private func signal(_ member: String, _ number: UInt32, _ rest: (OpaquePointer) -> Void) {
        var message: OpaquePointer?
        check(
            sd_bus_message_new_signal(pointer, &message, "/org/freedesktop/Notifications", Self.name, member))
        var number = number
        check(sd_bus_message_append_basic(message, "u".type, &number))
        rest(message!)
        check(sd_bus_send(pointer, message, nil))
        sd_bus_message_unref(message)
    }

    private func hear(_ message: OpaquePointer) -> Int32 {
        var type: UInt8 = 0
        check(sd_bus_message_get_type(message, &type))
        guard type == UInt8(SD_BUS_MESSAGE_METHOD_CALL) else { return 0 }
        let member = String(cString: sd_bus_message_get_member(message))
        let reader = Reader(message)
        switch member {
        case "GetCapabilities": reply(message) { BusValue.texts(capabilities).put($0) }
        case "GetUnitFileState":
            calls.append("\(member) \(reader.text())")
            guard let unitState else { return fail(message) }
            reply(message) { BusValue.text(unitState).put($0) }
        case "Notify" where String(cString: sd_bus_message_get_path(message)) == "/org/freedesktop/Notifications":
            let (line, replaced) = reader.notice()
            calls.append(line)
            guard !isDeaf else { return 1 }
            guard failures == 0 else {
                failures -= 1
                return fail(message)
            }
            last = replaced > 0 ? replaced : last + 1
            reply(message) { BusValue.count(last).put($0) }
        case "CloseNotification":
            calls.append("\(member) \(reader.count())")
            reply(message) { _ in }
        case "StartUnit":
            calls.append("\(member) \(reader.text()) \(reader.text())")
            guard unitState != nil else { return fail(message) }
            reply(message) { BusValue.text("").put($0) }
        default: return 0
        }
        return 1
    }

    private func reply(_ call: OpaquePointer, _ fill: (OpaquePointer) -> Void) {
        var message: OpaquePointer?
        check(sd_bus_message_new_method_return(call, &message))
        fill(message!)
        check(sd_bus_send(pointer, message, nil))
        sd_bus_message_unref(message)
    }

    private func fail(_ call: OpaquePointer) -> Int32 {
        var message: OpaquePointer?
        var error = sd_bus_error()
        sd_bus_error_set_errno(&error, ENOENT)
        check(sd_bus_message_new_method_error(call, &message, &error))
        check(sd_bus_send(pointer, message, nil))
        sd_bus_message_unref(message)
        sd_bus_error_free(&error)
        return 1
    }
}

extension BusValue {
    fileprivate func put(_ message: OpaquePointer) { try! append(to: message) }
}

/// Reads the arguments of one call, in their order.
private struct Reader {
    private let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    func text() -> String {
        var text: UnsafePointer<CChar>?
        check(sd_bus_message_read_basic(pointer, "s".type, &text))
        return String(cString: text!)
    }

    func count() -> UInt32 {
        var count: UInt32 = 0
        check(sd_bus_message_read_basic(pointer, "u".type, &count))
        return count
    }

    /// `Notify` as a line, with the number that it replaces.
    func notice() -> (String, UInt32) {
        let name = text()
        let replaced = count()
        let icon = text()
        let (summary, body) = (text(), text())
        var actions: [String] = []
        check(sd_bus_message_enter_container(pointer, "a".type, "s"))
        while sd_bus_message_at_end(pointer, 0) == 0 { actions.append(text()) }
        check(sd_bus_message_exit_container(pointer))
        var hints: [String] = []
        check(sd_bus_message_enter_container(pointer, "a".type, "{sv}"))
        while sd_bus_message_at_end(pointer, 0) == 0 { hints.append(hint()) }
        check(sd_bus_message_exit_container(pointer))
        var expiry: Int32 = 0
        check(sd_bus_message_read_basic(pointer, "i".type, &expiry))
        let parts = [
            "Notify \(name)\(icon) replacing \(replaced)", summary, body, actions.joined(separator: ","),
            hints.joined(separator: ","), "\(expiry)",
        ]
        return (parts.joined(separator: "|"), replaced)
    }

    private func hint() -> String {
        check(sd_bus_message_enter_container(pointer, "e".type, "sv"))
        let name = text()
        var contents: UnsafePointer<CChar>?
        check(sd_bus_message_peek_type(pointer, nil, &contents))
        check(sd_bus_message_enter_container(pointer, "v".type, contents))
        var value = ""
        if String(cString: contents!) == "y" {
            var byte: UInt8 = 0
            check(sd_bus_message_read_basic(pointer, "y".type, &byte))
            value = "\(byte)"
        } else {
            value = text()
        }
        check(sd_bus_message_exit_container(pointer))
        check(sd_bus_message_exit_container(pointer))
        return "\(name)=\(value)"
    }
}

private func check(_ result: Int32) { precondition(result >= 0, "sd-bus: errno \(-result)") }
