import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

/// `practiced`, and accounts of this machine that call it: `daemon` is Ana, a thanatologist; `games` is Ben, another one; `bin`
/// is Cleo, Ana's client; `nobody` is a visitor. The kernel says which account calls. Only root can make a process another's.
final class Clinic {
    static let isPossible = Given.isComplete && geteuid() == 0
    static let why: Comment = "Only root can call as somebody else, and Tests/run says where the programs are"

    private let folder: String
    private let daemon: Program
    private let socket: String

    init() throws {
        var template = Array("/tmp/daybreak-clinic-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template)!)
        socket = "\(folder)/run/control"
        chmod(folder, 0o755)
        for (name, mode) in [("run", 0o755), ("state", 0o700)] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: false, attributes: [.posixPermissions: mode])
        }
        let settings = "[practice]\nname = \"Clinic at the Park\"\n"
        try settings.write(toFile: "\(folder)/practice.toml", atomically: true, encoding: .utf8)
        let listener = try Line.listen(at: socket)
        defer { close(listener) }
        chmod(socket, 0o666)
        // Only the shell that becomes the program knows the number for LISTEN_PID.
        let words = [
            "/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" --config "$1""#, "\(Given.programs!)/practiced",
            "\(folder)/practice.toml",
        ]
        daemon = Program(
            words,
            [
                "STATE_DIRECTORY": "\(folder)/state", "RUNTIME_DIRECTORY": "\(folder)/run", "LISTEN_FDS": "1",
                "LISTEN_FDNAMES": "varlink",
            ], passing: listener)
        try bringClients()
        for (name, account) in [("Ana", "daemon"), ("Ben", "games")] {
            try ask("Practice.AddStaff", #"{"name":"\#(name)","role":"thanatologist","account":"\#(account)"}"#)
        }
        try ask("Records.AddClient", #"{"name":"Cleo","account":"bin","thanatologist":"p1"}"#)
    }

    deinit {
        daemon.stop()  // Otherwise it could still write a file.
        try? FileManager.default.removeItem(atPath: folder)  // Files left in /tmp fail no test.
    }

    /// Puts the others' clients where every account can read them.
    private func bringClients() throws {
        let script = """
            import os, shutil, sys
            import asyncvarlink, varlink
            for module in asyncvarlink, varlink:
                place = os.path.dirname(module.__file__)
                shutil.copytree(place, f"{sys.argv[1]}/python/{os.path.basename(place)}")
            """
        let said = Program([Given.python!, "-c", script, folder], ["PATH": "/usr/bin:/bin"]).end()
        try #require(said == .init(output: "", errors: "", status: 0))
    }

    /// The address as varlink spells it.
    var address: String { "unix:\(socket)" }

    /// A call of root's; its reply.
    @discardableResult func ask(_ method: String, _ parameters: String = "{}") throws -> Reply {
        let line = try Line(to: socket)
        line.send(Array("{\"method\":\"org.daybreak.\(method)\",\"parameters\":\(parameters)}\0".utf8))
        let reply = try #require(try line.reply())
        try #require(reply.error == nil, "\(method): \(String(decoding: reply.parameters, as: UTF8.self))")
        return reply
    }

    /// Starts a Python program as that account, with the others' clients.
    func start(_ words: [String], as account: String) -> Program {
        Program(
            ["/usr/bin/setpriv", "--reuid=\(account)", "--regid=nogroup", "--clear-groups", "/usr/bin/python3"] + words,
            [
                "PATH": "/usr/bin:/bin", "PYTHONPATH": "\(folder)/python", "PYTHONDONTWRITEBYTECODE": "1",
                "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8", "SOCKET": socket,
            ])
    }

    func run(_ words: [String], as account: String) -> Program.CommandOutput { start(words, as: account).end() }
}
