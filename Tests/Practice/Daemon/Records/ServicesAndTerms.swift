import PracticeInterfaces

extension Clinic {
    /// The identifiers of a service, a motive and a tool.
    struct ServicesAndTerms {
        let talk: String
        let loss: String
        let letter: String
    }

    /// A service, a motive and a tool.
    func offers() throws -> ServicesAndTerms {
        ServicesAndTerms(
            talk: try service("Talk"), loss: try term("motives", "Loss of a parent"),
            letter: try term("tools", "Letter"))
    }

    func service(_ name: String, isOffered: Bool = true) throws -> String {
        let id = try root.call(Practice.AddService(category: "Grief", name: name, description: "")).service.id
        if !isOffered { try root.call(Practice.EditService(service: id, revision: 1, offered: false)) }
        return id
    }

    func term(_ vocabulary: String, _ word: String, isOffered: Bool = true) throws -> String {
        let call = Practice.AddTerm(vocabulary: vocabulary == "motives" ? .motives : .tools, word: word)
        let id = try root.call(call).term.id
        if !isOffered { try root.call(Practice.RetireTerm(term: id)) }
        return id
    }
}
