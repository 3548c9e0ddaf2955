import JSON
import PracticeInterfaces
import PracticeRules
import PracticeStore

extension Practice.ListServices: Handled {
    static let right = Right.seeServices
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        let all = all ?? false
        // Staff also see services that are no longer offered, because earlier sessions name them.
        if all { try context.demand(.seeTerms) }
        return Reply(
            categories: try context.store.categories(all: all),
            services: try context.store.services(in: category ?? "", all: all).map { Practice.Service($0) })
    }
}

extension Practice.GetPicture: Handled {
    static let right = Right.seeServices
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        guard let found = try context.store.picture(of: ID(service), all: context.has(.seeTerms)) else {
            throw Practice.NotFound(kind: "picture", id: service)
        }
        return Reply(type: found.type, picture: Base64.encode(found.bytes))
    }
}

extension Practice.AddService: Handled {
    static let right = Right.editServices
    static let isAudited = true

    /// The most services. One page shows all of them.
    static let limit = 1_000

    func answer(in context: CallContext) throws -> Reply {
        let added = try context.once(key) {
            let form = try context.form { faults in
                if try context.store.serviceCount() >= Self.limit {
                    faults.add("name", "must wait: the practice has \(Self.limit) services, and no more are kept.")
                }
                return ServiceForm(
                    PracticeStore.Service(), category: category, name: name, description: description, minutes: minutes,
                    fee: fee, link: link, picture: picture, &faults)
            }
            let added = try context.store.add(form.service)
            if let picture = form.picture { try context.store.setPicture(picture, of: added) }
            return added
        }
        return Reply(service: try context.service(added.description))
    }
}

extension Practice.EditService: Handled {
    static let right = Right.editServices
    static let isAudited = true

    func answer(in context: CallContext) throws -> Reply {
        let found = try context.found(service)
        guard revision == found.revision else { throw Practice.Changed(revision: found.revision) }
        let form = try context.form { faults in
            ServiceForm(
                found, category: category, name: name, description: description, minutes: minutes, fee: fee, link: link,
                picture: picture, &faults)
        }
        var edited = form.service
        edited.isOffered = offered ?? found.isOffered
        if edited != found || picture != nil { try context.store.update(edited) }
        if picture != nil { try context.store.setPicture(form.picture, of: found.id) }
        return Reply(service: try context.service(service))
    }
}

/// The fields of a service, checked. An absent field stays as it is.
private struct ServiceForm {
    var service: PracticeStore.Service
    var picture: Picture?

    /// Nil if there are faults.
    init?(
        _ service: PracticeStore.Service, category: String?, name: String?, description: String?, minutes: Int?,
        fee: Int?, link: String?, picture: String?, _ faults: inout Faults
    ) {
        self.service = service
        if let category { self.service.category = faults.check("category", category, Field.name) ?? "" }
        if let name { self.service.name = faults.check("name", name, Field.name) ?? "" }
        if let description {
            self.service.description = faults.check("description", description, Field.paragraph) ?? ""
        }
        if let minutes {
            self.service.minutes = minutes == 0 ? nil : faults.check("minutes", minutes, Field.minutes)
        }
        if let fee { self.service.fee = fee == -1 ? nil : faults.check("fee", fee, Field.fee) }
        if let link { self.service.link = link.isEmpty ? nil : faults.check("link", link, Field.link) }
        if let picture, !picture.isEmpty { self.picture = faults.check("picture", picture, Self.picture) }
        if !faults.list.isEmpty { return nil }
    }

    private static func picture(_ text: String) throws(FieldError) -> Picture {
        guard text.utf8.count <= (Picture.limit + 2) / 3 * 4 else { throw FieldError("must have no more than 1 MiB.") }
        guard let bytes = Base64.decode(text) else {
            throw FieldError("must be base64 (RFC 4648), padded, on one line.")
        }
        guard bytes.count <= Picture.limit else { throw FieldError("must have no more than 1 MiB.") }
        guard let picture = Picture(bytes) else { throw FieldError("must be a PNG, a JPEG or a WebP.") }
        return picture
    }
}

extension CallContext {
    fileprivate func found(_ service: String) throws -> PracticeStore.Service {
        guard let found = try store.service(ID(service)) else { throw Practice.NotFound(kind: "service", id: service) }
        return found
    }

    /// The service's present state. Adds the service to the call's audit.
    fileprivate func service(_ service: String) throws -> Practice.Service {
        let found = try found(service)
        what = found.id.description
        return Practice.Service(found)
    }
}

extension Practice.Service {
    fileprivate init(_ service: PracticeStore.Service) {
        self.init(
            id: service.id.description, category: service.category, name: service.name,
            description: service.description, minutes: service.minutes, fee: service.fee, link: service.link,
            hasPicture: service.hasPicture, offered: service.isOffered, revision: service.revision)
    }
}
