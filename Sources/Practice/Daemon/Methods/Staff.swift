import PracticeInterfaces
import PracticeRules
import PracticeStore
import Time

extension Practice.AddStaff: Handled {
    static let right = Right.editStaff
    static let message: PracticeMessage? = .staffAdded
    static let isAudited = true

    func answer(at desk: Desk) throws -> Reply {
        let added = try desk.once(key) {
            let form = try desk.form { faults in try StaffForm(name, role, account, email, phone, desk, &faults) }
            return try desk.store.addPerson(
                role: form.role, name: form.name, account: form.account, email: form.email, phone: form.phone,
                since: desk.today
            ).id
        }
        desk.what = added.description
        guard let person = try desk.store.person(added) else { throw Practice.NotFound(kind: "person", id: "\(added)") }
        return Reply(person: Practice.Person(person))
    }
}

/// The fields of somebody who works here, checked.
struct StaffForm {
    let name: String
    let role: Role
    let account: String?
    let email: String?
    let phone: String?

    init?(
        _ name: String, _ role: String, _ account: String?, _ email: String?, _ phone: String?, _ desk: Desk,
        _ faults: inout Faults
    ) throws {
        let checkedName = faults.check("name", name, Field.name)
        let checkedRole = Role(rawValue: role).flatMap { $0.isStaff ? $0 : nil }
        if checkedRole == nil { faults.add("role", "must be administrator, support or thanatologist.") }
        if let account { try desk.check(account: account, of: nil, &faults) }
        let checkedEmail = email.flatMap { faults.check("email", $0, Field.email) }
        let checkedPhone = phone.flatMap { faults.check("phone", $0, Field.phone) }
        guard let checkedName, let checkedRole else { return nil }
        (self.name, self.role, self.account) = (checkedName, checkedRole, account)
        (self.email, self.phone) = (checkedEmail, checkedPhone)
    }
}

extension Desk {
    /// An account that the machine has, and that is nobody else's.
    func check(account: String, of person: ID<Person>?, _ faults: inout Faults) throws {
        guard Account.exists(account) else {
            return faults.add("account", "must be an account of this machine: there is no \(account).")
        }
        if let holder = try store.person(account: account), holder.id != person {
            faults.add("account", "must be nobody else's: it is \(holder.name)'s (\(holder.id)).")
        }
    }
}
