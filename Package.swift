// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of every target: warnings are errors, and each import states its visibility.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Linker settings that make the installed programs small and quick to start. lld packs the relocations, and exports no
/// symbol for libraries that might be loaded: the daemon is a megabyte smaller. The C++ library that Swift's runtime needs is
/// linked statically (`Sources/Programs/Linking`), because finding its symbols takes a millisecond, a third of a start.
let small: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
            "-L\(Context.packageDirectory)/Sources/Programs/Linking",
        ],
        .when(configuration: .release))
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "daybreak",
    products: [
        .executable(name: "daybreakd", targets: ["daybreakd"]),
        .executable(name: "daybreak", targets: ["daybreak"]),
        .executable(name: "daybreak-notify", targets: ["daybreak-notify"]),
        .executable(name: "daybreak-link", targets: ["daybreak-link"]),
        .executable(name: "practiced", targets: ["practiced"]),
        .executable(name: "practice", targets: ["practice"]),
        .executable(name: "practice-gate", targets: ["practice-gate"]),
        .library(name: "Varlink", targets: ["Varlink"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // Platform: knows neither homework nor practice.
        .target(name: "Time", path: "Sources/Platform/Time", swiftSettings: strict),
        .target(name: "Text", path: "Sources/Platform/Text", swiftSettings: strict),
        .target(
            name: "TOML", dependencies: ["Files", "Text", "Time"], path: "Sources/Platform/TOML", swiftSettings: strict),
        .target(name: "CSV", path: "Sources/Platform/CSV", swiftSettings: strict),
        .target(name: "JSON", path: "Sources/Platform/JSON", swiftSettings: strict),
        .target(
            name: "Varlink", dependencies: ["JSON"], path: "Sources/Platform/Varlink", exclude: ["README.md"],
            swiftSettings: strict),
        .target(name: "Files", path: "Sources/Platform/Files", swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", path: "Sources/Platform/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "Storage", dependencies: ["CSQLite", "Files"], path: "Sources/Platform/Storage", swiftSettings: strict
        ),
        .systemLibrary(
            name: "CPostgreSQL", path: "Sources/Platform/CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgreSQL", dependencies: ["CPostgreSQL", "Storage"], path: "Sources/Platform/PostgreSQL",
            swiftSettings: strict),
        .target(name: "CMemory", path: "Sources/Platform/CMemory"),
        // The archives by their file names, or the linker would take the shared libraries.
        .target(
            name: "CMarkdown", path: "Sources/Platform/CMarkdown",
            linkerSettings: [.linkedLibrary(":libcmark-gfm-extensions.a"), .linkedLibrary(":libcmark-gfm.a")]),
        .target(
            name: "Markdown", dependencies: ["CMarkdown", "Text"], path: "Sources/Platform/Markdown",
            swiftSettings: strict),
        .target(name: "CSystemd", path: "Sources/Platform/CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
        .target(
            name: "Systemd", dependencies: ["CMemory", "CSystemd", "Files", "Text"], path: "Sources/Platform/Systemd",
            swiftSettings: strict),
        .target(
            name: "Bus", dependencies: ["CSystemd", "Systemd"], path: "Sources/Platform/Bus", swiftSettings: strict),
        .target(name: "Workers", dependencies: ["Systemd"], path: "Sources/Platform/Workers", swiftSettings: strict),
        .target(name: "Unix", dependencies: ["Files"], path: "Sources/Platform/Unix", swiftSettings: strict),
        .target(
            name: "VarlinkService", dependencies: ["Systemd", "Text", "Time", "Unix", "Varlink"],
            path: "Sources/Platform/VarlinkService", swiftSettings: strict),
        .target(
            name: "VarlinkClient", dependencies: ["Unix", "Varlink"], path: "Sources/Platform/VarlinkClient",
            swiftSettings: strict),

        // Interfaces: what is said on the sockets. The Swift for each .varlink file is generated when it is built.
        .target(
            name: "InterfaceGenerator", dependencies: ["Varlink"], path: "Sources/Interfaces/Generator",
            exclude: ["Program"], swiftSettings: strict),
        .executableTarget(
            name: "generate-interface", dependencies: ["InterfaceGenerator", "Varlink"],
            path: "Sources/Interfaces/Generator/Program", swiftSettings: strict),
        .plugin(
            name: "InterfacePlugin", capability: .buildTool(), dependencies: ["generate-interface"],
            path: "Sources/Interfaces/Plugin"),
        .target(
            name: "DaybreakInterfaces", dependencies: ["JSON", "Varlink"], path: "Sources/Interfaces/Daybreak",
            swiftSettings: strict, plugins: ["InterfacePlugin"]),
        .target(
            name: "PracticeInterfaces", dependencies: ["JSON", "Varlink"], path: "Sources/Interfaces/Practice",
            swiftSettings: strict, plugins: ["InterfacePlugin"]),
        // For the practice's own programs alone: a program's first casts look through every type that is linked into it.
        .target(
            name: "StaffInterfaces", dependencies: ["JSON", "Varlink"], path: "Sources/Interfaces/Staff",
            swiftSettings: strict, plugins: ["InterfacePlugin"]),

        .target(
            name: "ScheduleFormat", dependencies: ["JSON", "Text", "Time"], path: "Sources/Interfaces/Schedule",
            swiftSettings: strict),

        .target(
            name: "SurveyFormat", dependencies: ["JSON", "Text", "Time"], path: "Sources/Interfaces/Survey",
            swiftSettings: strict),

        // Homework: the client's family.
        .target(
            name: "HomeworkRules", dependencies: ["ScheduleFormat", "Text", "Time"], path: "Sources/Homework/Rules",
            swiftSettings: strict),
        .target(
            name: "HomeworkHistory", dependencies: ["Files", "HomeworkRules", "JSON", "Storage", "Text", "Time"],
            path: "Sources/Homework/History", swiftSettings: strict),
        .target(
            name: "HomeworkDaemon",
            dependencies: [
                "DaybreakInterfaces", "Files", "HomeworkHistory", "HomeworkRules", "JSON", "Systemd", "TOML", "Text",
                "Time", "Unix", "Varlink", "VarlinkService", "Workers",
            ], path: "Sources/Homework/Daemon", swiftSettings: strict),

        // Practice: the clinic's family.
        .target(
            name: "PracticeRules",
            dependencies: ["JSON", "Markdown", "ScheduleFormat", "SurveyFormat", "TOML", "Text", "Time"],
            path: "Sources/Practice/Rules", swiftSettings: strict),
        .target(
            name: "PracticeStore",
            dependencies: [
                "Files", "JSON", "PostgreSQL", "PracticeRules", "ScheduleFormat", "Storage", "Text", "Time",
            ],
            path: "Sources/Practice/Store", swiftSettings: strict),
        .target(
            name: "PracticeDaemon",
            dependencies: [
                "Files", "JSON", "PostgreSQL", "PracticeInterfaces", "PracticeRules", "PracticeStore", "ScheduleFormat",
                "StaffInterfaces", "Storage", "SurveyFormat", "Systemd", "TOML", "Time", "Unix", "Varlink",
                "VarlinkService", "Workers",
            ], path: "Sources/Practice/Daemon", swiftSettings: strict),

        .target(
            name: "PracticeGate", dependencies: ["CMemory", "Files", "PracticeInterfaces", "Varlink", "VarlinkClient"],
            path: "Sources/Practice/Gate", swiftSettings: strict),

        // Companions: the command line.
        .target(
            name: "Companion",
            dependencies: [
                "CMemory", "Files", "JSON", "Text", "Time", "Unix", "Varlink", "VarlinkClient", argumentParser,
            ],
            path: "Sources/Companions/Shared", swiftSettings: strict),
        .target(
            name: "Messages",
            dependencies: [
                "Companion", "Files", "PracticeInterfaces", "Text", "Time", "Varlink", argumentParser,
            ], path: "Sources/Companions/Messages", swiftSettings: strict),
        .target(
            name: "Surveys",
            dependencies: ["Companion", "JSON", "PracticeInterfaces", "SurveyFormat", "Text", "Time", "Varlink"],
            path: "Sources/Companions/Surveys", swiftSettings: strict),
        .target(
            name: "DaybreakCompanion",
            dependencies: [
                "Companion", "DaybreakInterfaces", "Files", "JSON", "Markdown", "Messages", "PracticeInterfaces",
                "SurveyFormat", "Surveys", "Text", "Time", "Unix", "Varlink", "VarlinkClient", argumentParser,
            ], path: "Sources/Companions/Daybreak", swiftSettings: strict),

        .target(
            name: "Streams", dependencies: ["Files", "Systemd", "Text", "Varlink", "VarlinkClient"],
            path: "Sources/Companions/Stream", swiftSettings: strict),
        .target(
            name: "DaybreakNotify",
            dependencies: [
                "Bus", "DaybreakInterfaces", "Streams", "Systemd", "Text", "Varlink", "VarlinkClient",
            ],
            path: "Sources/Companions/Notify", swiftSettings: strict),
        .target(
            name: "DaybreakLink",
            dependencies: [
                "DaybreakInterfaces", "PracticeInterfaces", "Streams", "Systemd", "Text", "Time", "Varlink",
                "VarlinkClient",
            ], path: "Sources/Companions/Link", swiftSettings: strict),

        .target(
            name: "PracticeCompanion",
            dependencies: [
                "CSV", "Companion", "Files", "JSON", "Messages", "PracticeInterfaces", "PracticeRules",
                "ScheduleFormat", "StaffInterfaces", "SurveyFormat", "Surveys", "TOML", "Text", "Time", "Varlink",
                argumentParser,
            ], path: "Sources/Companions/Practice", swiftSettings: strict),

        // Programs.
        .executableTarget(
            name: "daybreakd", dependencies: ["HomeworkDaemon"], path: "Sources/Programs/daybreakd",
            swiftSettings: strict, linkerSettings: small),
        .executableTarget(
            name: "daybreak", dependencies: ["DaybreakCompanion"],
            path: "Sources/Programs/daybreak", swiftSettings: strict, linkerSettings: small),
        .executableTarget(
            name: "daybreak-notify", dependencies: ["DaybreakNotify"], path: "Sources/Programs/daybreak-notify",
            swiftSettings: strict, linkerSettings: small),
        .executableTarget(
            name: "daybreak-link", dependencies: ["DaybreakLink"], path: "Sources/Programs/daybreak-link",
            swiftSettings: strict, linkerSettings: small),

        .executableTarget(
            name: "practiced", dependencies: ["PracticeDaemon"], path: "Sources/Programs/practiced",
            swiftSettings: strict, linkerSettings: small),

        .executableTarget(
            name: "practice", dependencies: ["PracticeCompanion"], path: "Sources/Programs/practice",
            swiftSettings: strict, linkerSettings: small),

        .executableTarget(
            name: "practice-gate", dependencies: ["PracticeGate"], path: "Sources/Programs/practice-gate",
            swiftSettings: strict, linkerSettings: small),

        // Tests: the same tree.
        .target(
            name: "TestSupport",
            dependencies: ["DaybreakInterfaces", "HomeworkRules", "JSON", "Time", "Varlink"],
            path: "Tests/TestSupport", exclude: ["README.md", "Testing"]),
        .testTarget(
            name: "TestingSupport", dependencies: ["HomeworkRules", "TestSupport", "Time"],
            path: "Tests/TestSupport/Testing"),
        .target(name: "UnixTestSupport", dependencies: ["Systemd"], path: "Tests/UnixTestSupport"),
        .target(
            name: "DiskSupport", dependencies: ["TestSupport", "UnixTestSupport"], path: "Tests/DiskSupport",
            exclude: ["README.md", "clock.c", "disk.c"]),
        .testTarget(
            name: "UnixTests", dependencies: ["TestSupport", "TestingSupport", "Unix", "UnixTestSupport"],
            path: "Tests/Platform/Unix"),
        .testTarget(
            name: "VarlinkServiceTests",
            dependencies: ["Systemd", "Time", "Unix", "UnixTestSupport", "Varlink", "VarlinkService"],
            path: "Tests/Platform/VarlinkService"),
        .testTarget(
            name: "VarlinkClientTests", dependencies: ["Unix", "UnixTestSupport", "Varlink", "VarlinkClient"],
            path: "Tests/Platform/VarlinkClient"),
        .testTarget(name: "TimeTests", dependencies: ["TestSupport", "Time"], path: "Tests/Platform/Time"),
        .testTarget(name: "TOMLTests", dependencies: ["TOML", "Time"], path: "Tests/Platform/TOML"),
        .testTarget(name: "TextTests", dependencies: ["Text"], path: "Tests/Platform/Text"),
        .testTarget(name: "CSVTests", dependencies: ["CSV"], path: "Tests/Platform/CSV"),
        .testTarget(name: "MarkdownTests", dependencies: ["Markdown"], path: "Tests/Platform/Markdown"),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], path: "Tests/Platform/JSON"),
        .testTarget(name: "VarlinkTests", dependencies: ["JSON", "Varlink"], path: "Tests/Platform/Varlink"),
        .testTarget(name: "FilesTests", dependencies: ["Files"], path: "Tests/Platform/Files"),
        .testTarget(
            name: "StorageTests", dependencies: ["Files", "Storage", "TestSupport"], path: "Tests/Platform/Storage"),
        .testTarget(name: "SystemdTests", dependencies: ["CSystemd", "Systemd"], path: "Tests/Platform/Systemd"),
        .testTarget(
            name: "InterfacesTests",
            dependencies: [
                "DaybreakInterfaces", "InterfaceGenerator", "JSON", "ScheduleFormat", "SurveyFormat", "TestSupport",
                "Time",
                "Varlink",
            ],
            path: "Tests/Interfaces", plugins: ["InterfacePlugin"]),
        .testTarget(
            name: "HomeworkRulesTests", dependencies: ["HomeworkRules", "TestSupport", "TestingSupport", "Time"],
            path: "Tests/Homework/Rules"),
        .testTarget(
            name: "HomeworkHistoryTests",
            dependencies: [
                "CSQLite", "Files", "HomeworkHistory", "HomeworkRules", "Storage", "TestSupport", "TestingSupport",
                "Time",
            ],
            path: "Tests/Homework/History", exclude: ["Fixtures"]),
        .testTarget(
            name: "HomeworkDaemonTests",
            dependencies: [
                "CSystemd", "DiskSupport", "HomeworkDaemon", "Storage", "TOML", "TestSupport", "Text", "TestingSupport",
                "UnixTestSupport", "VarlinkService",
            ], path: "Tests/Homework/Daemon"),
        .testTarget(
            name: "WorkersTests", dependencies: ["Systemd", "UnixTestSupport", "Workers"],
            path: "Tests/Platform/Workers"),
        .testTarget(
            name: "PracticeRulesTests", dependencies: ["PracticeRules", "ScheduleFormat", "TestSupport", "Time"],
            path: "Tests/Practice/Rules"),
        .testTarget(
            name: "PracticeStoreTests", dependencies: ["PracticeRules", "PracticeStore", "Storage", "Time"],
            path: "Tests/Practice/Store", exclude: ["Fixtures"]),
        .testTarget(
            name: "PracticeDaemonTests",
            dependencies: [
                "DiskSupport", "JSON", "PostgreSQL", "PracticeCompanion", "PracticeDaemon", "PracticeInterfaces",
                "PracticeRules", "PracticeStore", "StaffInterfaces", "Storage", "SurveyFormat", "Systemd", "TOML",
                "TestSupport", "TestingSupport", "Time", "Unix", "UnixTestSupport", "Varlink",
                "VarlinkService", "practice-gate", "practiced",
            ], path: "Tests/Practice/Daemon", exclude: ["Reports/count.py"]),
        .testTarget(
            name: "CompanionsTests",
            dependencies: [
                "CSV", "Companion", "DaybreakCompanion", "JSON", "Markdown", "Messages", "PracticeCompanion",
                "PracticeInterfaces", "PracticeRules", "StaffInterfaces", "SurveyFormat", "Surveys", "TestSupport",
                "Text", "Time", "daybreak", "daybreak-link", "daybreakd", "practice", "practiced", argumentParser,
            ],
            path: "Tests/Companions",
            exclude: ["Daybreak/Screens", "Daybreak/practice.py", "Link", "Notify", "Practice/line.py"]),
        // With both daemons, in the homes that their own tests made for them.
        .testTarget(
            name: "DaybreakLinkTests",
            dependencies: [
                "DaybreakInterfaces", "DaybreakLink", "HomeworkDaemon", "HomeworkDaemonTests", "HomeworkRules",
                "PracticeDaemon", "PracticeDaemonTests", "PracticeInterfaces", "PracticeRules", "PracticeStore",
                "StaffInterfaces", "TestSupport", "TestingSupport", "Text", "Time", "UnixTestSupport", "Varlink",
            ],
            path: "Tests/Companions/Link"),
        .testTarget(
            name: "NotifyTests",
            dependencies: [
                "Bus", "CSystemd", "DaybreakInterfaces", "DaybreakNotify", "Streams", "Systemd", "Unix", "Varlink",
            ],
            path: "Tests/Companions/Notify"),
        .executableTarget(
            name: "simulation", dependencies: ["HomeworkRules", "TestSupport", "Time"], path: "Tests/Simulation/World"),
        .testTarget(
            name: "SimulationTests", dependencies: ["HomeworkRules", "Time", "simulation"], path: "Tests/Simulation",
            exclude: ["README.md", "World"]),
        .testTarget(
            name: "BoxTests", dependencies: ["TestSupport", "TestingSupport"], path: "Tests/Box",
            exclude: [
                "README.md", "box", "ask.py", "bridges.py", "crowd.py", "desktop", "leap.c", "midnights", "probe.py",
                "security-key.c", "stranger.py",
            ]),
        .testTarget(
            name: "StrangersTests", dependencies: ["TestSupport", "TestingSupport", "Varlink", "daybreakd"],
            path: "Tests/Strangers", exclude: ["README.md"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "DaybreakInterfaces", "HomeworkDaemon", "HomeworkHistory", "HomeworkRules", "JSON", "PracticeRules",
                "SurveyFormat", "TestSupport", "Time", "Varlink",
            ], path: "Tests/Fuzz", exclude: ["Corpus", "Dictionaries", "Entry", "README.md", "run"]),
        .testTarget(name: "ArchitectureTests", path: "Tests/Architecture"),
    ],
    swiftLanguageModes: [.v6]
)
