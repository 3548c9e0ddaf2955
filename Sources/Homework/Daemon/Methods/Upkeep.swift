import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Service.GetPreferences: Handled {
    static let right = Rights.read
    var topic: Watchers.Topic? { .preferences }

    func job(in context: CallContext) -> Job { context.look(needsHistory: false) { $0.preferences } }
}

extension Service.Diagnose: Handled {
    static let right = Rights.read
    static let takesLong = true

    func job(in context: CallContext) -> Job { context.diagnose() }
}

extension Service.Reload: Handled {
    static let right = Rights.maintain
    func job(in context: CallContext) -> Job { context.reload() }
}

extension Service.Backup: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) -> Job { context.maintain(.backup) }
}

extension Service.Export: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) -> Job { context.maintain(.export) }
}

extension Service.GetStorage: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) -> Job { context.maintain(.storageFolder) }
}

extension Service.Restore: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) -> Job { context.maintain(.restore(file)) }
}

extension Service.Erase: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) throws -> Job {
        context.maintain(.erase(try assignment.map { .task(try context.assignment($0)) } ?? .talkingPoints))
    }
}

extension Service.EraseEverything: Handled {
    static let right = Rights.maintain
    static let takesLong = true
    func job(in context: CallContext) -> Job { context.maintain(.erase(.everything)) }
}
