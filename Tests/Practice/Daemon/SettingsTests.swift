import Foundation
import PracticeRules
import TOML
import Testing
import UnixTestSupport

@testable import PracticeDaemon

@Suite struct `The delivered settings` {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Config").standardized

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    private func spelled(_ settings: PracticeSettings) -> [String] {
        PracticeSettings.rows.map { "\($0.name) = \($0.spelled(settings))" }
    }

    @Test func `the delivered file has the defaults`() throws {
        let settings = try PracticeSettings.read(file("practice.toml"), file: "practice.toml")
        #expect(spelled(settings) == spelled(PracticeSettings()))
    }

    @Test func `the delivered file names every setting, with its default`() throws {
        let named = try file("practice.toml").matches(of: #/(?m)^#?([a-z_]+ = .*|\[[a-z]+\])$/#).map { String($0.1) }
        var expected: [String] = []
        for row in PracticeSettings.rows where row.name != "client.field" {
            let header = "[\(row.table ?? "")]"
            if !expected.contains(header) { expected.append(header) }
            expected.append("\(row.key ?? "") = \(row.spelled(PracticeSettings()))")
        }
        #expect(named == expected)
    }

    @Test func `the commented field of the delivered file is valid`() throws {
        let lines = try file("practice.toml").split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "# [[client.field]]"))
        let text = lines[start...].prefix { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }.joined(separator: "\n")
        var field = ClientField()
        (field.name, field.label, field.pattern) = ("insurance", "Insurance number", "[A-Z][0-9]{9}")
        #expect(try PracticeSettings.read(text, file: "practice.toml").clientFields == [field])
    }

    @Test(arguments: [
        (
            "[storage]\n  url = \"db.clinic.example\"",
            "2:3: storage.url must be an address of PostgreSQL such as \"postgresql://db.clinic.example/practice\", or \"\" for a "
                + "file of SQLite."
        ),
        (
            "[storage]\nnights = 0",
            "2:1: storage.nights must be a whole number from 1 to 366: nobody looks for a night of more than a year ago."
        ),
        (
            "[storage]\nbackups = \"srv/../x\"",
            "2:1: storage.backups must be the path of a folder, such as \"/srv/practice\", or \"\" for the one beside the "
                + "database."
        ),
        ("[storage]\nnigths = 7", "2:1: There is no setting storage.nigths; did you mean storage.nights?"),
        (
            "[limits]\nconnections = 100000",
            "2:1: limits.connections must be a whole number from 8 to 16000: the service may open 16384 files."
        ),
        (
            "[limits]\nconnections_of_person = 3",
            "2:1: limits.connections_of_person must be a whole number from 4 to 10000: a day at work needs a few."
        ),
        (
            "[limits]\ncalls_of_person = \"64\"",
            "2:1: limits.calls_of_person must be a whole number from 1 to 10000: a connection has one at a time."
        ),
        (
            "[limits]\npage = 201",
            "2:1: limits.page must be a whole number from 1 to 200: every practice gives pages of 200."
        ),
        (
            "[limits]\nlongest_page = 100",
            "2:1: limits.longest_page must be a whole number from 200 to 2000: programs ask for 200, and nobody reads more."
        ),
    ]) func `a fault of storage and limits is told with its line and column`(text: String, fault: String) throws {
        do {
            _ = try PracticeSettings.read(text, file: "practice.toml")
            Issue.record("it is taken")
        } catch {
            #expect(error.description == "practice.toml:\(fault)")
        }
    }

    @Test func `--check tells all faults of a file, in the order of its lines`() throws {
        let folder = UnixTestSupport.Folder()
        func check(_ text: String) throws -> (said: String, status: Int32) {
            let file = folder["practice.toml"]
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let (process, said) = (Process(), Pipe())
            process.executableURL = URL(filePath: PracticeProcess.program)
            process.arguments = ["--config", file, "--check"]
            process.environment = ["LLVM_PROFILE_FILE": "/dev/null"]
            process.standardError = said
            try process.run()
            let bytes = said.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let text = String(decoding: bytes, as: UTF8.self)
            return (text.replacingOccurrences(of: file, with: "FILE"), process.terminationStatus)
        }
        let faulty = try check(
            """
            [storage]
            nigths = 7
            nights = 0
            [practise]
            [[client.field]]
            name = "Pet"
            [limits]
            page = 201
            """)
        #expect(faulty.status == 1)
        #expect(
            faulty.said == """
                practiced: FILE:2:1: There is no setting storage.nigths; did you mean storage.nights?
                practiced: FILE:3:1: storage.nights must be a whole number from 1 to 366: nobody looks for a night of more than a year ago.
                practiced: FILE:4:2: There is no table [practise]; did you mean [practice]?
                practiced: FILE:6:1: client.field, element 1: name must be a name of small letters, digits and underscores, a letter first.
                practiced: FILE:8:1: limits.page must be a whole number from 1 to 200: every practice gives pages of 200.

                """)
        let many = try check("[storage]\n" + (1...103).map { "n\($0) = 7\n" }.joined())
        #expect(
            many.said.hasSuffix(
                "practiced: FILE:101:1: There is no setting storage.n100; [storage] has url, migration_url, nights, backups.\n"
                    + "practiced: FILE: and 3 more\n"))
        #expect(try check("[storage]\nnights = seven\nnigths = 7").said.split(separator: "\n").count == 1)
    }

    private func faults(_ text: String) -> [String] {
        SettingsReader.faults(in: text, file: "F", PracticeSettings.rows, defaults: PracticeSettings()).told.map(
            \.description)
    }

    @Test func `every fault of the practice's own fields is told`() {
        #expect(
            faults(
                """
                [[client.field]]
                label = "Shoes"
                patern = "x"
                [[client.field]]
                name = "aa"
                [[client.field]]
                name = "born"
                required = "yes"
                [[client.field]]
                name = "aa"
                """) == [
                    "F:1:10: client.field, element 1: name must be there.",
                    "F:3:1: client.field, element 1: There is no setting patern; did you mean pattern?",
                    "F:7:1: client.field, element 3: name must not be born: every client has that field already.",
                    "F:8:1: client.field, element 3: required must be true or false, without quotes.",
                    "F:9:10: client.field, element 4, must not be another field with the name of an earlier one.",
                ])
    }

    @Test func `a locale that the machine lacks, and an address or a host's key that is none, are refused`() throws {
        for (text, fault) in [
            (
                "[practice]\nlocale = \"xx_YY.UTF-8\"",
                "practice.locale must be a locale of this machine, such as \"es_ES.UTF-8\": `locale -a` lists them."
            ),
            (
                "[gate]\naddress = \"nowhere\"",
                "gate.address must be an account at a machine, such as \"practice@clinic.example\"."
            ),
            (
                "[gate]\naddress = \"practice@-oProxyCommand\"",
                "gate.address must be an account at a machine, such as \"practice@clinic.example\"."
            ), ("[gate]\nhost_key = \"\"", "gate.host_key must be the path of a public key, from / on."),
        ] { #expect(faults(text) == ["F:2:1: \(fault)"]) }
        for sound in ["practice@clinic.example", "practice@10.9.0.1:2222", "practice@[fe80::1]", ""] {
            #expect(faults("[gate]\naddress = \"\(sound)\"") == [])
        }
        #expect(faults("[practice]\nlocale = \"C.UTF-8\"") == [])
    }

    private func practiced(_ arguments: [String]) throws -> (status: Int32, said: String) {
        let process = Process()
        process.executableURL = URL(filePath: PracticeProcess.program)
        process.arguments = arguments
        process.environment = ["LLVM_PROFILE_FILE": "/dev/null"]
        return try process.runToEnd()
    }

    @Test func `a named settings file that is not there is a fault, whatever is asked for`() throws {
        for options in [["--check"], ["--storage"], ["--verify"], ["--move-to", "/nowhere/moved.db"]] {
            let run = try practiced(["--config", "/nowhere/practice.toml"] + options)
            #expect(run.status == 1)
            #expect(run.said == "practiced: /nowhere/practice.toml cannot be read: there is no such file\n")
        }
        #expect(try practiced(["--config", "/nowhere/practice.toml", "--version"]).status == 0)
    }

    @Test(arguments: [
        ("", "file"), (#"[storage]\nurl = "" "#, "file"),
        (#"[storage]\nurl = "postgresql:///practice""#, "socket"),
        (#"storage.url = 'postgresql:///practice'"#, "socket"),
        (#"storage.url = "postgres:///practice?user=p&host=/run/postgresql""#, "socket"),
        (#"storage.url = "postgresql://%2Frun%2Fpostgresql/practice""#, "socket"),
        (#"storage.url = 'postgresql://db.clinic.example/practice'"#, "network"),
        (#"storage = { url = "postgresql://localhost/practice" }"#, "network"),
        (#"storage.url = "postgresql:///practice?host=/run/postgresql,db.clinic.example""#, "network"),
        (#"storage.url = "postgresql:///practice?hostaddr=192.0.2.7""#, "network"),
        (
            #"[storage]\nmigration_url = "postgresql://db.clinic.example/practice"\nurl = "postgresql:///practice""#,
            "network"
        ),
    ])
    func `the installer opens the sandbox as far as the settings need, however they are spelled`(
        text: String, storage: String
    ) throws {
        let folder = UnixTestSupport.Folder()
        let file = folder["practice.toml"]
        try text.replacing("\\n", with: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let told = try practiced(["--config", file, "--storage"])
        #expect(told.status == 0 && told.said == "\(storage)\n", "\(told)")
        let install = URL(filePath: #filePath).appending(path: "../../../../systemd/practice-install").standardized.path
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = [
            "-c", #"source "$0" && built=$1 settings=$2 lines=() && add_server && echo "${lines[@]}""#, install,
            URL(filePath: PracticeProcess.program).deletingLastPathComponent().path, folder.path,
        ]
        shell.environment = ["LLVM_PROFILE_FILE": "/dev/null", "PATH": "/usr/bin:/bin"]
        let server = "BindReadOnlyPaths=-/run/postgresql"
        let network =
            " PrivateNetwork=no IPAddressDeny= RestrictAddressFamilies=AF_INET AF_INET6 "
            + "BindReadOnlyPaths=-/run/systemd/resolve"
        let lines = ["file": "", "socket": server, "network": server + network]
        let opened = try shell.runToEnd()
        #expect(opened.said == "\(lines[storage] ?? "-")\n", "\(opened)")
    }

    @Test func `storage and limits are read`() throws {
        let settings = try PracticeSettings.read(
            """
            [storage]
            nights = 30
            backups = "/srv/practice"
            [limits]
            connections = 100
            connections_of_person = 10
            calls_of_person = 5
            page = 50
            longest_page = 500
            """, file: "practice.toml")
        #expect(
            spelled(settings).suffix(7) == [
                "storage.nights = 30", "storage.backups = \"/srv/practice\"", "limits.connections = 100",
                "limits.connections_of_person = 10", "limits.calls_of_person = 5", "limits.page = 50",
                "limits.longest_page = 500",
            ])
    }

    /// This test checks the table of settings in `Config/README.md`. If it fails, copy the expected table.
    @Test func `the table of settings lists each setting with its values and its default`() throws {
        let rows = PracticeSettings.rows.map { "| `\($0.name)` | \($0.takes) | `\($0.spelled(PracticeSettings()))` |" }
        let afterHeading = try file("README.md").components(separatedBy: "\n## The practice").last ?? ""
        let ofPractice = afterHeading.components(separatedBy: "\n## ")[0]
        #expect(ofPractice.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == rows)
    }
}
