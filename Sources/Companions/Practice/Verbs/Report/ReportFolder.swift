import Companion
import Files
import Glibc
import Text

/// A folder in which files of reports are kept current, for a web server or a board. Each file is replaced whole, and only if it
/// changed.
struct ReportFolder {
    let path: String
    /// All users can read the files. Without it only this user can.
    let isPublic: Bool

    /// A line about one round.
    struct Line: Equatable {
        let text: String
        let isRefusal: Bool
    }

    /// Makes the folder, unless it is there.
    func make() throws(Failure) {
        if mkdir(path, 0o700) == 0 {
            // The umask may have taken modes away.
            if isPublic, chmod(path, 0o755) != 0 { throw unmakeable(systemError(errno)) }
            return
        }
        let reason = errno
        var found = stat()
        guard reason == EEXIST, stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else {
            throw unmakeable(reason == EEXIST ? "it is there, and no folder" : systemError(reason))
        }
    }

    /// Throws if a file that would be replaced or removed is not from this verb: somebody may have named the folder of a web
    /// site.
    func checkOwn() throws(Failure) {
        let foreign = ReportPages.marks.filter { !isOwn($0.file, $0.mark) }.map { $0.file }
        guard !foreign.isEmpty else { return }
        throw .refused(
            "FileExists",
            saying: "In \(path.shown), these are not files of `practice report`: \(foreign.joined(separator: ", ")). "
                + "Name another folder; --force replaces them.")
    }

    /// The bytes of a file in which its mark stands. The style of a page comes before it.
    private static let beginning = 16 * 1_024

    /// True if the file is not there, or has the mark.
    private func isOwn(_ file: String, _ mark: String) -> Bool {
        let place = "\(path)/\(file)"
        var found = stat()
        guard lstat(place, &found) == 0 else { return true }
        // A file that cannot be read, and a link, is somebody else's.
        let bytes = try? File.piece(of: place, from: 0, count: Self.beginning)
        return bytes.map { String(decoding: $0, as: UTF8.self).includes(mark) } ?? false
    }

    /// A sentence if all users are meant to read the files, and the folder, which was there already, keeps them out.
    var keptShut: String? {
        var found = stat()
        guard isPublic, stat(path, &found) == 0, found.st_mode & 0o001 == 0 else { return nil }
        return "The folder \(path.shown) was there already, and keeps other users out; "
            + "`chmod go+rx \(File.quoted(path.shown))` opens it."
    }

    private func unmakeable(_ why: String) -> Failure {
        .refused("Unwritable", saying: "The folder \(path.shown) cannot be made: \(why).")
    }

    /// Fetches and writes, again and again. A failure is told, and the next round tries again.
    /// - Parameter isOnce: one round alone, whose failure is thrown.
    func keep(
        isOnce: Bool, pause: () -> Void, say: (Line) -> Void, pages: () throws -> [(name: String, text: String)]
    ) throws {
        while true {
            do {
                let files = try pages()
                let changed = try write(files)
                if changed > 0 {
                    say(Line(text: "\(Wording.counted(changed, "file")) in \(path.shown) changed.", isRefusal: false))
                }
            } catch let failure as Failure where !isOnce && failure.status != Failure.misusedStatus {
                say(Line(text: failure.sentence, isRefusal: true))
            }
            if isOnce { return }
            pause()
        }
    }

    /// Returns how many files changed. Pages that are shared no more are removed.
    private func write(_ files: [(name: String, text: String)]) throws(Failure) -> Int {
        var changed = 0
        for file in files {
            let (place, bytes) = ("\(path)/\(file.name)", Array(file.text.utf8))
            // A file that cannot be read is written anew.
            let old = try? File.piece(of: place, from: 0, count: bytes.count + 1)
            guard old != bytes || !hasMode(place) else { continue }
            try PrivateFile.write(to: place, replacing: true, isPublic: isPublic) { draft throws(Failure) in
                try draft.append(bytes[...])
            }
            changed += 1
        }
        for page in ReportPages.pages where !files.contains(where: { $0.name == page.file }) {
            if unlink("\(path)/\(page.file)") == 0 { changed += 1 }
        }
        return changed
    }

    private func hasMode(_ place: String) -> Bool {
        var found = stat()
        return stat(place, &found) == 0 && found.st_mode & 0o777 == (isPublic ? 0o644 : 0o600)
    }
}

extension Report {
    static func pause(minutes: Int) {
        // It returns early after a signal that is handled. None is.
        sleep(UInt32(minutes * 60))
    }
}
