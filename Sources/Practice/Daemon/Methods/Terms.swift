import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Practice.ListTerms: Handled {
    static let right = Right.seeTerms
    static let onlyReads = true

    func answer(at desk: Desk) throws -> Reply {
        Reply(terms: try desk.store.terms(in: vocabulary.rawValue).map { Practice.Term($0) })
    }
}

extension Practice.AddTerm: Handled {
    static let right = Right.editTerms
    static let isAudited = true

    /// Of one vocabulary: a person chooses from them.
    static let limit = 1_000

    func answer(at desk: Desk) throws -> Reply {
        let checked = try desk.form { faults in faults.check("word", word, Field.name) }
        let earlier = try desk.store.term(checked, in: vocabulary.rawValue)
        let term = try earlier.map { try comeBack($0, at: desk) } ?? add(checked, at: desk)
        desk.what = term.id.description
        return Reply(term: Practice.Term(term))
    }

    private func comeBack(_ term: PracticeStore.Term, at desk: Desk) throws -> PracticeStore.Term {
        guard !term.isOffered, let again = try desk.store.offer(term.id, true) else {
            throw Practice.Invalid("word", "must be a new one: \(term.word) is there (\(term.id)).")
        }
        return again
    }

    private func add(_ word: String, at desk: Desk) throws -> PracticeStore.Term {
        guard try desk.store.termCount(in: vocabulary.rawValue) < Self.limit else {
            throw Practice.Invalid(
                "word", "must wait: there are \(Self.limit) \(vocabulary.rawValue), and no more are kept.")
        }
        return try desk.store.addTerm(word, in: vocabulary.rawValue)
    }
}

extension Practice.RetireTerm: Handled {
    static let right = Right.editTerms
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        guard let retired = try desk.store.offer(ID(term), false) else {
            throw Practice.NotFound(kind: "term", id: term)
        }
        desk.what = retired.id.description
        return Reply(term: Practice.Term(retired))
    }
}

extension Practice.Term {
    fileprivate init(_ term: PracticeStore.Term) {
        self.init(id: term.id.description, word: term.word, offered: term.isOffered)
    }
}
