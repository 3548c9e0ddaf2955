import DaybreakInterfaces
import Foundation
import Glibc
import Varlink

@testable import Companion
@testable import DaybreakCompanion

/// A daemon that the test plays, in the test's own thread. It sends replies only when the test asks for them, so that the
/// screen stands still while the test looks at it.
final class StagedDaemon {
    /// The state behind its replies.
    struct Stage {
        var status: Homework.Status
        var assignment: Homework.Assignment
        var flow = Sample.flow()
        var presence = Sample.provider
        var notes: [String] = []
        var preferences = Service.Preferences()
        /// True if the next step completes the flow.
        var isDone = false
    }

    var stage: Stage
    /// The methods of the calls, without their interface.
    private(set) var called: [String] = []
    let path: String
    private let folder: String
    private var listener: Int32 = -1
    private var peers: [Int32: FrameReader] = [:]
    private var watchers: [Int32] = []
    private var guided: [Int32] = []
    /// The connections that watch the notes.
    private var readers: [Int32] = []

    init(_ stage: Stage) {
        self.stage = stage
        var template = Array("/tmp/daybreak-stage-XXXXXX".utf8CString)
        folder = String(cString: mkdtemp(&template))
        path = folder + "/control"
        open()
    }

    deinit {
        die()
        rmdir(folder)
    }

    var descriptors: [Int32] { (listener >= 0 ? [listener] : []) + peers.keys }

    /// Starts listening, also again.
    func open() {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        precondition(bound == 0 && listen(listener, 8) == 0)
    }

    /// Ends as a killed daemon does.
    func die() {
        for descriptor in descriptors { close(descriptor) }
        (listener, peers, watchers, guided, readers) = (-1, [:], [], [], [])
        unlink(path)
    }

    /// Reads a call from one of its descriptors, and answers it.
    func serve(_ descriptor: Int32) {
        guard descriptor != listener else {
            let peer = accept(listener, nil, nil)
            _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
            peers[peer] = FrameReader(limit: 1 << 20)
            return
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return hangUp(descriptor) }
        bytes[..<count].withUnsafeBytes { try! peers[descriptor]?.append($0) }
        while let frame = peers[descriptor]?.next() { answer(try! Call(frame: frame), on: descriptor) }
    }

    /// Sends the status to its watchers.
    func tell() {
        let reply = Reply.frame(Homework.GetStatus.Reply(status: stage.status), continues: true)
        for watcher in watchers { send(reply, to: watcher) }
    }

    /// Sends the notes to their watchers.
    func tellNotes() {
        let reply = Reply.frame(Homework.Notes.Reply(notes: stage.notes.map(note)), continues: true)
        for reader in readers { send(reply, to: reader) }
    }

    /// Sends the exercise to the connection that it leads, and ends it with the last reply.
    func lead(isLast: Bool = false) {
        let reply = Reply.frame(Homework.Start.Reply(flow: stage.flow), continues: !isLast)
        for descriptor in guided { send(reply, to: descriptor) }
        if isLast { guided = [] }
    }

    private func hangUp(_ descriptor: Int32) {
        close(descriptor)
        peers[descriptor] = nil
        watchers.removeAll { $0 == descriptor }
        guided.removeAll { $0 == descriptor }
        readers.removeAll { $0 == descriptor }
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func answer(_ call: Call, on descriptor: Int32) {
        let method = String(call.method.split(separator: ".").last!)
        called.append(method)
        if method == "GetStatus", call.wantsMore { watchers.append(descriptor) }
        if method == "Notes", call.wantsMore { readers.append(descriptor) }
        if method == "Breathe" { guided.append(descriptor) }
        let reply: [UInt8] =
            switch method {
            case "GetPreferences":
                Reply.frame(Service.GetPreferences.Reply(preferences: stage.preferences))
            case "GetStatus": Reply.frame(Homework.GetStatus.Reply(status: stage.status), continues: call.wantsMore)
            case "Get": Reply.frame(Homework.Get.Reply(assignment: stage.assignment))
            case "Breathe": Reply.frame(Homework.Start.Reply(flow: stage.flow), continues: true)
            case "Presence": Reply.frame(stage.presence)
            case "Notes": Reply.frame(Homework.Notes.Reply(notes: stage.notes.map(note)), continues: call.wantsMore)
            case "AddNote": Reply.frame(Homework.AddNote.Reply(note: note(stage.notes.last ?? "")))
            case "Leave", "LogMood":
                Reply.frame(Homework.LogMood.Reply(flow: stage.isDone ? nil : stage.flow, assignment: stage.assignment))
            default: Reply.frame(Homework.Start.Reply(flow: stage.flow))
            }
        send(reply, to: descriptor)
        if method == "AddNote" { tellNotes() }
    }

    private func note(_ text: String) -> Homework.Note {
        Sample.decode(#"{"at":"2026-11-20T14:05:00+01:00","text":"\#(text)","assignment":"2026-11-20"}"#)
    }
}
