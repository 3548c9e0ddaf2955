import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Service.GetPreferences: Handled {
    static let right = Rights.read
    var topic: Watchers.Topic? { .preferences }

    func job(at desk: Desk) -> Job { desk.look(needsHistory: false) { $0.preferences } }
}

extension Service.Diagnose: Handled {
    static let right = Rights.read
    static let takesLong = true

    func job(at desk: Desk) -> Job {
        let diagnose = desk.diagnose
        return desk.look(needsHistory: false) { _ in diagnose() }
    }
}

extension Service.Reload: Handled {
    static let right = Rights.maintain
    func job(at desk: Desk) -> Job { desk.reload() }
}

extension Service.Backup: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) -> Job { desk.maintain(.backup) }
}

extension Service.Export: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) -> Job { desk.maintain(.export) }
}

extension Service.GetStorage: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) -> Job { desk.maintain(.storageFolder) }
}

extension Service.Restore: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) -> Job { desk.maintain(.restore(file)) }
}

extension Service.Erase: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) throws -> Job { desk.maintain(.erase(try desk.assignment(assignment))) }
}

extension Service.EraseEverything: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(at desk: Desk) -> Job { desk.maintain(.erase(nil)) }
}
