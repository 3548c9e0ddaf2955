import DaybreakInterfaces
import Varlink

@testable import HomeworkDaemon

/// Bytes from a socket: cut into frames. Each is read as a call and as a reply, checked by our interfaces and decoded.
enum FrameFuzz {
    private static let service = Introspection(
        vendor: "", product: "", version: "", url: "", interfaces: Interfaces.all)

    private static let methods: [any (Varlink.Method & Sendable).Type] = [
        Homework.List.self, Homework.Get.self, Homework.GetStatus.self,
        Homework.Start.self, Homework.Breathe.self, Homework.Pause.self,
        Homework.Resume.self, Homework.Restart.self, Homework.Join.self,
        Homework.Leave.self, Homework.LogMood.self, Homework.Cancel.self,
        Homework.Snooze.self, Homework.Import.self, Homework.Reminders.self,
        Provider.SetPresence.self, Provider.Presence.self, Service.Reload.self,
        GetInfo.self, GetInterfaceDescription.self,
    ]

    static func run(_ bytes: [UInt8]) throws {
        let whole = frames(of: [bytes[...]])
        let cut = Int(bytes.first ?? 0) % (bytes.count + 1)
        try promise("frames do not depend on how they are cut", frames(of: [bytes[..<cut], bytes[cut...]]) == whole)
        for frame in whole {
            try hold(call: frame)
            try hold(reply: frame)
        }
    }

    private static func hold(reason: String) throws {
        try promise("\(reason) is fit for a log", isLine(reason) && reason.utf8.count < 300)
    }

    private static func frames(of parts: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var reader = FrameReader(limit: 1_024)
        var frames: [[UInt8]] = []
        for part in parts {
            // A frame over the limit is kept, and found when the frames before it have been taken.
            do { try part.withUnsafeBytes { try reader.append($0) } } catch {}
            while let frame = reader.next() { frames.append(frame) }
        }
        return frames
    }

    private static func hold(call frame: [UInt8]) throws {
        let call: Call
        do { call = try Call(frame: frame) } catch { return try hold(reason: error.reason) }
        let wrong = service.check(call)
        if let wrong { try hold(error: Reply.frame(error: wrong)) }
        if let answer = service.answer(call) { try hold(answer, to: call) }
        for method in methods where method.name == call.method {
            try hold(call, as: method, isRight: wrong == nil)
        }
    }

    /// A call that fits the interface also fits its Swift type, and is the same when it is encoded again.
    private static func hold<M: Varlink.Method>(_ call: Call, as method: M.Type, isRight: Bool) throws {
        guard isRight else { return _ = try? call.decode(method) }
        let decoded: M
        do { decoded = try call.decode(method) } catch { throw Broken(description: "checked, yet \(error)") }
        let frame = Call.frame(decoded)
        let again = try Call(frame: frame.dropLast())
        try promise("a call of ours passes the check", service.check(again) == nil)
        try promise("a call says the same again", try Call.frame(again.decode(method)) == frame)
    }

    private static func hold(_ answer: [UInt8], to call: Call) throws {
        let reply = try Reply(frame: answer.dropLast())
        guard reply.error == nil else { return try hold(error: answer) }
        try Interface.service.check(reply: reply.parameters, of: call.method)
    }

    private static func hold(error frame: [UInt8]) throws {
        try promise("one NUL, at the end", frame.firstIndex(of: 0) == frame.count - 1)
        let reply = try Reply(frame: frame.dropLast())
        try Interface.service.check(parameters: reply.parameters, ofError: reply.error ?? "")
    }

    private static func hold(reply frame: [UInt8]) throws {
        let reply: Reply
        do { reply = try Reply(frame: frame) } catch { return try hold(reason: error.reason) }
        for method in methods { try hold(reply, to: method) }
        let refusal = reply.decodeError(Homework.NotEligible.self)
        try promise(
            "it is the error only by its name", refusal == nil || reply.error == Homework.NotEligible.name)
    }

    private static func hold<M: Varlink.Method>(_ reply: Reply, to method: M.Type) throws {
        guard let decoded = try? reply.decode(M.Reply.self) else { return }
        let again = try Reply(frame: Reply.frame(decoded, continues: reply.continues).dropLast())
        try promise("a reply says the same again", try again.decode(M.Reply.self) == decoded)
    }
}
