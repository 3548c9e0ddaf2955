import Companion
import PracticeInterfaces
public import Varlink

/// Sentences for the refusals of letters and broadcasts: the fault, and the next step.
public enum MessageRefusal {
    /// Nil for an error that no letter has.
    /// - Parameter companion: the program's own name.
    public static func sentence(_ reply: Reply, companion: String) -> String? {
        if let error = reply.decodeError(Mail.MayNotWrite.self) { return mayNotWrite(error.person) }
        if reply.decodeError(Mail.NoRecipients.self) != nil {
            return "The letter is to nobody: name somebody to whom it is."
        }
        if let error = reply.decodeError(Mail.FolderStays.self) {
            return "Everybody has the folder “\(error.folder.shown)”, so it stays as it is."
        }
        if reply.decodeError(Mail.NotDismissable.self) != nil {
            return "The practice keeps this announcement on show until it ends."
        }
        if let error = reply.decodeError(Chat.MayNotWrite.self) { return mayNotWrite(error.person) }
        if let error = reply.decodeError(Chat.NotAMember.self) {
            return "You are not in this room: `\(companion) chat join \(error.room.shown)` takes you in, if it is open."
        }
        if reply.decodeError(Chat.DirectRoom.self) != nil {
            return "A room of two people stays as it is; `\(companion) chat mute` makes it silent."
        }
        if let error = reply.decodeError(Chat.TooMany.self) {
            return error.what == "members"
                ? "A room has at most \(error.limit) members."
                : "Nobody keeps more than \(error.limit) rooms of their own."
        }
        if let error = reply.decodeError(Practice.NotFound.self) {
            let name =
                switch error.kind {
                case "message": MessageName.shown(error.id)
                case "broadcast": error.id.shown
                default: LetterName.shown(error.id)
                }
            return notFound(error.kind, name, companion)
        }
        // A client has no table of rights to look at.
        if companion == "daybreak", reply.decodeError(Practice.NotAllowed.self) != nil {
            return "You may not do this: it is for those who work at the practice."
        }
        return nil
    }

    /// The refusal of a recipient or a room, with the name that the writer knows; nil for another one.
    /// - Parameter names: by identifier.
    static func refusal(_ reply: Reply, names: [String: String], companion: String) -> Failure? {
        if let error = reply.decodeError(Mail.MayNotWrite.self), let name = names[error.person] {
            return Failure(refused: error, saying: mayNotWrite(name.singleLine))
        }
        if let error = reply.decodeError(Chat.MayNotWrite.self), let name = names[error.person] {
            return Failure(refused: error, saying: mayNotWrite(name.singleLine))
        }
        if let error = reply.decodeError(Practice.NotFound.self), let name = names[error.id],
            let sentence = notFound(error.kind, name.shown.singleLine, companion)
        {
            return Failure(refused: error, saying: sentence)
        }
        return nil
    }

    static func mayNotWrite(_ person: String) -> String {
        "You cannot write to \(person.shown). Clients write to their therapist and the practice's support, while the record is "
            + "open; those who work here write to each other and to their clients."
    }

    private static func notFound(_ kind: String, _ name: String, _ companion: String) -> String? {
        let lists = [
            "letter": "`\(companion) mail` lists them.", "draft": "`\(companion) mail drafts` lists them.",
            "folder": "`\(companion) mail folders` lists them.",
            "room": "`\(companion) chat` lists them.", "message": "It may be gone with its room.",
        ]
        if kind == "broadcast" {
            return "There is no announcement “\(name)” (any more). `\(companion) announcements` lists them."
        }
        return lists[kind].map { "There is no \(kind) “\(name)” of yours (any more). \($0)" }
    }
}
