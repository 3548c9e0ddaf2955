import Foundation
import Glibc
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport

import struct Files.FileError
import struct Files.StatusFile

@Suite(.hangGuard) struct StatusFileTests {
    private let folder = Folder()
    private var file: StatusFile { StatusFile(path: folder["status.json"]) }

    private func write(_ text: String) throws { try file.write(Array(text.utf8)) }

    @Test func `the file has the text, and mode 0600`() throws {
        try write("{}\n")
        #expect(text(of: folder["status.json"]) == "{}\n")
        #expect(mode(of: folder["status.json"]) == 0o600)
        #expect(try folder.names == ["status.json"])
    }

    @Test func `the mode of an earlier file is not kept`() throws {
        UnixTestSupport.write("old", to: folder["status.json"])
        try write("{}\n")
        #expect(mode(of: folder["status.json"]) == 0o600)
    }

    @Test(arguments: ["status.json", "status.json.new"]) func `the file is never written through a link`(
        name: String
    ) throws {
        UnixTestSupport.write("precious", to: folder["victim"])
        must(symlink(folder["victim"], folder[name]))
        try write("{}\n")
        #expect(text(of: folder["victim"]) == "precious")
        #expect(text(of: folder["status.json"]) == "{}\n")
        #expect(try folder.names == ["status.json", "victim"])
    }

    @Test func `a status that is not true any more does not stay where the new one cannot be written`() throws {
        try write("{}\n")
        must(mkdir(folder["status.json.new"], 0o700))
        #expect(throws: FileError.self) { try write("new") }
        #expect(try folder.names == ["status.json.new"])
        must(rmdir(folder["status.json.new"]))
        try write("new")
        #expect(text(of: folder["status.json"]) == "new")
    }

    @Test func `a folder that is a link, another user's or open to others is refused`() throws {
        must(mkdir(folder["elsewhere"], 0o700))
        must(symlink(folder["elsewhere"], folder["link"]))
        func refusal(_ name: String) -> String? {
            #expect(throws: FileError.self) {
                try StatusFile(path: folder["\(name)/status.json"]).write([])
            }?.description
        }
        #expect(refusal("link") == "Could not open the folder \(folder["link"]): Not a directory")
        let closed = "\(folder["elsewhere"]) must be a folder of this user's that nobody else may write in"
        must(chmod(folder["elsewhere"], 0o720))
        #expect(refusal("elsewhere") == closed)
        must(chmod(folder["elsewhere"], 0o700))
        guard geteuid() == 0 else { return }  // Only root can give a folder away.
        must(chown(folder["elsewhere"], 65_534, 65_534))
        #expect(refusal("elsewhere") == closed)
    }

    enum SwappedPath: String, CaseIterable {
        case folder = "own", file = "own/status.json", draft = "own/status.json.new"
    }

    /// Runs until the file was written, and the link was found, some hundreds of times each.
    @Test(arguments: SwappedPath.allCases) func `swapping the file for a link writes nothing elsewhere`(
        swapped: SwappedPath
    ) throws {
        for name in ["own", "victim"] { must(mkdir(folder[name], 0o700)) }
        for name in ["status.json", "status.json.new"] {
            UnixTestSupport.write("precious", to: folder["victim/\(name)"])
        }
        let victim = folder[swapped == .folder ? "victim" : "victim/status.json"]
        let (place, aside, done) = (folder[swapped.rawValue], folder["aside"], folder["done"])
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var isHard = false
            while !exists(done) {
                rename(place, aside)
                _ = isHard ? link(victim, place) : symlink(victim, place)
                isHard.toggle()
                sched_yield()
                unlink(place)
                rename(aside, place)
            }
            ended.signal()
        }
        let file = StatusFile(path: folder["own/status.json"])
        var (written, met) = (0, 0)
        while written < 200 || met < 200 {
            met += isLink(place) ? 1 : 0
            do { try file.write(Array("{}\n".utf8)) } catch { continue }
            written += 1
        }
        UnixTestSupport.write("", to: done)
        ended.wait()
        for name in ["status.json", "status.json.new"] { #expect(text(of: folder["victim/\(name)"]) == "precious") }
    }

    private func isLink(_ path: String) -> Bool {
        var seen = stat()
        return lstat(path, &seen) == 0 && seen.st_mode & S_IFMT == S_IFLNK
    }

    @Test func `the draft of a crash is replaced`() throws {
        UnixTestSupport.write("half", to: folder["status.json.new"])
        try write("{}\n")
        #expect(try folder.names == ["status.json"])
    }

    @Test func `a missing folder is an error`() {
        let file = StatusFile(path: folder["gone/status.json"])
        let error = #expect(throws: FileError.self) { try file.write([]) }
        #expect(error?.description == "Could not open the folder \(folder["gone"]): No such file or directory")
    }

    @Test func `a reader always finds one whole text`() async throws {
        let path = folder["status.json"]
        try write("0" + String(repeating: "0", count: 9_999) + "\n")
        async let seen = whatIsWrong(in: path)
        let last = isThorough ? 2_000 : 200
        for number in 1...last {
            let digit = "\(number % 10)"
            try write((number == last ? "!" : digit) + String(repeating: digit, count: 9_999) + "\n")
        }
        #expect(await seen == [])
    }
}

/// Reads until the last text is found. Returns every content that was not one whole text.
private func whatIsWrong(in path: String) async -> [String] {
    var wrong: [String] = []
    while true {
        guard let text = text(of: path) else { return wrong + ["nothing"] }
        let letters = Set(text.utf8.dropFirst())
        if text.utf8.count != 10_001 || letters.count != 2 { wrong.append(String(text.prefix(20))) }
        if text.hasPrefix("!") { return wrong }
    }
}
