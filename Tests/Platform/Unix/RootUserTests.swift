import Glibc
import Testing
import UnixTestSupport

@testable import Unix

@Suite struct `The root user in a user namespace` {
    @Test(arguments: [
        ("         0          0 4294967295\n", UInt32(0)),
        ("      1000       1000          1\n", nil),
        ("      1000       1000          1\n         7          0          1\n", 7),
        ("", nil),
    ])
    func `by its number in the map of the user namespace`(map: String, number: UInt32?) {
        #expect(RootUser.number(in: map) == number)
    }

    @Test func `by the overflow number only if the socket's modes keep out all others`() throws {
        let folder = Folder()
        let socket = folder["control"]
        #expect(!RootUser.isPrivate(socket))
        close(open(socket, O_WRONLY | O_CREAT, 0o600))
        chmod(socket, 0o600)
        chmod(folder.path, 0o700)
        #expect(RootUser.isPrivate(socket))
        chmod(socket, 0o620)
        #expect(!RootUser.isPrivate(socket))
        chmod(socket, 0o600)
        chmod(folder.path, 0o701)
        #expect(!RootUser.isPrivate(socket))
    }
}
