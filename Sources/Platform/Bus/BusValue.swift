import CSystemd
import Systemd

/// A D-Bus value of one of the types that a desktop notification needs.
public enum BusValue: Equatable, Sendable {
    case text(String)
    case byte(UInt8)
    case number(Int32)
    case count(UInt32)
    case texts([String])
    /// Names and variants (`a{sv}`), in this order.
    case table([Entry])

    public struct Entry: Equatable, Sendable {
        public let name: String
        public let value: BusValue

        public init(_ name: String, _ value: BusValue) {
            self.name = name
            self.value = value
        }
    }
}

extension BusValue {
    /// The type's signature (D-Bus specification, "Type system").
    private var signature: String {
        switch self {
        case .text: "s"
        case .byte: "y"
        case .number: "i"
        case .count: "u"
        case .texts: "as"
        case .table: "a{sv}"
        }
    }

    /// Appends the value to a message (man 3 sd_bus_message_append_basic).
    func append(to message: OpaquePointer) throws(SystemdError) {
        switch self {
        case .text(let text): try Self.append(text, to: message)
        case .byte(var byte): try append(&byte, to: message)
        case .number(var number): try append(&number, to: message)
        case .count(var count): try append(&count, to: message)
        case .texts(let texts):
            try Self.within(message, "a", "s") { () throws(SystemdError) in
                for text in texts { try Self.append(text, to: message) }
            }
        case .table(let entries):
            try Self.within(message, "a", "{sv}") { () throws(SystemdError) in
                for entry in entries { try Self.append(entry, to: message) }
            }
        }
    }

    private static func append(_ entry: Entry, to message: OpaquePointer) throws(SystemdError) {
        try within(message, "e", "sv") { () throws(SystemdError) in
            try append(entry.name, to: message)
            try within(message, "v", entry.value.signature) { () throws(SystemdError) in
                try entry.value.append(to: message)
            }
        }
    }

    private func append(_ value: UnsafeRawPointer, to message: OpaquePointer) throws(SystemdError) {
        try check("sd_bus_message_append_basic", sd_bus_message_append_basic(message, signature.type, value))
    }

    private static func append(_ text: String, to message: OpaquePointer) throws(SystemdError) {
        let result = text.withCString { sd_bus_message_append_basic(message, "s".type, $0) }
        try check("sd_bus_message_append_basic", result)
    }

    private static func within(
        _ message: OpaquePointer, _ type: String, _ contents: String, _ body: () throws(SystemdError) -> Void
    ) throws(SystemdError) {
        try check("sd_bus_message_open_container", sd_bus_message_open_container(message, type.type, contents))
        try body()
        try check("sd_bus_message_close_container", sd_bus_message_close_container(message))
    }
}

extension String {
    /// A signature's first letter, as C's number of the type.
    var type: CChar { utf8.first.map { CChar(bitPattern: $0) } ?? 0 }
}

/// A message that is being written.
struct OwnedMessage: ~Copyable {
    let pointer: OpaquePointer

    /// `make` is one of the sd_bus_message_new_* functions, and `call` its name.
    init(_ call: String, _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(SystemdError) {
        var pointer: OpaquePointer?
        try check(call, make(&pointer))
        guard let pointer else { preconditionFailure("\(call) succeeded without giving a message") }
        self.pointer = pointer
    }

    deinit { sd_bus_message_unref(pointer) }
}
