import PackagePlugin

/// Turns each `.varlink` file of a target into a Swift file of the same target, at build time.
@main struct Plugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let generator = try context.tool(named: "generate-interface").url
        let definitions = target.sourceModule?.sourceFiles(withSuffix: ".varlink").map(\.url) ?? []
        return definitions.map { definition in
            let name = definition.deletingPathExtension().lastPathComponent
            let swift = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Swift for \(name)", executable: generator,
                arguments: [definition.path(), swift.path()], inputFiles: [definition], outputFiles: [swift])
        }
    }
}
