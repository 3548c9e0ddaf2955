import PracticeInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct RoutesTests {
    /// Those that are yet to come.
    static let toCome: [any Method.Type] = [
        Practice.ListStaff.self, Practice.GetPerson.self, Practice.EditStaff.self, Practice.RetireStaff.self,
        Practice.ListKeys.self, Practice.AddKey.self, Practice.RemoveKey.self, Practice.Invite.self,
        Practice.ListServices.self, Practice.GetPicture.self, Practice.AddService.self, Practice.EditService.self,
        Practice.ListTerms.self, Practice.AddTerm.self, Practice.RetireTerm.self, Practice.Audit.self,
    ]

    @Test func `every declared method has a handler`() {
        let missing = PracticeCatalog.methods.map { $0.name }.filter {
            Routes.handler(of: $0) == nil && Routes.chore($0) == nil
        }
        #expect(Set(missing) == Set(Self.toCome.map { $0.name }))
    }
}
