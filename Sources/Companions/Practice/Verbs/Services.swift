internal import ArgumentParser
import Companion
import Files
import Glibc
import JSON
import PracticeInterfaces
import PracticeRules

struct Services: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "services", abstract: "Show what the practice offers, by category.")

    @Argument(help: "Only this category.") var category: String?
    @Flag(help: "Also services that are no longer offered; for staff.") var all = false
    @Flag(name: .customLong("no-pictures"), help: "Name the pictures only.") var hidesPictures = false
    @Option(
        help: ArgumentHelp(
            "Write a page for the practice's web site to FILE, which needs nothing else; - is standard output.",
            valueName: "file"))
    var html: String?
    @Flag(help: "Write over a file that is there already.") var force = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func validate() throws { try OutputForms.check(json: daemon.json, ("--html", html)) }

    func run() throws {
        let connection = try daemon.connection()
        let reply = try connection.call(Practice.ListServices(category: category, all: all ? true : nil))
        guard !daemon.json else { return Streams.output(object: reply) }
        let caller = try CallerInfo(over: connection)
        if let html { return try write(page(reply.services, caller, connection), to: html) }
        if let category, reply.services.isEmpty {
            if let hint = Verbs.hint(misplaced: category, after: Self.self, in: PracticeVerbs.self) {
                throw Failure.misused(hint)
            }
            let others = try connection.call(Practice.ListServices(all: all ? true : nil)).categories
            let named = others.map { "“\($0.shown.singleLine)”" }.joined(separator: ", ")
            throw Failure.refused(
                "NoSuchCategory",
                saying: "Nothing is offered in “\(category.shown.singleLine)”."
                    + (others.isEmpty ? "" : " The categories are \(named)."))
        }
        guard !reply.services.isEmpty else {
            let add = caller.may(.editServices) ? " `practice service add` adds a service." : ""
            return Streams.output("Nothing is offered yet.\(add)\n")
        }
        let painter = hidesPictures || output.plain ? nil : Painter(ink: output.ink)
        var text = "  " + output.ink.strong(caller.reply.practice.shown.singleLine) + "\n"
        for category in reply.categories {
            let services = reply.services.filter { $0.category == category }
            guard !services.isEmpty else { continue }
            text += "\n  " + output.ink.strong(category.shown.singleLine) + "\n"
            for service in services {
                let page = ServicePage(service: service, caller: caller)
                let picture = try service.hasPicture ? painter?.lines(service.id, over: connection) : nil
                text += "\n" + page.text(picture: picture, columns: output.columns, ink: output.ink)
            }
        }
        output.print(text)
    }

    private func page(
        _ services: [Practice.Service], _ caller: CallerInfo, _ connection: DaemonConnection
    ) throws(Failure) -> String {
        var pictures: [String: Practice.GetPicture.Reply] = [:]
        for service in services where service.hasPicture {
            pictures[service.id] = try connection.call(Practice.GetPicture(service: service.id))
        }
        return ServicesPage(services: services, pictures: pictures, caller: caller).text
    }

    private func write(_ text: String, to file: String) throws(Failure) {
        guard file != "-" else { return Streams.output(verbatim: text) }
        let isThere = PrivateFile.existsUnlessForced(file)
        try PrivateFile.write(to: file, replacing: force, orSaying: isThere) { draft throws(Failure) in
            try draft.append(Array(text.utf8)[...])
        }
        // The file is readable for all users, because it is for a web site.
        guard chmod(file, 0o644) == 0 else {
            return Streams.output("Written to \(file.shown); only you can read it.\n")
        }
        Streams.output("Written to \(file.shown).\n")
    }
}

/// A page about one service on the terminal.
struct ServicePage {
    let service: Practice.Service
    let caller: CallerInfo

    /// "50 min · 60.00 EUR".
    static func terms(_ service: Practice.Service, _ currency: Currency) -> String {
        [
            service.minutes.map(Wording.minutes), service.fee.map { currency.text($0) },
            service.offered ? nil : "offered no longer",
        ]
        .compactMap { $0 }.joined(separator: " · ")
    }

    func text(picture: String?, columns: Int?, ink: Ink) -> String {
        let name = service.name.shown.singleLine
        let id = caller.may(.editServices) ? " · \(service.id)" : ""
        var text = "  \(ink.strong(name))\(ink.faint(id))\n"
        let width = columns.map { max(1, min($0, 84) - 4) }
        let terms = Self.terms(service, caller.currency)
        if !terms.isEmpty { text += "    \(ink.faint(terms))\n" }
        if let picture { text += picture }
        for line in service.description.paragraphs(columns: width) where !service.description.isEmpty {
            text += "    \(line)\n"
        }
        if let link = service.link { text += "    \(ink.faint(link.shown))\n" }
        if service.hasPicture, picture == nil { text += "    \(ink.faint("(with a picture)"))\n" }
        return text
    }
}

/// Shows pictures in the terminal with `chafa`, if it is installed.
struct Painter {
    /// Nil if the terminal cannot show pictures, or `chafa` is not installed.
    init?(ink: Ink) {
        guard ink.isOn, isatty(STDOUT_FILENO) == 1, Self.isThere else { return nil }
    }

    private static var isThere: Bool {
        let path = Environment.variables["PATH"] ?? "/usr/bin"
        return path.split(separator: ":").contains { access("\($0)/chafa", X_OK) == 0 }
    }

    /// Nil if the picture cannot be shown.
    func lines(_ service: String, over connection: DaemonConnection) throws(Failure) -> String? {
        let reply = try connection.call(Practice.GetPicture(service: service))
        guard let bytes = Base64.decode(reply.picture) else { return nil }
        var template = Array("/tmp/practice-picture-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let isWritten = File.write(bytes, to: file)
        close(file)
        guard isWritten else { return nil }
        // After a failure the service is shown without its picture.
        guard let shown = try? ChildProcess.output(of: "chafa", ["--format", "symbols", "--size", "36x12", path]) else {
            return nil
        }
        return String(decoding: shown, as: UTF8.self).split(separator: "\n").map { "    \($0)\n" }.joined()
    }
}

/// The services as a single HTML file. It has no script, and its policy forbids loading.
struct ServicesPage {
    let services: [Practice.Service]
    let pictures: [String: Practice.GetPicture.Reply]
    let caller: CallerInfo

    private static let style = """
        :root { color-scheme: light dark; --paper: #fdfbf7; --ink: #3b3733; --faint: #746d66; --line: #d9d2c8 }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #1d1b1a; --ink: #ece5dc; --faint: #a79f96; --line: #45403b }
        }
        body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 48rem;
          margin: 2rem auto; padding: 0 1rem }
        h1 { font-size: 1.6rem } h2 { font-size: 1.25rem; margin-top: 2.5rem } h3 { font-size: 1.05rem; margin-bottom: 0 }
        article { border-top: 1px solid var(--line); padding: .75rem 0; overflow: hidden; overflow-wrap: anywhere }
        article img { float: inline-end; max-width: 40%; max-height: 14rem; margin-inline-start: 1rem; border-radius: .4rem }
        .terms { color: var(--faint); margin: 0 } .text { white-space: pre-line } a { color: inherit }
        """

    private static let kinds: Set<String> = ["image/png", "image/jpeg", "image/webp"]

    var text: String {
        let name = caller.reply.practice.shown.escapedForXML
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <title>\(name)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <main>
            <h1>\(name)</h1>
            \(categories.map(section).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    /// The categories, in the order of the services.
    private var categories: [String] {
        services.reduce(into: []) { if !$0.contains($1.category) { $0.append($1.category) } }
    }

    private func section(_ category: String) -> String {
        let articles = services.filter { $0.category == category }.map(article).joined(separator: "\n")
        return "<section>\n<h2 dir=\"auto\">\(category.shown.escapedForXML)</h2>\n\(articles)\n</section>"
    }

    private func article(_ service: Practice.Service) -> String {
        let name = service.name.shown.escapedForXML
        let terms = ServicePage.terms(service, caller.currency).escapedForXML
        let text = service.description.paragraphs(columns: nil).joined(separator: "\n").escapedForXML
        let link = service.link.map {
            "\n<p><a href=\"\($0.escapedForXML)\" rel=\"noreferrer\">\($0.shown.escapedForXML)</a></p>"
        }
        return """
            <article>
            \(picture(service))<h3 dir="auto">\(name)</h3>
            <p class="terms">\(terms)</p>
            <p class="text" dir="auto">\(text)</p>\(link ?? "")
            </article>
            """
    }

    /// The image element; empty unless the media type and the base64 text are valid.
    private func picture(_ service: Practice.Service) -> String {
        guard let picture = pictures[service.id], Self.kinds.contains(picture.type),
            Base64.decode(picture.picture) != nil
        else { return "" }
        return "<img alt=\"\" src=\"data:\(picture.type);base64,\(picture.picture)\">\n"
    }
}
