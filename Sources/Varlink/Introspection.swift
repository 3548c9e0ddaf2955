/// What a service tells about itself, and what it knows about a call before anything runs.
///
/// Specification: varlink.org/Service.
public struct Introspection: Equatable, Sendable {
    /// The answer to `GetInfo`.
    public let info: GetInfo.Reply
    /// The interfaces offered, org.varlink.service first.
    public let interfaces: [Interface]

    /// A service that offers these interfaces, no two of one name; org.varlink.service is added by itself.
    public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
        self.interfaces = [.service] + interfaces
        let names = self.interfaces.map(\.name)
        precondition(Set(names).count == names.count, "two interfaces of one name")
        info = GetInfo.Reply(vendor: vendor, product: product, version: version, url: url, interfaces: names)
    }

    /// The interface of this name, where it is offered.
    public func interface(named name: String) -> Interface? { interfaces.first { $0.name.isSpelled(name) } }

    /// What is wrong with a call by the interfaces: ``InterfaceNotFound``, ``MethodNotFound`` or ``InvalidParameter``.
    ///
    /// A method's name without a dot names no interface: ``MethodNotFound``.
    public func check(_ call: Call) -> (any ErrorReply)? {
        guard call.method.utf8.contains(UInt8(ascii: ".")) else { return MethodNotFound(method: call.method) }
        guard let interface = interface(named: call.interface) else {
            return InterfaceNotFound(interface: call.interface)
        }
        guard let method = interface.method(named: call.method) else { return MethodNotFound(method: call.method) }
        do { try interface.check(parameters: call.parameters, of: method.name) } catch { return error }
        return nil
    }

    /// Answers a call to org.varlink.service, with an error where the call is wrong; nil if it is for another interface.
    ///
    /// The answer is a frame, NUL and all. If the call is oneway, drop it.
    public func answer(_ call: Call) -> [UInt8]? {
        guard call.interface.isSpelled(Interface.service.name) else { return nil }
        if let error = check(call) { return Reply.frame(error: error) }
        if call.method.isSpelled(GetInfo.name) { return Reply.frame(info) }
        do { return answer(try call.decode(GetInterfaceDescription.self)) } catch { return Reply.frame(error: error) }
    }

    private func answer(_ question: GetInterfaceDescription) -> [UInt8] {
        guard let interface = interface(named: question.interface) else {
            return Reply.frame(error: InterfaceNotFound(interface: question.interface))
        }
        return Reply.frame(GetInterfaceDescription.Reply(description: interface.text))
    }
}
