import PracticeInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

@Suite struct RoutesTests {
    @Test func `every declared method has a handler`() {
        let missing = PracticeCatalog.methods.map { $0.name }.filter {
            Routes.handler(of: $0) == nil && Routes.maintenanceMethod($0) == nil && !Routes.isFromMemory($0)
        }
        #expect(missing == [])
    }
}
