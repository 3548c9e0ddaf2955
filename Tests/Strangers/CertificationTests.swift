import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import Varlink

/// The module Varlink, on both sides of the test that Varlink's makers have for implementations.
@Suite(.enabled(if: Given.isComplete, Given.why), .hangGuard) struct CertificationTests {
    private let household: ClientFixture

    init() throws { household = try ClientFixture() }

    /// The makers' program: a server, or with `--client` a client.
    private func program(_ arguments: [String]) -> [String] {
        [Given.python!, "-m", "varlink.tests.test_certification"] + arguments
    }

    @Test func `the makers' server certifies a client that uses the module`() throws {
        let path = "\(household.folder)/certification"
        let server = household.start(program(["--varlink=unix:\(path)"]))
        _ = server.output { $0.hasPrefix("Listening on") }
        let client = CertifiedClient(line: try Line(to: path))
        #expect(try client.run() == .init(all_ok: true))
    }

    @Test func `the makers' client certifies a server that uses the module`() throws {
        let path = "\(household.folder)/certification"
        let listener = try Line.listen(at: path)
        defer { close(listener) }
        let server = CertifiedServer(interface: try interface())
        Thread.detachNewThread { server.serve(accept(listener, nil, nil)) }
        let said = household.run(program(["--client", "--varlink=unix:\(path)"]))
        #expect(said.output.split(separator: "\n").suffix(2) == ["End: {'all_ok': True}", "Certification passed"])
        #expect((said.errors, said.status) == ("", 0))
    }

    @Test func `the makers' interface is parsed, and every call of theirs fits it`() throws {
        let interface = try interface()
        #expect(interface.types.map(\.name) == ["Interface", "MyType"])
        #expect(interface.methods.count == 13)
        #expect(interface.errors.map(\.name) == ["ClientIdError", "CertificationError"])
        let call = try Call(
            frame: Call.frame(Certification.Test10(client_id: "", mytype: Certification.mytype)).dropLast())
        try interface.check(parameters: call.parameters, of: call.method)
    }

    private func interface() throws -> Interface {
        let found = household.python("import varlink.tests; print(varlink.tests.__path__[0], end='')")
        let file = "\(found.output)/\(Certification.name).varlink"
        return try Interface(parsing: String(contentsOfFile: file, encoding: .utf8))
    }
}

private struct CertifiedClient {
    let line: Line

    func run() throws -> Certification.End.Reply {
        let id = try call(Certification.Start()).client_id
        let one = try call(Certification.Test01(client_id: id))
        let two = try call(Certification.Test02(client_id: id, bool: one.bool))
        let three = try call(Certification.Test03(client_id: id, int: two.int))
        let four = try call(Certification.Test04(client_id: id, float: three.float))
        let five = try call(Certification.Test05(client_id: id, string: four.string))
        let six = try call(
            Certification.Test06(
                client_id: id, bool: five.bool, int: five.int, float: five.float, string: five.string))
        let seven = try call(Certification.Test07(client_id: id, struct: six.struct))
        let eight = try call(Certification.Test08(client_id: id, map: seven.map))
        let nine = try call(Certification.Test09(client_id: id, set: eight.set))
        let ten = try callMore(Certification.Test10(client_id: id, mytype: nine.mytype))
        line.send(Call.frame(Certification.Test11(client_id: id, last_more_replies: ten.map(\.string)), oneway: true))
        return try call(Certification.End(client_id: id))
    }

    private func call<M: Varlink.Method>(_ method: M) throws -> M.Reply {
        line.send(Call.frame(method))
        return try #require(try line.reply()).decode(M.Reply.self)
    }

    private func callMore<M: Varlink.Method>(_ method: M) throws -> [M.Reply] {
        line.send(Call.frame(method, more: true))
        var replies: [M.Reply] = []
        while let reply = try line.reply() {
            replies.append(try reply.decode(M.Reply.self))
            guard reply.continues else { break }
        }
        return replies
    }
}

/// Answers one connection's calls. The reply to a correct call has the values that the next call must bring.
private struct CertifiedServer {
    private let introspection: Introspection

    init(interface: Interface) {
        introspection = Introspection(
            vendor: "The Daybreak project", product: "Certification", version: "1", url: "", interfaces: [interface])
    }

    func serve(_ descriptor: Int32) {
        let line = Line(descriptor: descriptor)
        while let frame = try? line.frame(), let call = try? Call(frame: frame) {
            let replies = introspection.answer(call).map { [$0] } ?? answer(call)
            if !call.isOneway { for reply in replies { line.send(reply) } }
        }
    }

    private func answer(_ call: Call) -> [[UInt8]] {
        if let error = introspection.check(call) { return [Reply.frame(error: error)] }
        do { return try reply(to: call) } catch {
            return [Reply.frame(error: InvalidParameter(parameter: "parameters"))]
        }
    }

    private func reply(to call: Call) throws -> [[UInt8]] {
        typealias C = Certification
        let (four, id) = (C.four, "client")
        return switch call.method {
        case C.Start.name: [Reply.frame(C.Start.Reply(client_id: id))]
        case C.Test01.name: try step(call, C.Test01(client_id: id), C.Test01.Reply(bool: true))
        case C.Test02.name: try step(call, C.Test02(client_id: id, bool: true), C.Test02.Reply(int: 1))
        case C.Test03.name: try step(call, C.Test03(client_id: id, int: 1), C.Test03.Reply(float: 1))
        case C.Test04.name: try step(call, C.Test04(client_id: id, float: 1), C.Test04.Reply(string: "ping"))
        case C.Test05.name: try step(call, C.Test05(client_id: id, string: "ping"), four)
        case C.Test06.name:
            try step(
                call,
                C.Test06(client_id: id, bool: four.bool, int: four.int, float: four.float, string: four.string),
                C.Test06.Reply(struct: four))
        case C.Test07.name: try step(call, C.Test07(client_id: id, struct: four), C.Test07.Reply(map: C.map))
        case C.Test08.name: try step(call, C.Test08(client_id: id, map: C.map), C.Test08.Reply(set: C.set))
        case C.Test09.name: try step(call, C.Test09(client_id: id, set: C.set), C.Test09.Reply(mytype: C.mytype))
        case C.Test10.name: try stream(call, C.Test10(client_id: id, mytype: C.mytype))
        case C.Test11.name: try step(call, C.Test11(client_id: id, last_more_replies: C.replies), Nothing())
        default: try step(call, C.End(client_id: id), C.End.Reply(all_ok: true))
        }
    }

    private func step<M: Varlink.Method>(_ call: Call, _ awaited: M, _ reply: M.Reply) throws -> [[UInt8]] {
        // Two calls are equal if they are encoded alike.
        let isAwaited = try Call.frame(call.decode(M.self)) == Call.frame(awaited)
        return [isAwaited ? Reply.frame(reply) : Reply.frame(error: InvalidParameter(parameter: call.method))]
    }

    private func stream(_ call: Call, _ awaited: Certification.Test10) throws -> [[UInt8]] {
        guard call.wantsMore else { return [Reply.frame(error: ExpectedMore())] }
        let last = Certification.replies.count - 1
        guard try Call.frame(call.decode(Certification.Test10.self)) == Call.frame(awaited) else {
            return [Reply.frame(error: InvalidParameter(parameter: "mytype"))]
        }
        return Certification.replies.enumerated().map { index, text in
            Reply.frame(Certification.Test10.Reply(string: text), continues: index < last)
        }
    }
}
