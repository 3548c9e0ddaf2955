import PracticeInterfaces
import PracticeRules
import PracticeStore
import StaffInterfaces
import Time

extension Practice.ListStaff: Handled {
    static let right = Right.seeStaff
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        var filter = Store.StaffFilter()
        filter.alsoInactive = inactive ?? false
        let request = try context.form { faults in
            if let role { filter.role = faults.check("role", role, Role.staff) }
            filter.query = faults.check("query", query ?? "", Field.query) ?? ""
            return context.page(after, limit, &faults)
        }
        let (page, total) = try context.store.staff(filter, request)
        let people = page.items.map { Practice.Person($0, .whole, section: context.store.section(of: $0)) }
        return Reply(people: people, total: total, next: page.next?.description)
    }
}

extension Practice.GetPerson: Handled {
    static let right = Right.seeColleagues
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let asked = ID<Person>(person)
        let (found, caller) = (try context.store.person(asked), context.caller?.id)
        // Both queries always run, so that the time of the answer does not tell whether the person exists.
        let theirs = try context.store.thanatologist(of: asked)
        let mine = try caller.flatMap { try context.store.thanatologist(of: $0) }
        let isTheirs = caller != nil && theirs == caller || mine == asked
        guard let found,
            let sight = Visibility(of: found.role, by: context.role, isSelf: asked == caller, isTheirs: isTheirs)
        else { throw Practice.NotFound(kind: "person", id: person) }
        return Reply(person: Practice.Person(found, sight))
    }
}

extension Practice.AddStaff: Handled {
    static let right = Right.editStaff
    static let message: PracticeMessage? = .staffAdded
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let added = try context.once(key) {
            let form = try context.form { faults in
                try StaffForm(
                    name: name, role: role, account: account, email: email, phone: phone, in: context, &faults)
            }
            return try context.store.addPerson(
                role: form.role, name: form.name, account: form.account, email: form.email, phone: form.phone,
                since: context.today
            ).id
        }
        context.what = added.description
        guard let person = try context.store.person(added) else {
            throw Practice.NotFound(kind: "person", id: "\(added)")
        }
        return Reply(person: Practice.Person(person, .whole))
    }
}

extension Practice.EditStaff: Handled {
    static let right = Right.editStaff
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let person = try context.staff(person, revision)
        guard person.isActive else {
            throw Practice.Invalid("person", "has left the practice: nothing of theirs is changed any more.")
        }
        let form = try context.form { faults in
            let form = try StaffForm(
                name: name ?? person.name, role: role ?? person.role.rawValue, account: account, email: email,
                phone: phone, of: person, in: context, &faults)
            if let form { try context.check(role: form.role, of: person, &faults) }
            return form
        }
        var edited = person
        (edited.name, edited.role) = (form.name, form.role)
        (edited.account, edited.email, edited.phone) = (form.account, form.email, form.phone)
        context.what = person.id.description
        guard edited != person else { return Reply(person: Practice.Person(person, .whole)) }
        if edited.account != person.account {
            context.signOut(person)
            try context.tellOfAccount(edited.account, of: person)
        }
        if edited.role != person.role {
            // Invitations and rooms of the role before end with it.
            try context.endInvitations(by: person)
            try context.leaveRoomsWithClients(person)
        }
        // Clients see the name of their thanatologist.
        if edited.name != person.name { context.changesPresence(of: person.id) }
        return Reply(person: Practice.Person(try context.store.update(edited), .whole))
    }
}

/// The fields of a staff member, checked. An absent field stays as it is; an empty text removes it.
private struct StaffForm {
    let name: String
    let role: Role
    let account: String?
    let email: String?
    let phone: String?

    /// Nil if there are faults.
    init?(
        name: String, role: String, account: String?, email: String?, phone: String?, of person: Person? = nil,
        in context: CallContext, _ faults: inout Faults
    ) throws {
        let checkedName = faults.check("name", name, Field.name)
        let checkedRole = faults.check("role", role, Role.staff)
        self.email = faults.optional("email", email, else: person?.email, Field.email)
        self.phone = faults.optional("phone", phone, else: person?.phone, Field.phone)
        self.account = account.map(\.orNil) ?? person?.account
        if let account = self.account, account != person?.account {
            try context.check(account: account, of: person?.id, &faults)
        }
        guard let checkedName, let checkedRole else { return nil }
        (self.name, self.role) = (checkedName, checkedRole)
    }
}

extension Role {
    fileprivate static func staff(_ text: String) throws(FieldError) -> Role {
        guard let role = Role(rawValue: text), role.isStaff else {
            throw FieldError("must be administrator, support or thanatologist.")
        }
        return role
    }
}

extension String {
    /// Nil if it is empty.
    var orNil: String? { isEmpty ? nil : self }
}

extension Practice.Invalid {
    init(_ faults: PracticeRules.Faults) {
        self.init(faults: faults.list.map { .init(field: $0.field, reason: $0.reason) })
    }

    /// An error with a single fault.
    init(_ field: String, _ reason: String) { self.init(faults: [.init(field: field, reason: reason)]) }
}

extension CallContext {
    /// Tells a person of an account of the practice's machine that others gave them: whoever has it comes in as they do.
    func tellOfAccount(_ account: String?, of person: Person) throws {
        guard let account, person.id != caller?.id else { return }
        try sendLetter(
            to: person.id, subject: "An account comes in as you",
            body: """
                At \(settings.name), the account \(account) of the practice's machine was made yours: whoever has it comes in as you.

                If it is not yours, tell the practice at once.
                """)
    }

    /// Adds a fault unless the machine has the account and nobody else uses it.
    func check(account: String, of person: ID<Person>?, _ faults: inout Faults) throws {
        guard let user = Account.user(account) else {
            return faults.add("account", "must be an account of this machine: there is no \(account).")
        }
        guard user != 0 else { return faults.add("account", "must not be root's: root is an administrator already.") }
        guard ![settings.gate.account, settings.gate.keysAccount].contains(account) else {
            return faults.add("account", "must be one person's: \(account) is everybody's who comes in over SSH.")
        }
        // A person who keeps a practice of their own by hand may be in it. The account of a service is nobody's.
        guard user != Account.own || !Account.isOfService(user) else {
            return faults.add("account", "must be one person's: \(account) is the daemon's.")
        }
        guard let holder = try store.person(account: account), holder.id != person else { return }
        // The fault names nobody: a thanatologist may not learn who is a client.
        let isNamed = has(.seeStaff) && holder.role.isStaff
        faults.add("account", "must be nobody else's" + (isNamed ? ": it is \(holder.name)'s (\(holder.id))." : "."))
    }

    /// A present or past member of staff, at the revision that the caller knows.
    func staff(_ person: String, _ revision: Int) throws -> Person {
        guard let found = try store.person(ID(person)), found.role.isStaff else {
            throw Practice.NotFound(kind: "person", id: person)
        }
        guard revision == found.revision else { throw Practice.Changed(revision: found.revision) }
        return found
    }

    /// Refuses a change of role that would leave no administrator, or a client without a thanatologist.
    fileprivate func check(role: Role, of person: Person, _ faults: inout Faults) throws {
        guard role != person.role else { return }
        try keepAnAdministrator(without: person)
        let clients = person.role == .thanatologist ? try store.clientCount(of: person.id) : 0
        if clients > 0 {
            faults.add(
                "role", "must stay thanatologist while records are this person's: transfer the \(clients) first.")
        }
    }

    func keepAnAdministrator(without person: Person) throws {
        guard try person.role != .administrator || store.activeAdministrators() > 1 else {
            throw Practice.LastAdministrator(person: person.id.description)
        }
    }
}

extension Practice.Person {
    init(_ person: Person, _ sight: Visibility, section: String? = nil) {
        let isWhole = sight == .whole
        self.init(
            id: person.id.description, name: person.name, role: Role(person.role),
            account: isWhole ? person.account : nil, email: isWhole ? person.email : nil,
            phone: isWhole ? person.phone : nil, active: person.isActive, since: person.since.description,
            revision: person.revision, section: section)
    }
}
