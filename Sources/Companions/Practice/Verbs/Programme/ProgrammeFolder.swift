import Companion
import Files
import Glibc
import PracticeInterfaces

/// A programme as a folder: `programme.toml`, and the lessons and surveys that it names, also in folders of their own. Every file goes
/// to the practice, but for those whose names begin with a dot, so that one that nothing names is found.
struct ProgrammeFolder {
    /// More than any programme has; the daemon's own limits are lower and it names them.
    private static let mostFiles = 1_000
    private static let mostBytes = 8 * 1_024 * 1_024
    private static let deepest = 4

    let path: String
    private(set) var files: [Programmes.ImportProgramme.Files] = []

    init(_ path: String) throws(Failure) {
        self.path = path
        try read("", depth: 0)
        guard files.contains(where: { $0.path == "programme.toml" }) else {
            throw .refused(
                "NoProgramme",
                saying: "There is no programme.toml in \(path.shown). A programme is a folder with that file in it.")
        }
    }

    /// - Parameter folder: within the programme's folder, with a slash at its end; empty for the folder itself.
    private mutating func read(_ folder: String, depth: Int) throws(Failure) {
        let names: [String]
        do { names = try Folder.names(in: "\(path)/\(folder)") } catch {
            throw .refused("Unreadable", saying: "\(error).")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            var found = stat()
            // A link may lead out of the folder, so it is no part of it.
            guard lstat("\(path)/\(folder)\(name)", &found) == 0 else { continue }
            switch found.st_mode & S_IFMT {
            case S_IFDIR where depth < Self.deepest: try read("\(folder)\(name)/", depth: depth + 1)
            case S_IFREG: try add("\(folder)\(name)")
            default: continue
            }
        }
    }

    private mutating func add(_ name: String) throws(Failure) {
        let text = try TextInput.text(of: "\(path)/\(name)", limit: Self.mostBytes)
        files.append(Programmes.ImportProgramme.Files(path: name, text: text))
        let bytes = files.reduce(0) { $0 + $1.text.utf8.count }
        guard files.count <= Self.mostFiles, bytes <= Self.mostBytes else {
            throw .refused(
                "TooLarge",
                saying: "\(path.shown) has more than \(Self.mostFiles) files, or more than \(Self.mostBytes >> 20) MiB."
            )
        }
    }
}
