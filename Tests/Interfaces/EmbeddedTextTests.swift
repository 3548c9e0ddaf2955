import DaybreakInterfaces
import Foundation
import Testing
import Varlink

@Suite struct EmbeddedTextTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let daybreak = here.appending(path: "../../Sources/Interfaces/Daybreak").standardized

    @Test func `an interface is served byte for byte as in its file`() throws {
        for interface in Interfaces.all + [OneOfEach.interface] {
            let folder = interface == OneOfEach.interface ? Self.here : Self.daybreak
            let file = folder.appending(path: "\(interface.name).varlink")
            #expect(interface.text == (try String(contentsOf: file, encoding: .utf8)))
        }
    }

    @Test func `every interface of the folder is served`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.daybreak.path)
            .filter { $0.hasSuffix(".varlink") }
        #expect(Set(Interfaces.all.map { "\($0.name).varlink" }) == Set(files))
    }
}
