import Foundation
import Glibc
import PracticeInterfaces
import PracticeStore
import TestSupport
import Testing
import TestingSupport
import Time
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// People who talk in two rooms while practiced is killed, each over a connection of their own, and somebody who listens.
private final class Talk {
    let folder = UnixTestSupport.Folder()
    let rooms: [String]
    private let people: [String]
    private var number = 0
    /// The acknowledged messages: their texts by their identifiers.
    private(set) var acknowledged: [String: String] = [:]
    private(set) var faults: [String] = []
    /// Each writer's calls without an answer, in order.
    private var unanswered: [[Chat.Send]]
    /// The messages that the listener heard, as identifier and text.
    private(set) var heard: [String] = []
    private var cursor = "0"
    private(set) var listens = 0

    init() throws {
        let clinic = try Clinic.longAgo()
        let chat = try ChatClinic(clinic)
        people = [chat.ana, chat.ben, chat.sofia]
        rooms = try ["One", "Two"].map { try chat.room(chat.ana, $0, chat.ben, chat.sofia) }
        unanswered = people.map { _ in [] }
        try clinic.move(to: folder)
    }

    /// Lets people talk until so many messages are acknowledged, or the daemon has ended; with `last`, until the listener has
    /// heard everything.
    func go(_ daemon: PracticeProcess, until enough: Int, last: Bool = false) {
        let writers = people.map { Voice(folder["control"], $0) }
        var (waiting, count) = (writers.map { _ in [Chat.Send]() }, 0)
        var listener = listen()
        func send(_ call: Chat.Send, _ place: Int) {
            waiting[place].append(call)
            writers[place].client.send(bytes: Call.frame(call))
        }
        for place in writers.indices { for call in unanswered[place] { send(call, place) } }
        unanswered = writers.map { _ in [] }
        func hear() {
            for (place, writer) in writers.enumerated() {
                while let reply = writer.reply() {
                    count += 1
                    note(waiting[place].removeFirst(), reply)
                }
            }
            while let reply = listener.reply() {
                guard let happening = try? reply.decode(Chat.Listen.Reply.self).happening else { continue }
                cursor = happening.cursor
                if let message = happening.message { heard.append("\(message.room) \(message.id) \(message.text)") }
                if !reply.continues { listener = listen() }
            }
        }
        while count < enough || last && (heard.count < acknowledged.count || waiting.contains { !$0.isEmpty }) {
            for place in writers.indices where count < enough {
                while waiting[place].count < 4 {
                    number += 1
                    send(Chat.Send(room: rooms[number % 2], text: "\(place) \(number)", key: "k\(number)"), place)
                }
            }
            let wake = Voice.wait(for: writers + [listener], or: daemon)
            if wake == .nothing { faults.append("nothing came for 30 seconds") }
            guard wake != .nothing else { break }
            hear()
            if wake == .end { break }
        }
        if !last { daemon.end(SIGKILL) }
        // Replies that had left the daemon by its end count, too.
        hear()
        unanswered = waiting
    }

    private func listen() -> Voice {
        listens += 1
        let voice = Voice(folder["control"], people[1])
        voice.client.send(bytes: Call.frame(Chat.Listen(since: cursor), more: true))
        return voice
    }

    private func note(_ call: Chat.Send, _ reply: Reply) {
        guard let message = try? reply.decode(Chat.Send.Reply.self).message else {
            faults.append("\(call.text): \(reply.error ?? "")")
            return
        }
        let before = acknowledged.updateValue(call.text, forKey: message.id)
        if message.text != call.text || before != nil { faults.append("\(message.id): \(call.text), \(message.text)") }
    }

    /// The messages that are kept, by room, as the listener hears them.
    func kept() throws -> [String] {
        let store = try Store(folder["state"] + "/practice.db")
        defer { try? store.close() }
        return try rooms.flatMap { room in
            let place = try #require(store.room(ID(room), for: ID(people[1]))?.membership)
            return try store.messages(in: place, before: .max, limit: .max).reversed().map {
                "\(room) \($0.id) \($0.text)"
            }
        }
    }
}

@Suite(.ofFile, .hangGuard) struct ChatKillTests {
    @Test func `a daemon killed while people talk loses, doubles and reorders no message, nor does a listener`() throws
    {
        let kills = isThorough ? 200 : 15
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        let talk = try Talk()
        let listening = try PracticeProcess.listeningSocket(talk.folder["control"])
        defer { close(listening) }
        for _ in 0..<kills {
            talk.go(
                try PracticeProcess(in: talk.folder, listening: listening, ["--demo"]),
                until: .random(in: 1...150, using: &dice))
        }
        let daemon = try PracticeProcess(in: talk.folder, listening: listening, ["--demo"])
        talk.go(daemon, until: 1, last: true)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(talk.faults == [])
        let kept = try talk.kept()
        // Each once, and no other.
        let acknowledged = Dictionary(uniqueKeysWithValues: talk.acknowledged.map { ($0.key, $0.value) })
        #expect(kept.count == acknowledged.count)
        for message in kept {
            let words = message.split(separator: " ", maxSplits: 2).map(String.init)
            #expect(acknowledged[words[1]] == words[2], "\(message)")
        }
        for room in talk.rooms {
            let said = kept.filter { $0.hasPrefix("\(room) ") }
            #expect(talk.heard.filter { $0.hasPrefix("\(room) ") } == said, "\(room)")
            // Each writer's messages are in the order in which they were sent.
            for writer in 0..<3 {
                var numbers: [Int] = []
                for words in said.map({ $0.split(separator: " ") }) where words[2] == "\(writer)" {
                    numbers.append(Int(words[3]) ?? 0)
                }
                #expect(numbers == numbers.sorted() && !numbers.isEmpty, "\(room), writer \(writer)")
            }
        }
        print("kills \(kills), messages \(kept.count), listened \(talk.listens) times (seed \(seed))")
    }
}
