import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Homework.AddNote: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        guard assignment == nil || nextSession != true else { throw InvalidParameter(parameter: "nextSession") }
        let note: Note
        do { note = try Note(typed: text) } catch { throw Homework.CannotAddNote(reason: error.sentence) }
        let place: NotePlace
        if let assignment {
            place = .assignment(try context.assignment(assignment))
        } else {
            place = nextSession == true ? .nextSession : .here
        }
        return context.command(.addNote(note, place)) { try $0.written() }
    }
}

extension Homework.Notes: Handled {
    static let right = Rights.read
    static let takesLong = true
    var topic: Watchers.Topic? { .notes(assignment.flatMap { AssignmentID($0) }) }

    func job(in context: CallContext) throws -> Job {
        let id = try assignment.map(context.assignment)
        return context.look { try $0.notes(of: id) }
    }
}
