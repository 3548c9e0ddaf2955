internal import ArgumentParser
import Companion
import Files
import Glibc
import JSON
import Messages
import PracticeInterfaces
import PracticeRules
import Varlink

struct ServiceVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Show, add or change one service.",
        subcommands: [Show.self, Add.self, Edit.self])
}

/// The fields of a service.
struct ServiceFields: ParsableArguments {
    @Option(help: "The heading it stands under.") var category: String?
    @Option(help: "The name.") var name: String?
    @Option(help: "The description; - reads it from standard input.") var description: String?
    @Option(parsing: .unconditional, help: "How long it takes, in minutes.") var minutes: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The fee, such as 60 or 60.00.", valueName: "amount"))
    var fee: String?
    @Option(help: "A web address to read on at: https alone.") var link: String?
    @Option(help: ArgumentHelp("A picture: PNG, JPEG or WebP, up to 1 MiB.", valueName: "file")) var picture: String?

    /// As they were typed.
    var given: [String: String?] {
        [
            "category": category, "name": name, "description": description, "minutes": minutes, "fee": fee,
            "link": link,
            "picture": picture,
        ]
    }

    /// The value of the field if the service has a picture; else the field is empty.
    private static let samePicture = "the one that is there"
    static let pictureLimit = 1_024 * 1_024

    static func questions(
        _ service: Practice.Service?, draft: LongText, categories: [String], _ caller: CallerInfo
    ) -> [Question] {
        let others = categories.prefix(4).map(\.shown).joined(separator: ", ")
        return [
            Question(
                field: "category", label: "Category", hint: others.isEmpty ? "a heading" : "such as \(others)",
                isRequired: true, current: service?.category ?? "", check: Field.name),
            Question(field: "name", label: "Name", isRequired: true, current: service?.name ?? "", check: Field.name),
            Question(
                field: "description", label: "Description", kind: .text(draft: draft), isRequired: true,
                current: service?.description ?? "",
                check: { text throws(FieldError) in try Field.someText(text) }),
            Question(
                field: "minutes", label: "Minutes", hint: "how long it takes",
                current: service?.minutes.map { "\($0)" } ?? "",
                check: { text throws(FieldError) in
                    "\(try Field.number(Int(text.dateTyped) ?? -1, in: SessionRules.minutes))"
                }),
            Question(
                field: "fee", label: "Fee", hint: "in \(caller.currency.code), such as 60",
                current: service?.fee.map { caller.currency.number($0) } ?? "",
                check: { text throws(FieldError) in
                    "\(try Field.number(caller.currency.amount(text), in: SessionRules.fee))"
                }),
            Question(field: "link", label: "Link", hint: "https://…", current: service?.link ?? "", check: Field.link),
            Question(
                field: "picture", label: "Picture", hint: "a PNG, JPEG or WebP file",
                current: service?.hasPicture == true ? Self.samePicture : "",
                check: { path throws(FieldError) in path == Self.samePicture ? path : try picture(path) }),
        ]
    }

    /// Reads the file, and returns it in base64.
    private static func picture(_ path: String) throws(FieldError) -> String {
        let bytes: [UInt8]
        let real = realpath(path, nil)
        defer { free(real) }
        do { bytes = try File.prefix(pictureLimit + 1, of: real.map { String(cString: $0) } ?? path) } catch {
            throw FieldError("cannot be read: \(error.reason).")
        }
        guard bytes.count <= pictureLimit else { throw FieldError("must have no more than 1 MiB.") }
        return Base64.encode(bytes)
    }
}

extension ServiceVerb {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration.verb("show", abstract: "Show one service.")

        @Argument(help: ArgumentHelp(ServiceName.help)) var service: String
        @OptionGroup var output: OutputOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let caller = try CallerInfo(over: connection)
            let service = try ServiceName(text: service).service(over: connection, all: caller.may(.seeTerms))
            guard !daemon.json else { return Streams.output(object: Practice.AddService.Reply(service: service)) }
            let page = ServicePage(service: service, caller: caller)
            let picture =
                try service.hasPicture && !output.plain
                ? Painter(ink: output.ink)?.lines(service.id, over: connection) : nil
            output.print(page.text(picture: picture, columns: output.columns, ink: output.ink))
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration.verb("add", abstract: "Add what the practice offers.")

        @OptionGroup var fields: ServiceFields
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            let caller = try CallerInfo(over: connection)
            try caller.demand(.editServices)
            let draft = LongText("service-add", by: LongText.Writer(caller.reply, over: connection))
            let categories = try connection.call(Practice.ListServices()).categories
            let form = Form(
                "A new service", does: "adds it", untouched: "Nothing was added.",
                ServiceFields.questions(nil, draft: draft, categories: categories, caller))
            let key = CallKey.new()
            try options.send(form, fields.given, over: connection) { answers in
                Practice.AddService(
                    category: answers["category"] ?? "", name: answers["name"] ?? "",
                    description: answers["description"] ?? "", minutes: answers.number("minutes"),
                    fee: answers.number("fee"), link: answers["link"], picture: answers["picture"], key: key)
            } say: { reply in
                "“\(reply.service.name.shown)” is offered now; `practice services` shows it to everybody.\n"
            }
        }
    }

    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "edit", abstract: "Change a service, stop offering it, or offer it again.")

        @Argument(help: ArgumentHelp(ServiceName.help)) var service: String
        @OptionGroup var fields: ServiceFields
        @Flag(inversion: .prefixedNo, help: "Whether it is offered.") var offered: Bool?
        @OptionGroup var options: FormOptions

        func run() throws {
            let connection = try options.daemon.connection()
            var service = try ServiceName(text: service).service(over: connection)
            let caller = try CallerInfo(over: connection)
            try caller.demand(.editServices)
            let draft = LongText(
                "service-edit-\(service.id)", for: service.name, by: LongText.Writer(caller.reply, over: connection))
            let given = fields.given
            if let offered, options.file == nil, given.values.allSatisfy({ $0 == nil }) {
                let call = Practice.EditService(service: service.id, revision: service.revision, offered: offered)
                return try options.daemon.ask(call, over: connection) { reply in
                    "“\(reply.service.name.shown)” is offered \(offered ? "again" : "no longer").\n"
                }
            }
            let categories = try connection.call(Practice.ListServices(all: true)).categories
            func questions() -> [Question] {
                ServiceFields.questions(service, draft: draft, categories: categories, caller)
            }
            let form = Form(
                service.name, does: "writes what you changed", untouched: "Nothing was changed.", isEdit: true,
                questions())
            try options.send(
                form, given, also: offered.map { ["--\($0 ? "" : "no-")offered"] } ?? [], over: connection,
                adding: ["service": service.id, "revision": "\(service.revision)"],
                again: { () throws(Failure) in
                    service = try ServiceName(text: service.id).service(over: connection)
                    return questions()
                }
            ) { answers in
                Practice.EditService(
                    service: service.id, revision: service.revision, category: answers["category"],
                    name: answers["name"], description: answers["description"],
                    minutes: answers.number("minutes", whereEmptied: 0), fee: answers.number("fee", whereEmptied: -1),
                    link: answers["link"], picture: answers["picture"], offered: offered)
            } say: { reply in
                "“\(reply.service.name.shown)” is changed.\n"
            }
        }
    }
}
