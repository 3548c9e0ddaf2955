import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time
import Varlink

/// A method about the daemon or the whole database. It is carried out between the transactions of the other calls, and also
/// where the storage is unavailable.
protocol Chore: Method {
    static var right: Right { get }

    func answer(at errand: Errand) throws -> Reply
}

/// What a chore is carried out with.
struct Errand {
    let keeper: Keeper
    let settings: PracticeSettings
    let now: Instant
    let house: House

    /// The instant as RFC 3339, in the practice's zone.
    func spelled(_ instant: Instant) -> String {
        DateTime(instant, offset: .seconds(settings.zone.offset(at: instant))).description
    }
}

/// What the loop knows of the daemon.
struct House: Equatable, Sendable {
    var since = Instant(microseconds: 0)
    var connections = 0
    var watchers = 0
}

extension Chore {
    static func frame(for call: Call, at errand: Errand) throws -> [UInt8] {
        Varlink.Reply.frame(try call.decode(Self.self).answer(at: errand))
    }
}
