// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is held to: no warning stands, every import says who sees it.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// What makes the installed programs small, and quick to start: lld packs the relocations (79,000 in the daemon), nothing is
/// kept for the sake of a library that might be loaded and ask for it, and the C++ library that Swift's runtime needs is
/// linked in (`Sources/Linking`): to find its symbols took longer than all the rest before `main`.
let small: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic",
            "-Xlinker", "--as-needed", "-L\(Context.packageDirectory)/Sources/Linking",
        ],
        .when(configuration: .release))
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let package = Package(
    name: "daybreak",
    products: [
        .executable(name: "daybreakd", targets: ["daybreakd"]),
        .executable(name: "daybreak", targets: ["daybreak"]),
        .library(name: "Varlink", targets: ["Varlink"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        .target(name: "CMemory"),
        .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
        .target(name: "Systemd", dependencies: ["CMemory", "CSystemd"], swiftSettings: strict),
        .target(name: "Varlink", swiftSettings: strict),
        .target(name: "Homework", swiftSettings: strict),
        .target(name: "History", dependencies: ["Homework", grdb], swiftSettings: strict),
        .target(
            name: "Control", dependencies: ["Varlink", "Homework"],
            resources: [
                .embedInCode("org.daybreak.Homework.varlink"),
                .embedInCode("org.daybreak.Provider.varlink"),
                .embedInCode("org.daybreak.Service.varlink"),
            ], swiftSettings: strict),
        .target(
            name: "DaybreakDaemon",
            dependencies: ["Systemd", "Varlink", "Homework", "History", "Control", toml], swiftSettings: strict),
        .target(name: "CWithoutICU"),
        .target(
            name: "CWithoutFoundation", cSettings: [.define("WITHOUT_FOUNDATION", .when(configuration: .release))]),
        .executableTarget(
            name: "daybreakd", dependencies: ["DaybreakDaemon", "CWithoutICU"], swiftSettings: strict,
            linkerSettings: small),
        .executableTarget(
            name: "daybreak", dependencies: ["CMemory", "Control", "Varlink", "CWithoutFoundation", argumentParser],
            swiftSettings: strict, linkerSettings: small),

        .target(name: "TestSupport", dependencies: ["Homework", "Control", "Varlink"], path: "Tests/TestSupport"),
        .testTarget(name: "SystemdTests", dependencies: ["Systemd", "CSystemd"], path: "Tests/Systemd"),
        .testTarget(name: "VarlinkTests", dependencies: ["Varlink"], path: "Tests/Varlink"),
        .testTarget(name: "HomeworkTests", dependencies: ["Homework", "TestSupport"], path: "Tests/Homework"),
        .testTarget(
            name: "HistoryTests", dependencies: ["History", "Homework", "TestSupport", grdb], path: "Tests/History",
            exclude: ["Fixtures"]),
        .testTarget(name: "ControlTests", dependencies: ["Control", "Homework", "Varlink"], path: "Tests/Control"),
        .testTarget(
            name: "DaybreakDaemonTests", dependencies: ["DaybreakDaemon", "CSystemd", "TestSupport", grdb],
            path: "Tests/DaybreakDaemon", exclude: ["Durability/clock.c", "Durability/disk.c", "icu.c"]),
        .executableTarget(
            name: "simulation", dependencies: ["Homework", "TestSupport"], path: "Tests/Simulation/World"),
        .testTarget(
            name: "SimulationTests", dependencies: ["simulation", "Homework"], path: "Tests/Simulation",
            exclude: ["World"]),
        .testTarget(
            name: "CommandLineTests", dependencies: ["daybreak", "daybreakd", "TestSupport", argumentParser],
            path: "Tests/CommandLine",
            exclude: ["Screens"]),
        .testTarget(
            name: "BoxTests", dependencies: ["TestSupport"], path: "Tests/Box",
            exclude: ["box", "desktop", "midnights", "probe.py"]),
        .testTarget(
            name: "StrangersTests", dependencies: ["daybreakd", "Varlink", "TestSupport"], path: "Tests/Strangers"),
        .testTarget(
            name: "FuzzTests", dependencies: ["DaybreakDaemon", "Control", "History", "Homework", "Varlink", grdb],
            path: "Tests/Fuzz",
            exclude: ["Corpus", "Dictionaries", "Entry", "run"]),
        .testTarget(name: "ArchitectureTests", path: "Tests/Architecture"),
    ],
    swiftLanguageModes: [.v6]
)
