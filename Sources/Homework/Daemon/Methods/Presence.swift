import DaybreakInterfaces
import HomeworkRules
import Time
import Varlink
import VarlinkService

extension Provider.SetPresence: Handled {
    static let right = Rights.tellPresence

    func job(in context: CallContext) throws -> Job {
        let length = forSeconds.map { Duration.seconds($0) } ?? context.configuration.provider.holdFor
        guard length >= .seconds(1), length <= Presence.longest else {
            throw InvalidParameter(parameter: "forSeconds")
        }
        let name: String?
        do { name = try self.name.flatMap(Presence.checked) } catch { throw InvalidParameter(parameter: "name") }
        return context.command(.setPresence(online: online, name: name, lasts: length)) { _ in Nothing() }
    }
}

extension Provider.Presence: Handled {
    static let right = Rights.read
    var topic: Watchers.Topic? { .presence }

    func job(in context: CallContext) -> Job { context.look { $0.presence } }
}
