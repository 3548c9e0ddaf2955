// swift-tools-version: 6.1
import PackageDescription

/// What is inside the process, by ordo-one's benchmark: a package of its own, so that nobody who builds Daybreak builds that.
let package = Package(
    name: "inside",
    dependencies: [
        // Without its traits, which interpose the runtime; so it counts no allocations here.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: [])
    ],
    targets: [
        .target(name: "Varlink"),
        .target(name: "Homework"),
        .target(
            name: "Control", dependencies: ["Varlink", "Homework"],
            resources: [
                .embedInCode("org.daybreak.Homework.varlink"),
                .embedInCode("org.daybreak.Provider.varlink"),
                .embedInCode("org.daybreak.Service.varlink"),
            ], swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
        .executableTarget(
            name: "Inside",
            dependencies: ["Varlink", "Homework", "Control", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/Inside", plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    ],
    swiftLanguageModes: [.v6]
)
