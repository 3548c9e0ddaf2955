import Foundation
import PracticeRules
import PracticeStore
import Testing
import Time

@Suite struct `Sorting of names` {
    @Test func `accents and case decide only between otherwise equal names`() {
        let names = ["Zoé", "ángeles", "Beatriz", "Ángeles", "Angela", "Örn", "Olga", "angeles"]
        let collation = Collation()
        #expect(
            names.sorted { collation.key(of: $0) < collation.key(of: $1) } == [
                "Angela", "angeles", "Ángeles", "ángeles", "Beatriz", "Olga", "Örn", "Zoé",
            ])
    }

    @Test func `a search without accents finds a name with accents`() {
        #expect(Collation.folded("Ángeles Muñoz") == "angeles munoz")
    }

    @Test func `a name's section is its first letter without the accent`() {
        let sections = ["Ángeles", "ángel", "Örn", "zoé", "李小龍", "3rd", ""].map { Collation().section(of: $0) }
        #expect(sections == ["A", "A", "O", "Z", "李", "3", ""])
    }

    @Test func `a pattern has the words in their order, and escapes special characters`() {
        #expect(Collation.pattern(finding: " Mar  ÁNG ") == "%mar%ang%")
        #expect(Collation.pattern(finding: #"100%_\"#) == #"%100\%\_\\%"#)
        #expect(Collation.pattern(finding: "") == "%")
    }

    /// Real locales, made for the test: Spanish has a letter Ñ after N, and Swedish has Å, Ä and Ö after Z.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/i18n/locales/es_ES"), "apt install locales"),
        arguments: [
            LocaleSample(
                "es_ES", ["Ana", "Ángeles", "Nuria", "Ñandú", "Oscar", "Zoé"], ["A", "A", "N", "Ñ", "O", "Z"]),
            LocaleSample("sv_SE", ["Ana", "Olga", "Zoé", "Åsa", "Ärla", "Örn"], ["A", "O", "Z", "Å", "Ä", "Ö"]),
            LocaleSample("de_DE", ["Ana", "Ärla", "Åsa", "Olga", "Örn", "Zoé"], ["A", "A", "A", "O", "O", "Z"]),
        ])
    func `a locale of the machine sorts names and chooses their sections`(spoken: LocaleSample) async {
        await #expect(processExitsWith: .success) { [spoken] in
            let folder = FileManager.default.temporaryDirectory.appending(path: "locales-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let name = "\(spoken.locale).UTF-8"
            let localedef = Process()
            localedef.executableURL = URL(filePath: "/usr/bin/localedef")
            localedef.arguments = ["-i", spoken.locale, "-f", "UTF-8", folder.appending(path: name).path]
            try localedef.run()
            localedef.waitUntilExit()
            setenv("LOCPATH", folder.path, 1)
            let collation = Collation(locale: name)
            let sorted = spoken.names.shuffled().sorted { collation.key(of: $0) < collation.key(of: $1) }
            #expect(collation.hasLocale && sorted == spoken.names)
            #expect(spoken.names.map { collation.section(of: $0) } == spoken.letters)
        }
    }

    struct LocaleSample: Codable, Sendable {
        let locale: String
        let names: [String]
        let letters: [String]

        init(_ locale: String, _ names: [String], _ letters: [String]) {
            (self.locale, self.names, self.letters) = (locale, names, letters)
        }
    }

    @Test func `another configured locale sorts everything again`() throws {
        // C.UTF-8 is on every machine: it puts letters in the order of their numbers.
        let file = FileManager.default.temporaryDirectory.appending(path: "order-\(UUID()).db")
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        func names(_ collation: Collation) throws -> [String] {
            let store = try Store(file.path, collation: collation)
            defer { try? store.close() }
            return try store.staff(Store.StaffFilter(), PageRequest(after: nil, limit: 10)).page.items.map(\.name)
        }
        let store = try Store(file.path)
        for name in ["Zoé", "Ángeles", "beatriz"] {
            _ = try store.addPerson(
                role: .support, name: name, account: nil, email: nil, phone: nil, since: CalendarDay(ordinal: 0))
        }
        try store.close()
        #expect(try names(Collation()) == ["Ángeles", "beatriz", "Zoé"])
        #expect(try names(Collation(locale: "C.UTF-8")) == ["Zoé", "beatriz", "Ángeles"])
        #expect(try names(Collation()) == ["Ángeles", "beatriz", "Zoé"])
    }

    /// Another daemon of the same practice, on a machine that sorts otherwise, has made the keys of the rows.
    @Test func `each page begins after the last row of the one before, also where another machine sorted them`() throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: "order-\(UUID()).db")
        // A file that stays harms no test.
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let store = try Store(file.path)
        let people = try ["Zoé", "Ángeles", "beatriz"].map {
            try store.addPerson(
                role: .support, name: $0, account: nil, email: nil, phone: nil, since: CalendarDay(ordinal: 0))
        }
        let other = try Store(reading: file.path, collation: Collation(locale: "C.UTF-8"))
        func names(_ page: (PageRequest) throws -> (names: [String], next: PageStart?)) throws -> [String] {
            var (found, after): ([String], PageStart?) = ([], nil)
            repeat {
                let read = try page(PageRequest(after: after, limit: 1))
                (found, after) = (found + read.names, read.next)
            } while after != nil
            return found
        }
        let staff = try names {
            let page = try other.staff(Store.StaffFilter(), $0).page
            return (page.items.map(\.name), page.next)
        }
        #expect(staff == ["Ángeles", "beatriz", "Zoé"])
        let addressees = try names {
            let page = try other.correspondents(of: people[0], named: "", withClosed: false, $0)
            return (page.items.map(\.name), page.next)
        }
        #expect(addressees == ["Ángeles", "beatriz"])
        try other.close()
        try store.close()
    }
}
