import Foundation
import Glibc
import JSON
import PracticeInterfaces
import PracticeStore
import TestSupport
import Testing
import TestingSupport
import UnixTestSupport
import Varlink

@testable import PracticeDaemon

/// Clients who answer surveys while practiced is killed, each over a connection of their own.
private final class Answering {
    let folder = UnixTestSupport.Folder()
    private let people: [String]
    /// The surveys of each client that are not answered yet.
    private var open: [[String]] = []
    /// Each client's calls without an answer, in order.
    private var unanswered: [[Programmes.Answer]]
    private(set) var acknowledged: Set<String> = []
    private(set) var kept = 0
    private(set) var faults: [String] = []

    private static let clients = 3

    init() throws {
        let clinic = try Clinic.longAgo()
        let ana = try clinic.staff("Ana", .thanatologist)
        people = try [ana] + (0..<Self.clients).map { try clinic.client("Client \($0)", of: ana) }
        for number in 0..<5 { try clinic.root.call(Programmes.ImportProgramme(files: Self.programme(number))) }
        unanswered = (0..<Self.clients).map { _ in [] }
        try clinic.move(to: folder)
    }

    /// Twenty surveys, each open for a year from the first day on.
    private static func programme(_ number: Int) -> [Programmes.ImportProgramme.Files] {
        let names = (0..<20).map { "s\($0).json" }
        let surveys = names.map { "[[survey]]\nfile = \"\($0)\"\nopen_days = 366\n" }
        return [.init(path: "programme.toml", text: "id = \"p\(number)\"\nname = \"P\"\n\(surveys.joined())")]
            + names.map { .init(path: $0, text: SampleProgramme.survey) }
    }

    /// Enrols everybody in every programme.
    func begin(_ daemon: PracticeProcess) throws {
        let ana = Voice(folder["control"], people[0])
        for person in people.dropFirst() {
            for number in 0..<5 { _ = try ana.ask(Programmes.Enrol(client: person, programme: "p\(number)")) }
            open.append(try ana.ask(Programmes.ListSurveys(client: person)).surveys.map(\.id))
        }
        daemon.end(SIGTERM)
    }

    /// Lets the clients answer until so many answers are acknowledged, or the daemon has ended; with `last`, until nothing waits.
    func go(_ daemon: PracticeProcess, until enough: Int, last: Bool = false) {
        let voices = people.dropFirst().map { Voice(folder["control"], $0) }
        var (waiting, count) = (unanswered, 0)
        unanswered = voices.map { _ in [] }
        for place in voices.indices {
            for call in waiting[place] { voices[place].client.send(bytes: Call.frame(call)) }
        }
        func hear() {
            for (place, voice) in voices.enumerated() {
                while let reply = voice.reply() {
                    count += 1
                    note(waiting[place].removeFirst(), reply)
                }
            }
        }
        while last ? waiting.contains(where: { !$0.isEmpty }) : count < enough {
            for place in voices.indices where !last {
                while waiting[place].count < 4, let survey = open[place].popLast() {
                    // Kept first, and finished then, once for its key.
                    for isFinish in [false, true] {
                        let call = Programmes.Answer(
                            survey: survey, answers: SampleProgramme.answers(SampleProgramme.good), finish: isFinish,
                            key: isFinish ? "k\(survey)" : nil)
                        waiting[place].append(call)
                        voices[place].client.send(bytes: Call.frame(call))
                    }
                }
            }
            guard waiting.contains(where: { !$0.isEmpty }) else { break }
            let wake = Voice.wait(for: voices, or: daemon)
            if wake == .nothing { faults.append("nothing came for 30 seconds") }
            guard wake != .nothing else { break }
            hear()
            if wake == .end { break }
        }
        if !last { daemon.end(SIGKILL) }
        // Replies that had left the daemon by its end count, too.
        hear()
        // Keeping again what was finished by an answer that was lost is refused, and is no loss.
        unanswered = waiting.map { $0.filter(\.finish) }
    }

    private func note(_ call: Programmes.Answer, _ reply: Reply) {
        guard let survey = try? reply.decode(Programmes.Answer.Reply.self).survey else {
            return faults.append("\(call.survey) \(call.finish): \(reply.error ?? "")")
        }
        guard call.finish else { return kept += 1 }
        if survey.state != .answered || !acknowledged.insert(call.survey).inserted {
            faults.append("\(call.survey): \(survey.state.rawValue)")
        }
    }

    /// The answered surveys that are stored.
    func stored() throws -> Set<String> {
        let store = try Store(folder["state"] + "/practice.db")
        defer { try? store.close() }  // The test is over.
        return Set(
            try people.dropFirst().flatMap { person in
                try store.filedSurveys(of: ID(person), withKept: false).filter(\.isFinished)
                    .map { $0.survey.id.description }
            })
    }
}

@Suite(.ofFile, .hangGuard) struct SurveyKillTests {
    @Test func `a daemon killed while surveys are answered keeps each acknowledged answer, and each once`() throws {
        let kills = isThorough ? 60 : 8
        let seed = testSeed
        var dice = SplitMix64(seed: seed)
        let answering = try Answering()
        let listening = try PracticeProcess.listeningSocket(answering.folder["control"])
        defer { close(listening) }
        func daemon() throws -> PracticeProcess {
            try PracticeProcess(in: answering.folder, listening: listening, ["--demo"])
        }
        try answering.begin(try daemon())
        for _ in 0..<kills { answering.go(try daemon(), until: .random(in: 1...40, using: &dice)) }
        let last = try daemon()
        answering.go(last, until: 1, last: true)
        #expect(last.end(SIGTERM) == 0)
        #expect(answering.faults == [])
        #expect(try answering.stored() == answering.acknowledged)
        #expect(!answering.acknowledged.isEmpty)
        print("kills \(kills), answered \(answering.acknowledged.count), kept \(answering.kept) (seed \(seed))")
    }
}
