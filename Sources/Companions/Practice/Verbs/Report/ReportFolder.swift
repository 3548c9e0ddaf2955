import Companion
import Files
import Glibc

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
