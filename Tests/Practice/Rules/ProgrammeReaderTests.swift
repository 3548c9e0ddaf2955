import PracticeRules
import Testing

@Suite struct `The reader of programmes` {
    private static let survey = """
        {"resourceType":"Questionnaire","title":"Week","status":"active","item":[{"linkId":"a","type":"boolean","text":"A?"}]}
        """

    /// A folder with this document, two lessons and a survey.
    private func faults(_ document: String, _ others: [(path: String, text: String)]? = nil) -> [String] {
        var files = [(path: "programme.toml", text: document)]
        files += others ?? [("one.md", "# One"), ("two.md", "# Two"), ("week.json", Self.survey)]
        do {
            _ = try ProgrammeReader.read(files)
            return []
        } catch { return error.list.map { "\($0.file)\($0.line.map { ":\($0)" } ?? ""): \($0.reason)" } }
    }

    private static let head = "id = \"p\"\nname = \"P\"\n"
    private static let files =
        "[[lesson]]\nfile = \"one.md\"\n[[lesson]]\nfile = \"two.md\"\n[[survey]]\nfile = \"week.json\"\n"

    static let faultsOfDocuments: [(document: String, fault: String)] = [
        (
            "id = ",
            "programme.toml:1: It is not TOML. There is no such value: a text stands in quotes; yes and no are spelled true and false."
        ),
        ("name = \"P\"\n\(files)", "programme.toml:1: The programme has no \"id\"."),
        (
            "id = \"-p\"\nname = \"P\"\n\(files)",
            "programme.toml:1: \"id\" must be 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, no dot or hyphen first."
        ),
        ("id = \"p\"\nname = \" \"\n\(files)", "programme.toml:2: \"name\" must not be empty."),
        (
            "\(head)titel = \"x\"\n\(files)",
            "programme.toml:3: There is no \"titel\" in a programme: it has id, name, summary, [[lesson]], [[survey]] and [[homework]]."
        ),
        (
            "\(head)\"ti\u{202E}tel\" = \"x\"\n\(files)",
            "programme.toml:3: There is no \"ti?tel\" in a programme: it has id, name, summary, [[lesson]], [[survey]] and [[homework]]."
        ),
        (
            "\(head)[lesson]\nfile = \"one.md\"\n",
            "programme.toml:3: Write [[lesson]], with two brackets, and its lines below it."
        ),
        ("\(head)\(files)[[lesson]]\nminutes = 5\n", "programme.toml:9: The [[lesson]] has no \"file\"."),
        ("\(head)\(files)[[lesson]]\nfile = \"none.md\"\n", "programme.toml:9: There is no file none.md."),
        (
            "\(head)\(files)[[lesson]]\nfile = \"one.md\"\n",
            "programme.toml:9: Another [[lesson]] has a file of that name: one."
        ),
        (
            "\(head)\(files)[[lesson]]\nfile = \"../one.md\"\n",
            "programme.toml:10: \"file\" must be the name of a file in this folder that ends with .md."
        ),
        (
            "\(head)[[lesson]]\nfile = \"one.md\"\nafter_lesson = \"two\"\n[[lesson]]\nfile = \"two.md\"\n[[survey]]\nfile = \"week.json\"\n",
            "programme.toml:5: \"after_lesson\" must be the file of a lesson that stands before this one."
        ),
        (
            "\(head)[[lesson]]\nfile = \"one.md\"\nafter_survey = \"month\"\n[[lesson]]\nfile = \"two.md\"\n[[survey]]\nfile = \"week.json\"\n",
            "programme.toml:5: \"after_survey\" must be the file of a [[survey]]."
        ),
        (
            "\(head)\(files)after_days = 1\n",
            "programme.toml:9: There is no \"after_days\" in a [[survey]]: it has file, first_day, every_days, times and open_days."
        ),
        (
            "\(head)\(files)times = 3\nevery_days = 2\nopen_days = 3\n",
            "programme.toml:11: The survey would open again before it closes: open_days must be at most every_days."
        ),
        ("\(head)\(files)times = 3\n", "programme.toml:9: The [[survey]] has \"times\" and no \"every_days\"."),
        ("\(head)\(files)first_day = 0\n", "programme.toml:9: \"first_day\" must be a whole number from 1 to 1000."),
        (
            "\(head)\(files)times = 200\nevery_days = 6\n",
            "programme.toml:7: The survey's last day is later than day 1000."
        ),
        (
            "\(head)\(files)[[homework]]\nday = 1\nbreaths = 0\nmoods = [\"calm\"]\n",
            "programme.toml:11: \"breaths\" must be a whole number from 1 to 1000."
        ),
        (
            "\(head)\(files)[[homework]]\nday = 1\nbreaths = 5\nmoods = [\"calm\", \"calm\"]\n",
            "programme.toml:12: Mood choice 2 repeats choice 1."
        ),
        ("\(head)\(files)[[homework]]\nday = 1\nbreaths = 5\n", "programme.toml:9: The [[homework]] has no \"moods\"."),
    ]

    @Test func `a folder becomes a version`() throws {
        let version = try ProgrammeReader.read([
            (
                path: "programme.toml",
                text: """
                id = "p"
                name = "P"
                [[lesson]]
                file = "a/one.md"
                [[lesson]]
                file = "two.md"
                title = "The second"
                minutes = 3
                after_days = 4
                after_lesson = "a/one.md"
                after_survey = "week"
                [[survey]]
                file = "week.json"
                first_day = 3
                every_days = 7
                times = 2
                open_days = 2
                [[homework]]
                day = 5
                breaths = 4
                moods = ["calm"]
                pattern = "4-0-6-0"
                [[homework]]
                day = 1
                every_days = 4
                times = 2
                breaths = 3
                moods = ["calm"]
                """
            ), (path: "a/one.md", text: "Words.\n\n*One* day\n===\n"), (path: "two.md", text: "Text."),
            (path: "week.json", text: Self.survey),
        ])
        #expect(
            version
                == ProgrammeVersion(
                    id: "p", name: "P", summary: "",
                    lessons: [
                        .init(
                            id: "one", title: "One day", minutes: nil, afterDays: 0, afterLesson: nil, afterSurvey: nil,
                            text: "Words.\n\n*One* day\n===\n"),
                        .init(
                            id: "two", title: "The second", minutes: 3, afterDays: 4, afterLesson: "one",
                            afterSurvey: "week", text: "Text."),
                    ],
                    surveys: [
                        .init(
                            id: "week", title: "Week", questions: 1, firstDay: 3, everyDays: 7, times: 2, openDays: 2,
                            bounds: nil, text: Self.survey)
                    ],
                    tasks: [
                        .init(day: 1, breaths: 3, moods: ["calm"], pattern: nil),
                        .init(day: 5, breaths: 4, moods: ["calm"], pattern: "4-0-6-0"),
                        .init(day: 5, breaths: 3, moods: ["calm"], pattern: nil),
                    ]))
    }

    @Test(arguments: faultsOfDocuments)
    func `a fault of the document is named with its line`(document: String, fault: String) {
        #expect(faults(document).first == fault)
    }

    @Test func `a fault of another file is named with its file`() {
        let document = Self.head + Self.files
        #expect(
            faults(document, [("one.md", " \n"), ("two.md", "No heading, and \u{07} a bell."), ("week.json", "{\n,}")])
                == [
                    "one.md:1: The lesson is empty.",
                    "two.md:1: The line has U+0007 (control character) in it, which is not seen.",
                    "two.md:1: The lesson has no heading, and its [[lesson]] no title.",
                    "week.json:2: It is not JSON: expected a key, found ','.",
                ])
        #expect(
            faults(
                document, [("one.md", "# One"), ("two.md", "# Two"), ("week.json", Self.survey), ("more.md", "# More")])
                == [
                    "more.md: No [[lesson]] and no [[survey]] names this file."
                ])
        #expect(faults("", []).first == "programme.toml:1: The programme has no \"id\".")
    }

    @Test func `a lesson that no reader's machine would show is refused with its line`() {
        let wide = String(repeating: "|a", count: 400) + "\n" + String(repeating: "|-", count: 400)
        #expect(
            faults(
                Self.head + Self.files,
                [
                    ("one.md", "# One\n\n" + String(repeating: ">", count: 41)),
                    ("two.md", "# Two\n\n" + wide + String(repeating: "\n|x", count: 400)), ("week.json", Self.survey),
                ]) == [
                    "one.md:3: The line begins more than 40 quotes and lists in each other.",
                    "two.md:3: A table as wide as this line could have more than 100000 cells, or has more than 1000 columns.",
                ])
    }

    @Test func `a folder without a document, or with a file of a strange name, is not looked at further`() throws {
        func only(_ files: [(path: String, text: String)]) -> [String] {
            do {
                _ = try ProgrammeReader.read(files)
                return []
            } catch { return error.list.map { "\($0.file): \($0.reason)" } }
        }
        #expect(only([]) == ["programme.toml: The folder has no programme.toml."])
        for path in ["../a.md", "/a.md", "a//b.md", ".a.md", "a b.md", "", "ä.md"] {
            #expect(
                only([(path: path, text: "# A")]) == [
                    "\(path): A file's name has letters (A-Z, a-z), digits, dots, underscores and hyphens alone, and begins with no dot."
                ])
        }
        #expect(
            only([(path: "a.md", text: "# A"), (path: "a.md", text: "# B")]) == ["a.md: The file comes twice."])
        let many = (0...600).map { (path: "\($0).md", text: "") }
        #expect(only(many) == ["programme.toml: The folder has more than 600 files."])
        let long = String(repeating: "x", count: 131_073)
        #expect(
            only([(path: "a.md", text: long)]) == ["a.md: The file has more than 131072 bytes, which is the limit."])
        #expect(
            only((0..<33).map { (path: "\($0).md", text: long) }) == [
                "programme.toml: The folder has more than 4194304 bytes."
            ])
    }

    @Test func `all surveys together are asked no more than 400 times`() {
        let other = "[[survey]]\nfile = \"b.json\"\ntimes = 201\nevery_days = 1\n"
        let document = "\(Self.head)[[survey]]\nfile = \"a.json\"\ntimes = 200\nevery_days = 1\n"
        let files = [(path: "a.json", text: Self.survey), (path: "b.json", text: Self.survey)]
        #expect(
            faults(document + other, files) == [
                "programme.toml:3: All surveys together are asked more than 400 times."
            ])
        #expect(faults(document + other.replacing("201", with: "200"), files) == [])
    }

    @Test func `a hundred faults are enough`() {
        let many = (0..<200).map { "x\($0) = 1\n" }.joined()
        #expect(faults(many + Self.head + Self.files).count == 100)
    }

    @Test(arguments: [
        ("# One", "One"), ("   ### One ###  \n", "One"), ("#None\n# Two", "Two"), ("```\n# Code\n```\n# One", "One"),
        ("One\n---\n", "One"), ("text\n\n# *One* `two`\r\n", "One two"), ("####### Seven\n# One", "One"),
        ("    # indented\n# One", "One"),
    ]) func `the title is the first heading`(text: String, title: String) throws {
        let version = try ProgrammeReader.read([
            (path: "programme.toml", text: "id = \"p\"\nname = \"P\"\n[[lesson]]\nfile = \"a.md\"\n"),
            (path: "a.md", text: text),
        ])
        #expect(version.lessons[0].title == title)
    }
}
