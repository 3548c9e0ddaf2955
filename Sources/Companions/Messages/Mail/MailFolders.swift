internal import ArgumentParser
import Companion
import PracticeInterfaces

struct MailFolders<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "folders", abstract: "List the folders, and add, rename or remove your own.",
            subcommands: [
                FoldersList<Options>.self, FoldersAdd<Options>.self, FoldersRename<Options>.self,
                FoldersRemove<Options>.self,
            ], defaultSubcommand: FoldersList<Options>.self)
    }
}

struct FoldersList<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("list", abstract: "List the folders, with their letters.")
    }

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: Options

    func run() throws {
        let reply = try daemon.practice().call(Mail.ListFolders())
        guard !daemon.json else { return Streams.output(object: reply) }
        var table = Table([
            .init("Folder", leads: true), .init("Letters", isNumber: true), .init("New", isNumber: true),
        ])
        table.rows = FolderTree(reply.folders).entries.map { entry in
            // A screen reader says the path; a sighted reader sees the tree.
            let indent = String(repeating: "  ", count: output.plain ? 0 : entry.path.count - 1)
            let name = output.plain ? entry.name : indent + (entry.path.last ?? "").shown.singleLine
            return [
                .init(name, entry.folder.unread > 0 ? .strong : .plain), .init("\(entry.folder.total)"),
                .init(entry.folder.unread > 0 ? "\(entry.folder.unread)" : "", .good),
            ]
        }
        output.print(table.text(columns: output.columns, ink: output.ink))
    }
}

struct FoldersAdd<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("add", abstract: "Add a folder of your own.")
    }

    @Argument(help: "Its name; - reads it from standard input.") var name: String
    @Option(name: .customLong("in"), help: ArgumentHelp("The folder to put it in.", valueName: "folder"))
    var parent: String?
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let name = try TextInput.word(name)
        let parent = try parent.map { text throws(Failure) in try FolderTree(over: connection).entry(text) }
        try daemon.ask(Mail.AddFolder(name: name, parent: parent?.folder.id), over: connection) {
            "The folder \($0.folder.name.shown.singleLine) is there.\n"
        }
    }
}

struct FoldersRename<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb("rename", abstract: "Give a folder of your own another name.")
    }

    @Argument(help: ArgumentHelp(FolderTree.help)) var folder: String
    @Argument(help: "The new name; - reads it from standard input.") var name: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let entry = try FolderTree(over: connection).entry(folder)
        let call = Mail.RenameFolder(folder: entry.folder.id, name: try TextInput.word(name))
        try daemon.ask(call, over: connection) {
            "\(entry.name) is \($0.folder.name.shown.singleLine) now.\n"
        }
    }
}

struct FoldersRemove<Options: PracticeOptions>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration.verb(
            "remove", abstract: "Remove a folder of your own. All letters in it go to the bin.")
    }

    @Argument(help: ArgumentHelp(FolderTree.help)) var folder: String
    @OptionGroup var daemon: Options

    func run() throws {
        let connection = try daemon.practice()
        let entry = try FolderTree(over: connection).entry(folder)
        try daemon.ask(Mail.RemoveFolder(folder: entry.folder.id), over: connection) { _ in
            "\(entry.name) is removed; any letters in it are in the bin now.\n"
        }
    }
}
