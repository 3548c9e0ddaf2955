import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Programmes.ListProgrammes: Handled {
    static let right = Right.seeProgrammes
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        Reply(programmes: try context.store.programmes().map { Programmes.Programme($0) })
    }
}

extension Programmes.ImportProgramme: Handled {
    static let right = Right.editProgrammes
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let version: ProgrammeVersion
        do { version = try ProgrammeReader.read(files.map { ($0.path, $0.text) }) } catch {
            throw Programmes.InvalidProgramme(error)
        }
        let known = try context.store.programme(version.id)
        let newest = try known.flatMap { try context.store.version($0.revision, of: version.id) }
        let isOther = newest != version
        if known == nil, try context.store.programmes().count >= ProgrammeLimits.programmes {
            throw Practice.Invalid("files", "are too many: there are \(ProgrammeLimits.programmes) programmes already.")
        }
        context.isWithoutEffect = !isOther
        context.isDryRun = dryRun == true
        context.what = version.id
        var revision = (known?.revision ?? 0) + (isOther ? 1 : 0)
        if !context.isWithoutEffect {
            revision = try context.store.add(version, by: context.caller?.id, at: context.now)
        }
        return Reply(
            programme: Programmes.Programme(
                id: version.id, name: version.name, summary: version.summary, lessons: version.lessons.count,
                surveys: version.surveys.count, offered: known?.isOffered ?? true, revision: revision),
            changed: isOther)
    }
}

extension Programmes.InvalidProgramme {
    fileprivate init(_ faults: ProgrammeFaults) {
        let first = faults.list.first ?? ProgrammeFault(file: ProgrammeReader.documentName, line: nil, reason: "")
        self.init(
            file: first.file, line: first.line, reason: first.reason,
            faults: faults.list.map { .init(file: $0.file, line: $0.line, reason: $0.reason) })
    }
}

extension Programmes.Offer: Handled {
    static let right = Right.editProgrammes
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let known = try context.store.programme(programme) else {
            throw Practice.NotFound(kind: "programme", id: programme)
        }
        context.what = known.id
        if known.isOffered != offered { try context.store.offer(known.id, offered) }
        guard let now = try context.store.programme(known.id) else {
            preconditionFailure("a programme is never removed")
        }
        return Reply(programme: Programmes.Programme(now))
    }
}

extension Programmes.Programme {
    init(_ programme: OfferedProgramme) {
        self.init(
            id: programme.id, name: programme.name, summary: programme.summary, lessons: programme.lessons,
            surveys: programme.surveys, offered: programme.isOffered, revision: programme.revision)
    }
}
