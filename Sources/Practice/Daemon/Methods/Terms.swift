import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Practice.ListTerms: Handled {
    static let right = Right.seeTerms
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        Reply(terms: try context.store.terms(in: vocabulary.rawValue).map { Practice.Term($0) })
    }
}

extension Practice.AddTerm: Handled {
    static let right = Right.editTerms
    static let isAudited = true

    /// The most words of one vocabulary. People choose from all of them.
    static let limit = 1_000

    func answer(in context: CallContext) throws -> Reply {
        let checked = try context.form { faults in faults.check("word", word, Field.name) }
        let earlier = try context.store.term(checked, in: vocabulary.rawValue)
        let term = try earlier.map { try comeBack($0, in: context) } ?? add(checked, in: context)
        context.what = term.id.description
        return Reply(term: Practice.Term(term))
    }

    private func comeBack(_ term: PracticeStore.Term, in context: CallContext) throws -> PracticeStore.Term {
        guard !term.isOffered, let again = try context.store.offer(term.id, true) else {
            throw Practice.Invalid("word", "must be a new one: \(term.word) is there (\(term.id)).")
        }
        return again
    }

    private func add(_ word: String, in context: CallContext) throws -> PracticeStore.Term {
        guard try context.store.termCount(in: vocabulary.rawValue) < Self.limit else {
            throw Practice.Invalid(
                "word", "must wait: there are \(Self.limit) \(vocabulary.rawValue), and no more are kept.")
        }
        return try context.store.addTerm(word, in: vocabulary.rawValue)
    }
}

extension Practice.RetireTerm: Handled {
    static let right = Right.editTerms
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        guard let retired = try context.store.offer(ID(term), false) else {
            throw Practice.NotFound(kind: "term", id: term)
        }
        context.what = retired.id.description
        return Reply(term: Practice.Term(retired))
    }
}

extension Practice.Term {
    fileprivate init(_ term: PracticeStore.Term) {
        self.init(id: term.id.description, word: term.word, offered: term.isOffered)
    }
}
