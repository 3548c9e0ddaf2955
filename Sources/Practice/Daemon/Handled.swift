import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Varlink

/// A method of the practice's interfaces, with its handler.
///
/// The handlers are in `Methods`. A method that an interface declares and that has no handler answers MethodNotImplemented,
/// and `RoutesTests` fails.
protocol Handled: Method {
    /// The right that a caller needs. A right over records holds for the records in the caller's reach.
    static var right: Right { get }
    /// True if the call only reads and has no entry in the audit. The reading thread carries it out over a connection that
    /// cannot write, so it never waits for a commit.
    static var onlyReads: Bool { get }
    /// True if the audit has an entry for the call even when the call concerns no client.
    static var isAudited: Bool { get }
    /// True if the call changes copies of the database as well. It waits for the copy that is being made.
    static var isOfWhole: Bool { get }
    /// True if the call may hold the others for much longer than most calls do. One of each caller is carried out at a time.
    static var takesLong: Bool { get }
    /// The message that the journal gets after the call; nil for none.
    static var message: PracticeMessage? { get }

    /// The reply. Throws a refusal: an error of the interface or of Varlink.
    func answer(in context: CallContext) throws -> Reply
}

extension Handled {
    static var onlyReads: Bool { false }
    static var isAudited: Bool { false }
    static var isOfWhole: Bool { false }
    static var takesLong: Bool { false }
    static var message: PracticeMessage? { nil }

    fileprivate static func frame(for call: Call, in context: CallContext) throws -> [UInt8] {
        try context.demand(right)
        var reply: Reply?
        var refusal: (any ErrorReply)?
        do { reply = try call.decode(Self.self).answer(in: context) } catch let error as RefusalThatStays {
            refusal = error.refusal
        }
        let noClient: [ID<Person>?] = isAudited ? [nil] : []
        let what =
            context.isDryRun ? [context.what, "dry run"].compactMap(\.self).joined(separator: ", ") : context.what
        // The first answer is in the audit already.
        for client in context.isAgain ? [] : context.concerned.isEmpty ? noClient : context.concerned {
            try context.store.addAudit(
                at: context.now, context.doer, did: context.deed, client: client, what: what,
                through: context.through)
        }
        if let refusal { return Varlink.Reply.frame(error: refusal) }
        if let message, !context.isWithoutEffect {
            context.journalLines.append(
                JournalLine(kind: message, what: context.concerned.first?.description ?? context.what))
        }
        guard let reply else { preconditionFailure("a call is answered or refused") }
        let continues = context.watchFrom != nil || context.liveQuery != nil || context.listening != nil
        return Varlink.Reply.frame(reply, continues: continues)
    }
}

/// A refusal that keeps the changes of its call. Every other refusal rolls them back.
struct RefusalThatStays: Error {
    let refusal: any ErrorReply

    init(_ refusal: any ErrorReply) { self.refusal = refusal }
}

/// Finds the handlers of the methods that the interfaces declare.
enum Routes {
    private static let methods: [String: any Method.Type] = Dictionary(
        uniqueKeysWithValues: PracticeCatalog.methods.map { ($0.name, $0) })

    static func handler(of method: String) -> (any Handled.Type)? { methods[method] as? any Handled.Type }

    /// True if the loop answers the method from memory.
    static func isFromMemory(_ method: String) -> Bool { method == Gate.AuthorizedKeys.name }

    static func maintenanceMethod(_ method: String) -> (any MaintenanceMethod.Type)? {
        methods[method] as? any MaintenanceMethod.Type
    }

    /// The encoded reply, with its NUL.
    static func frame(for call: Call, in context: CallContext) throws -> [UInt8] {
        guard let handler = handler(of: call.method) else { throw MethodNotImplemented(method: call.method) }
        return try handler.frame(for: call, in: context)
    }
}
