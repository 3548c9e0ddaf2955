import JSON

/// A service's description of itself. It answers calls of org.varlink.service, and checks other calls before they run.
///
/// Specification: varlink.org/Service.
public struct Introspection: Equatable, Sendable {
    /// The answer to `GetInfo`.
    public let info: GetInfo.Reply
    /// The interfaces offered, org.varlink.service first.
    public let interfaces: [Interface]
    /// Every method by its full name, with the place of its interface.
    private let methods: [String: Offered]

    private struct Offered: Equatable, Sendable {
        let name: String
        let interface: Int
        let input: [Interface.Field]
    }

    /// A service that offers these interfaces, each with its own name. org.varlink.service is added to them.
    public init(vendor: String, product: String, version: String, url: String, interfaces: [Interface]) {
        self.interfaces = [.service] + interfaces
        let names = self.interfaces.map(\.name)
        precondition(Set(names).count == names.count, "two interfaces of one name")
        let offered = self.interfaces.enumerated().flatMap { place, interface in
            interface.methods.map { method in
                Offered(name: "\(interface.name).\(method.name)", interface: place, input: method.input)
            }
        }
        methods = Dictionary(uniqueKeysWithValues: offered.map { ($0.name, $0) })
        info = GetInfo.Reply(vendor: vendor, product: product, version: version, url: url, interfaces: names)
    }

    /// The interface of this name; nil if it is not offered.
    public func interface(named name: String) -> Interface? { interfaces.first { $0.name.isSpelled(name) } }

    /// Checks a call against the interfaces. Nil if it fits; else ``InterfaceNotFound``, ``MethodNotFound`` or
    /// ``InvalidParameter``.
    ///
    /// A method's name without a dot names no interface, and gives ``MethodNotFound``.
    public func check(_ call: Call) -> (any ErrorReply)? {
        guard let method = method(of: call) else {
            let isMethodMissing =
                !call.method.utf8.contains(UInt8(ascii: ".")) || interface(named: call.interface) != nil
            return isMethodMissing
                ? MethodNotFound(method: call.method) : InterfaceNotFound(interface: call.interface)
        }
        do { try interfaces[method.interface].check(call.parameters, against: method.input) } catch { return error }
        return nil
    }

    /// Compares bytes, because a dictionary also finds names that are only canonically equivalent.
    private func method(of call: Call) -> Offered? {
        guard let found = methods[call.method], found.name.isSpelled(call.method) else { return nil }
        return found
    }

    /// Answers a call to org.varlink.service, with an error if the call is wrong; nil if it is for another interface.
    ///
    /// The answer is a frame with its NUL. Drop it if the call is oneway.
    public func answer(_ call: Call) -> [UInt8]? {
        if let method = method(of: call), method.interface != 0 { return nil }  // Place 0 is org.varlink.service.
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
