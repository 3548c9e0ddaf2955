import HomeworkRules
import Testing
import UnixTestSupport

@testable import HomeworkDaemon

/// A hostile client has nothing recorded. The service's own `AttackTests` count its descriptors and its memory.
@Suite struct AttackTests {
    @Test(arguments: Attack.all)
    fileprivate func `an attack leaves the record as it was, and the next client is served`(attack: Attack) throws {
        let station = try Station()
        let recorded = try station.machine.recorded
        try attack.run(against: station)
        #expect(try station.ask(call("Provider.Presence")) == #"{"parameters":{"online":false}}"#)
        try station.settle()
        #expect(try station.machine.recorded == recorded)
    }
}

private struct Attack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var clients = 1
    /// Whether the client disconnects as soon as the bytes are sent.
    var leaves = false

    init(_ name: String, clients: Int = 1, _ text: String, leaves: Bool = false) {
        testDescription = name
        bytes = Array(text.utf8)
        self.clients = clients
        self.leaves = leaves
    }

    /// All clients are gone afterwards, and the daemon has dealt with that.
    func run(against station: Station) throws {
        do {
            let crowd = (1...clients).map { _ in station.client() }
            for client in crowd {
                try station.send(bytes: bytes[...], over: client)
                if leaves { client.leave() }
            }
            try station.settle()
            withExtendedLifetime(crowd) {}
        }
        try station.settle()
    }

    private static let online = call("Provider.SetPresence", #"{"online":true}"#)

    /// The provider is available for that many seconds, if they are a number.
    private static func hold(for seconds: String) -> String {
        call("Provider.SetPresence", "{\"online\":true,\"forSeconds\":\(seconds)}") + "\0"
    }

    static let all = numbers + spellings + crowds

    private static let numbers = ["1e400", "-0", "-1", "9223372036854775808", "0.5", "\"60\"", "[60]", "true"]
        .map { Attack("for \($0) seconds", hold(for: $0)) }

    private static let spellings = [
        Attack("a key twice", call("Provider.SetPresence", #"{"online":true,"online":true}"#) + "\0"),
        Attack("a key too many", call("Provider.SetPresence", #"{"online":true,"at":"home"}"#) + "\0"),
        Attack("no key", call("Provider.SetPresence", "{}") + "\0"),
        Attack("a control character", call("Provider.SetPresence", #"{"online":true,"name":"\u001b[2J"}"#) + "\0"),
        Attack("a call in another method's name", call("Provider.SetPresencE", #"{"online":true}"#) + "\0"),
        Attack("more and oneway", String(online.dropLast()) + #","more":true,"oneway":true}"# + "\0"),
        Attack("an upgrade", String(online.dropLast()) + #","upgrade":true}"# + "\0"),
        Attack("text after the call", online + " {}\0"),
        Attack("half a call", String(online.dropLast(3)), leaves: true),
        Attack("a call without its end", online, leaves: true),
        Attack("a deep nest", call("Homework.Get", "{\"assignment\":" + String(repeating: "[", count: 60_000)) + "\0"),
        Attack(
            "a call too long",
            call("Homework.AddNote", "{\"text\":\"\(String(repeating: "x", count: 64 * 1_024))\"}") + "\0"),
        Attack("a note too long", call("Homework.AddNote", "{\"text\":\"\(String(repeating: "x", count: 5_000))\"}\0")),
        Attack(
            "a schedule too long",
            call("Homework.Import", "{\"schedule\":\"\(String(repeating: " ", count: 32 * 1_024 * 1_024))\"}") + "\0"),
    ]

    private static let crowds = [
        Attack(
            "calls that want no reply", String(repeating: call("Homework.Pause", oneway: true) + "\0", count: 5_000)),
        Attack(
            "watchers who go on asking", clients: 50,
            String(repeating: call("Homework.GetStatus", more: true) + "\0", count: 20)),
        Attack("gone at once", clients: 50, call("Homework.GetStatus") + "\0", leaves: true),
        Attack("long calls, and gone", String(repeating: call("Homework.List") + "\0", count: 800), leaves: true),
    ]
}
