import PracticeInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct RoutesTests {
    /// Those that are yet to come.
    static let toCome: [any Method.Type] = [
        Practice.ListKeys.self, Practice.AddKey.self, Practice.RemoveKey.self, Practice.Invite.self,
    ]

    @Test func `every declared method has a handler`() {
        let missing = PracticeCatalog.methods.map { $0.name }.filter {
            Routes.handler(of: $0) == nil && Routes.chore($0) == nil
        }
        #expect(Set(missing) == Set(Self.toCome.map { $0.name }))
    }
}
