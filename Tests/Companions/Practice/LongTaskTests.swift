import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// Verbs that make much or show much: `practice demo`, and a terminal in which an import goes on and a long list is read.
@Suite struct `Much at once` {
    @Test func `an empty practice is filled with made-up people, and a second time is refused`() throws {
        let practice = try RealPractice()
        let said = try practice.says("demo")
        let made = try #require(
            said.wholeMatch(
                of: #/Made up: ([0-9]+) staff, ([0-9]+) clients, ([0-9]+) sessions\. `practice staff` lists .*\n/#))
        let status = try practice.says("status", "--json")
        #expect(status.contains(#""madeUp":true"#) && status.contains(#""sessions":\#(made.3)"#), "\(status)")
        #expect(
            try practice.run("demo")
                == .init(error: "There is somebody or something here already, so nobody is made up.\n", status: 1))
        // It was filled once.
        #expect(try practice.says("status", "--json").contains(#""sessions":\#(made.3)"#))
    }

    @Test func `a practice with anything real is not filled, and stays a real one`() throws {
        let refused = ProgramTests.Run(
            error: "There is somebody or something here already, so nobody is made up.\n", status: 1)
        let ofPerson = try RealPractice()
        try ofPerson.says("staff", "add", "--name", "Ana", "--role", "thanatologist")
        let ofService = try RealPractice()
        try ofService.says("service", "add", "--category", "Alone", "--name", "Walk", "--description", "x")
        for practice in [ofPerson, ofService] {
            #expect(try practice.run("demo") == refused)
            #expect(try practice.says("status", "--json").contains(#""madeUp":false"#))
        }
        #expect(try ofPerson.says("staff") == "  Who works here · 1\n\n  A\n  p1  Ana  therapist\n")
    }

    /// A clinic of so many clients, and the spreadsheet that they came from.
    private func clinic(_ count: Int) throws -> (practice: RealPractice, file: String) {
        let practice = try RealPractice()
        try practice.says("staff", "add", "--name", "Ana", "--role", "thanatologist")
        let file = practice.folder + "/clients.csv"
        let rows = (1...count).map { "Client \($0),Ana\n" }.joined()
        try "name,thanatologist\n\(rows)".write(toFile: file, atomically: true, encoding: .utf8)
        return (practice, file)
    }

    /// Runs `practice` in a terminal in which a program keeps all that is printed, and waits for its end.
    private func pane(
        _ arguments: String, in practice: RealPractice, columns: Int, rows: Int, pager: String? = nil
    ) throws -> (picture: String, printed: String) {
        var environment = practice.surroundings
        environment["TERM"] = nil
        environment["PAGER"] = pager
        environment["NO_COLOR"] = "1"
        let pane = try TmuxPane(
            columns: columns, rows: rows, environment: environment,
            "script -qec 'practice \(arguments)' \(practice.folder)/printed; echo \"= $?\"; read -r _")
        pane.waits { pane.picture().contains("= ") }
        let printed = try String(contentsOfFile: practice.folder + "/printed", encoding: .utf8)
        return (pane.picture().trimmingCharacters(in: .newlines), printed)
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot), arguments: [80, 30])
    func `the bar of an import grows with each hundred rows, and is gone at the end`(columns: Int) throws {
        let (practice, file) = try clinic(500)
        let (picture, printed) = try pane("import clients \(file)", in: practice, columns: columns, rows: 10)
        #expect(picture == "500 clients were taken in.\n= 0")
        let bars = printed.split(separator: "\r").map(String.init).filter { $0.contains("%") }
        #expect(
            bars
                == (columns == 80
                    ? [
                        "Looking  ██████                          20 %",
                        "Looking  ████████████                    40 %",
                        "Looking  ██████████████████              60 %",
                        "Looking  ████████████████████████        80 %",
                        "Looking  ██████████████████████████████  100 %",
                    ]
                    : [
                        "Looking  ██▌            20 %", "Looking  █████▏         40 %", "Looking  ███████▊       60 %",
                        "Looking  ██████████▍    80 %", "Looking  █████████████  100 %",
                    ]))
        #expect(printed.contains("100 %\r\u{1B}[K500 clients were taken in."))
    }

    @Test(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
    func `a list of hundreds of clients goes through the pager, whole, and the pager may be left early`() throws {
        let (practice, file) = try clinic(400)
        try practice.says("import", "clients", file)
        let whole = try practice.says("clients")
        #expect(whole.hasPrefix("  Clients · 400 open\n\n"))
        #expect(whole.count { $0 == "\n" } == 403)
        let paged = practice.folder + "/paged"
        let all = try pane(
            "clients", in: practice, columns: 80, rows: 24, pager: "cat > \(paged); echo paged")
        #expect(all.picture == "paged\n= 0")
        #expect(try String(contentsOfFile: paged, encoding: .utf8) == whole)
        let left = try pane("clients", in: practice, columns: 80, rows: 24, pager: "head -1")
        #expect(left.picture == "  Clients · 400 open\n= 0")
        let without = try pane("clients --no-pager", in: practice, columns: 80, rows: 24, pager: "echo paged")
        // The program that keeps what is printed adds a line before and one after.
        let lines = without.printed.replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.dropFirst().prefix(403).map { "\($0)\n" }.joined() == whole)
        #expect(lines.count == 407)
    }
}
