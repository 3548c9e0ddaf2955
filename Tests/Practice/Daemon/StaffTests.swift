import PracticeInterfaces
import PracticeRules
import Testing

@testable import PracticeDaemon

@Suite struct `People who work here` {
    @Test func `all faults of a form are told at once, each with its field`() throws {
        let clinic = try Clinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "name", reason: "must not be empty."),
                .init(field: "role", reason: "must be administrator, support or thanatologist."),
                .init(field: "account", reason: "must be an account of this machine: there is no no-such-account."),
                .init(field: "email", reason: "must be an address such as name@example.org."),
                .init(field: "phone", reason: "must be a number with its country, such as +49 30 1234567."),
            ])
        ) {
            try clinic.root.call(
                Practice.AddStaff(
                    name: "  ", role: "client", account: "no-such-account", email: "ana@", phone: "030 1234567"))
        }
    }

    @Test func `a call with a key happens once`() throws {
        let clinic = try Clinic()
        let call = Practice.AddStaff(name: "Ana", role: "thanatologist", key: "6f1f")
        let first = try clinic.root.call(call)
        #expect(try clinic.root.call(call) == first)
    }

    @Test func `a visitor adds nobody`() throws {
        let clinic = try Clinic()
        #expect(throws: Practice.NotAllowed(right: "editStaff")) {
            try clinic.visitor.call(Practice.AddStaff(name: "Eve", role: "administrator"))
        }
    }
}
