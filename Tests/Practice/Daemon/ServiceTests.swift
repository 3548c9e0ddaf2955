import JSON
import PracticeInterfaces
import PracticeRules
import Testing

@testable import PracticeDaemon

@Suite struct `The services of a practice` {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    @Test func `a visitor sees them sorted by category and name`() throws {
        let clinic = try Clinic()
        for (category, name) in [("Grupos", "Duelo"), ("Ángel", "Zen"), ("Ángel", "Álbum"), ("Bar", "Té")] {
            try clinic.root.call(Practice.AddService(category: category, name: name, description: ""))
        }
        let list = try clinic.visitor.call(Practice.ListServices())
        #expect(list.categories == ["Ángel", "Bar", "Grupos"])
        #expect(list.services.map(\.name) == ["Álbum", "Zen", "Té", "Duelo"])
        let one = try clinic.visitor.call(Practice.ListServices(category: "Ángel"))
        #expect(one.categories == ["Ángel", "Bar", "Grupos"])
        #expect(one.services.map(\.name) == ["Álbum", "Zen"])
        #expect(try clinic.visitor.call(Practice.ListServices(category: "Áng%")).services == [])
    }

    @Test func `all fields of a service can be added and edited`() throws {
        let clinic = try Clinic()
        var service = try clinic.root.call(
            Practice.AddService(
                category: "Grief", name: " First talk ", description: "One hour.\nNo obligation.", minutes: 60,
                fee: 4_500, link: "https://clinic.example/first", picture: Base64.encode(Self.png), key: "1")
        ).service
        #expect(
            service
                == Practice.Service(
                    id: "v1", category: "Grief", name: "First talk", description: "One hour.\nNo obligation.",
                    minutes: 60, fee: 4_500, link: "https://clinic.example/first", hasPicture: true, offered: true,
                    revision: 1))
        #expect(
            try clinic.visitor.call(Practice.GetPicture(service: "v1"))
                == Practice.GetPicture.Reply(type: "image/png", picture: Base64.encode(Self.png)))

        (service.name, service.revision) = ("Talk", 2)
        #expect(try clinic.root.call(Practice.EditService(service: "v1", revision: 1, name: "Talk")).service == service)
        (service.minutes, service.fee, service.link, service.hasPicture) = (nil, nil, nil, false)
        service.revision = 3
        #expect(
            try clinic.root.call(
                Practice.EditService(service: "v1", revision: 2, minutes: 0, fee: -1, link: "", picture: "")
            ).service == service)
        #expect(throws: Practice.Changed(revision: 3)) {
            try clinic.root.call(Practice.EditService(service: "v1", revision: 2, name: "Old"))
        }
        // Nothing changed.
        #expect(try clinic.root.call(Practice.EditService(service: "v1", revision: 3, name: "Talk")).service == service)
    }

    @Test func `only staff see services that are no longer offered`() throws {
        let clinic = try Clinic()
        let support = try clinic.staff("Sofia", .support)
        let ana = try clinic.staff("Ana", .thanatologist)
        let cleo = try clinic.client("Cleo", of: ana)
        try clinic.root.call(
            Practice.AddService(category: "Grief", name: "Talk", description: "", picture: Base64.encode(Self.png)))
        try clinic.root.call(Practice.EditService(service: "v1", revision: 1, offered: false))
        let empty = Practice.ListServices.Reply(categories: [], services: [])
        #expect(try clinic.visitor.call(Practice.ListServices()) == empty)
        #expect(try clinic.root.call(Practice.ListServices()) == empty)
        for caller in [clinic.root, clinic.as(support), clinic.as(ana)] {
            #expect(try caller.call(Practice.ListServices(all: true)).services.map(\.offered) == [false])
            #expect(try caller.call(Practice.GetPicture(service: "v1")).type == "image/png")
        }
        for caller in [clinic.visitor, clinic.as(cleo)] {
            #expect(throws: Practice.NotAllowed(right: "seeTerms")) {
                try caller.call(Practice.ListServices(all: true))
            }
            #expect(throws: Practice.NotFound(kind: "picture", id: "v1")) {
                try caller.call(Practice.GetPicture(service: "v1"))
            }
        }
    }

    @Test func `all faults are reported together`() throws {
        let clinic = try Clinic()
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "category", reason: "must not be empty."),
                .init(field: "name", reason: "must not have U+202E (RIGHT-TO-LEFT OVERRIDE): it cannot be seen."),
                .init(field: "description", reason: "must not have U+001B (control character): it cannot be seen."),
                .init(field: "minutes", reason: "must be a number from 1 to 1440."),
                .init(field: "fee", reason: "must be a number from 0 to 10000000000."),
                .init(
                    field: "link",
                    reason: "must be a web address that begins with https:// and holds no spaces."),
                .init(field: "picture", reason: "must be a PNG, a JPEG or a WebP."),
            ])
        ) {
            try clinic.root.call(
                Practice.AddService(
                    category: "", name: "a\u{202E}b", description: "\u{1B}[2J", minutes: -1, fee: -2,
                    link: "http://clinic.example", picture: Base64.encode(Array("GIF89a".utf8))))
        }
        #expect(try clinic.root.call(Practice.ListServices(all: true)).services == [])
    }

    @Test func `a picture has up to one MiB`() throws {
        let clinic = try Clinic()
        var picture = Self.png + [UInt8](repeating: 0, count: Picture.limit - Self.png.count)
        let call = Practice.AddService(category: "A", name: "B", description: "", picture: Base64.encode(picture))
        #expect(try clinic.root.call(call).service.hasPicture)
        #expect(try clinic.visitor.call(Practice.GetPicture(service: "v1")).picture == Base64.encode(picture))
        picture.append(0)
        for text in [Base64.encode(picture), Base64.encode(picture + picture)] {
            #expect(
                throws: Practice.Invalid(faults: [.init(field: "picture", reason: "must have no more than 1 MiB.")])
            ) { try clinic.root.call(Practice.EditService(service: "v1", revision: 1, picture: text)) }
        }
        #expect(
            throws: Practice.Invalid(faults: [
                .init(field: "picture", reason: "must be base64 (RFC 4648), padded, on one line.")
            ])
        ) { try clinic.root.call(Practice.EditService(service: "v1", revision: 1, picture: "iVBORw0KGgo")) }
    }
}

@Suite struct `The words of sessions` {
    @Test func `are sorted in each vocabulary`() throws {
        let clinic = try Clinic()
        for word in ["Pérdida", "ansiedad", "Ángel"] {
            try clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: word))
        }
        try clinic.root.call(Practice.AddTerm(vocabulary: .tools, word: "ansiedad"))
        let ana = try clinic.staff("Ana", .thanatologist)
        #expect(
            try clinic.as(ana).call(Practice.ListTerms(vocabulary: .motives)).terms == [
                .init(id: "t3", word: "Ángel", offered: true), .init(id: "t2", word: "ansiedad", offered: true),
                .init(id: "t1", word: "Pérdida", offered: true),
            ])
        #expect(try clinic.as(ana).call(Practice.ListTerms(vocabulary: .tools)).terms.map(\.id) == ["t4"])
    }

    @Test(arguments: ["papá", "PAPÁ", " papa\u{301} "])
    func `a word is stored once`(word: String) throws {
        let clinic = try Clinic()
        try clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: "Papá"))
        #expect(
            throws: Practice.Invalid(faults: [.init(field: "word", reason: "must be a new one: Papá is there (t1).")])
        ) { try clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: word)) }
        // A word with an accent is a different word.
        #expect(try clinic.root.call(Practice.AddTerm(vocabulary: .motives, word: "papa")).term.id == "t2")
    }

    @Test func `a retired word is still listed, and can be offered again`() throws {
        let clinic = try Clinic()
        try clinic.root.call(Practice.AddTerm(vocabulary: .tools, word: "Letter"))
        let retired = Practice.Term(id: "t1", word: "Letter", offered: false)
        #expect(try clinic.root.call(Practice.RetireTerm(term: "t1")).term == retired)
        #expect(try clinic.root.call(Practice.RetireTerm(term: "t1")).term == retired)
        #expect(try clinic.root.call(Practice.ListTerms(vocabulary: .tools)).terms == [retired])
        #expect(
            try clinic.root.call(Practice.AddTerm(vocabulary: .tools, word: "letter")).term
                == Practice.Term(id: "t1", word: "Letter", offered: true))
        #expect(throws: Practice.NotFound(kind: "term", id: "t2")) {
            try clinic.root.call(Practice.RetireTerm(term: "t2"))
        }
    }
}
