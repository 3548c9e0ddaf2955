import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Service.GetPreferences: Handled {
    static let right = Rights.read
    var topic: Watchers.Topic? { .preferences }

    func ask(at desk: Desk) -> Ask { desk.look(needsHistory: false) { $0.preferences } }
}

extension Service.Diagnose: Handled {
    static let right = Rights.read
    static let takesLong = true

    func ask(at desk: Desk) -> Ask {
        let diagnose = desk.diagnose
        return desk.look(needsHistory: false) { _ in diagnose() }
    }
}

extension Service.Reload: Handled {
    static let right = Rights.maintain
    func ask(at desk: Desk) -> Ask { desk.reload() }
}

extension Service.Backup: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) -> Ask { desk.keep(.backup) }
}

extension Service.Export: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) -> Ask { desk.keep(.export) }
}

extension Service.GetStorage: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) -> Ask { desk.keep(.tell) }
}

extension Service.Restore: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) -> Ask { desk.keep(.restore(file)) }
}

extension Service.Erase: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) throws -> Ask { desk.keep(.erase(try desk.assignment(assignment))) }
}

extension Service.EraseEverything: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func ask(at desk: Desk) -> Ask { desk.keep(.erase(nil)) }
}
