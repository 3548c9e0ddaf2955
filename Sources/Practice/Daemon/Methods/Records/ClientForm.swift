import PracticeRules
import PracticeStore
import Time

/// The fields of a client in a call. An absent field stays as it is; an empty text removes it.
struct ClientForm {
    var name: String?
    var born: String?
    var phone: String?
    var email: String?
    var address: String?
    var emergencyContact: String?
    var referredBy: String?
    var motive: String?
    var extra: [String: String]?
    var timeZone: String?
    var account: String?
}

/// A client with the form's changes, before they are stored.
struct ClientDraft {
    var name = ""
    var account: String?
    var email: String?
    var phone: String?
    var details: ClientDetails
    var since: CalendarDay
    /// Nil for a new client.
    var id: ID<Person>?
}

extension ClientDraft {
    /// Applies the form's fields after checking them. Adds a fault for each wrong field.
    mutating func take(_ form: ClientForm, in context: CallContext, _ faults: inout Faults) throws {
        if let checked = form.name.flatMap({ faults.check("name", $0, Field.name) }) { name = checked }
        phone = faults.optional("phone", form.phone, else: phone, Field.phone)
        email = faults.optional("email", form.email, else: email, Field.email)
        let today = context.today
        let since = since
        details.born = faults.optional("born", form.born, else: details.born) { (text) throws(FieldError) in
            let born = try Field.birthday(text, today: today)
            guard born <= since else { throw FieldError("must not be after the record began, on \(since).") }
            return born
        }
        details.address = faults.optional("address", form.address, else: details.address, Field.paragraph)
        details.emergencyContact = faults.optional(
            "emergencyContact", form.emergencyContact, else: details.emergencyContact, Field.paragraph)
        details.referredBy = faults.optional("referredBy", form.referredBy, else: details.referredBy) {
            (text) throws(FieldError) in try Field.line(text, limit: 200)
        }
        details.motive = faults.optional("motive", form.motive, else: details.motive, Field.paragraph)
        if let zone = form.timeZone {
            if ZoneFiles.zone(zone) == nil {
                faults.add("timeZone", "must be a time zone such as Europe/Berlin.")
            } else {
                details.timeZone = zone
            }
        }
        takeExtra(form.extra ?? [:], context.settings.clientFields, &faults)
        if let account = form.account {
            self.account = account.isEmpty ? nil : account
            if !account.isEmpty { try context.check(account: account, of: id, &faults) }
        }
    }

    /// Applies the practice's own fields. A new client needs the required ones, and they cannot be removed. A value that is kept
    /// of a field which the settings name no more can be removed, and nothing else.
    private mutating func takeExtra(_ extra: [String: String], _ fields: [ClientField], _ faults: inout Faults) {
        for field in fields {
            let place = "extra.\(field.name)"
            details.extra[field.name] = faults.optional(place, extra[field.name], else: details.extra[field.name]) {
                (text) throws(FieldError) in try field.check(text)
            }
            let isGiven = id == nil || extra[field.name] != nil
            if field.isRequired, isGiven, details.extra[field.name] == nil, !faults.has(place) {
                faults.add(place, "must be there: the practice asks it of every client.")
            }
        }
        let known = fields.map(\.name)
        for former in details.extra.keys where !known.contains(former) && extra[former]?.isEmpty == true {
            details.extra[former] = nil
        }
        for unknown in extra.keys.sorted() where !known.contains(unknown) {
            // A companion may send all that is kept, or what was just removed.
            if extra[unknown]?.isEmpty == true || extra[unknown] == details.extra[unknown] { continue }
            let names = known.isEmpty ? "it has none" : known.joined(separator: ", ")
            faults.add("extra", "must be of the practice's own fields (\(names)).")
            break
        }
    }
}
