import CSystemd

/// Owns one sd_event_source. Its end disables and releases the source. sd-event allows that at any moment, also inside the
/// source's own callback (man 3 sd_event_source_disable_unref).
struct SourceHandle: ~Copyable {
    let pointer: OpaquePointer

    /// `add` is one of the sd_event_add_* functions, and `call` its name.
    init(_ call: String, _ add: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(SystemdError) {
        var pointer: OpaquePointer?
        try check(call, add(&pointer))
        guard let pointer else { preconditionFailure("\(call) succeeded without giving a source") }
        self.pointer = pointer
    }

    deinit { sd_event_source_disable_unref(pointer) }

    /// Smaller numbers are dispatched first.
    func setPriority(_ priority: Int64) throws(SystemdError) {
        try check("sd_event_source_set_priority", sd_event_source_set_priority(pointer, priority))
    }

    /// `mode` is SD_EVENT_ON, SD_EVENT_OFF or SD_EVENT_ONESHOT.
    func setEnabled(_ mode: Int) throws(SystemdError) {
        try check("sd_event_source_set_enabled", sd_event_source_set_enabled(pointer, Int32(mode)))
    }
}

/// The object that a callback belongs to. It returns a strong reference, so a handler may drop every other one.
package func owner<Owner: AnyObject>(_ context: UnsafeMutableRawPointer?) -> Owner {
    guard let context else { preconditionFailure("libsystemd called back without its context") }
    return Unmanaged<Owner>.fromOpaque(context).takeUnretainedValue()
}
