import DaybreakInterfaces
import Glibc
import Testing
import UnixTestSupport
import VarlinkService

@testable import HomeworkDaemon

@Suite struct RoutesTests {
    @Test func `every declared method has a handler`() {
        let declared = Interfaces.all.flatMap { interface in interface.methods.map { "\(interface.name).\($0.name)" } }
        #expect(declared.count > 30)
        #expect(declared.filter { Routes.handler(of: $0) == nil } == [])
    }

    @Test(arguments: [
        ("Provider.SetPresence", #"{"online":true}"#), ("Homework.Pause", ""), ("Service.Backup", ""),
    ]) func `a caller without the right is refused`(method: String, parameters: String) throws {
        let station = try ControlServerFixture(rights: .read)
        let recorded = try station.machine.recorded
        #expect(try station.ask(call(method, parameters)) == error("org.varlink.service.PermissionDenied"))
        #expect(try station.machine.recorded == recorded)
        #expect(try station.ask(call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
    }

    @Test func `root and the user are served, and no other user is`() throws {
        for (user, root, isServed) in [(geteuid(), nil, true), (4_242, geteuid(), true), (4_242, 4_243, false)] {
            let station = try ControlServerFixture(user: user, root: root)
            let client = station.client()
            let set = try station.ask(client, call("Provider.SetPresence", #"{"online":true}"#))
            #expect(set == (isServed ? #"{"parameters":{}}"# : nil))
            #expect(client.isCutOff == !isServed)
            #expect(station.machine.status?.providerOnline == isServed)
        }
    }
}
