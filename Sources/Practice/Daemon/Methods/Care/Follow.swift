import PracticeInterfaces
import PracticeRules
import PracticeStore
import ScheduleFormat
import Time
import Varlink

extension Care.Follow: Handled {
    static let right = Right.haveHomework

    func answer(in context: CallContext) throws -> Reply {
        guard context.wantsMore else { throw ExpectedMore() }
        let record = try context.ownRecord()
        if !context.isAgain {
            let taken = try context.form { faults in
                faults.check("revision", revision ?? 0) { (number) throws(FieldError) in
                    try Field.number(number, in: 0...Happening.numbers.upperBound)
                }
            }
            let known = try context.device(device, of: record.person.id)
            try context.store.keep(
                Device(
                    known.name, heard: known.heard, heardID: known.heardID, lastHeard: context.now,
                    revision: max(known.revision, taken)),
                of: record.person.id)
        }
        let words = try context.store.availability(
            of: record.thanatologist, for: record.person.id, at: context.now)
        let news = try context.news(
            of: record, seen: context.isAgain ? context.seenRevision : revision, words.forClient ?? words.forAll,
            device: device)
        let unlocks = try context.unreadLessons(of: record)?.next
        let days = try context.store.surveyDays(
            of: record.person.id, at: context.now, limit: CallContext.surveyDays)
        context.liveQuery = LiveQuery(
            person: record.person.id, isFollowing: true, thanatologist: record.thanatologist, revision: news.revision,
            until: [
                words.forClient?.until, words.forAll?.until,
                try context.store.nextBroadcastChange(after: context.now), unlocks,
                days.flatMap { [$0.window.lowerBound, $0.window.upperBound] }.filter { $0 > context.now }.min(),
            ].compactMap { $0 }.min(), rooms: try context.store.heardRooms(of: record.person.id))
        return Reply(news: news)
    }
}

extension CallContext {
    /// The calling client's record.
    func ownRecord() throws -> Record {
        guard let caller, let record = try store.record(caller.id, of: caller.id) else {
            throw Practice.NotAllowed(right: Right.haveHomework.rawValue)
        }
        return record
    }

    /// - Parameter seen: the revision of the schedule that the device has.
    fileprivate func news(of record: Record, seen: Int?, _ word: Availability?, device: String) throws -> Care.News {
        let id = record.person.id
        let revision = try store.scheduleRevision(of: id)
        let isThere = record.isOpen && word?.isAvailable == true
        let mail = try store.unreadLetters(of: id)
        let broadcasts = try store.broadcasts(notEndedAt: now, for: id).filter {
            $0.audience.includes(.client) && $0.isShown(at: now) && !$0.isDismissed
        }
        let done = try store.tasksDone(by: id, elsewhereThan: device)
        return Care.News(
            revision: revision,
            schedule: revision > 0 && revision != seen ? try store.schedule(of: id).text : nil, available: isThere,
            availableUntil: isThere ? word.map { spelled($0.until) } : nil,
            provider: try store.person(record.thanatologist)?.name, link: isThere ? word?.link : nil,
            talkingPoints: try store.openTalkingPoints(for: id, in: settings.zone).map {
                .init(at: spelled($0.at), text: $0.text)
            },
            unreadMail: min(mail.all, Self.greatestCount), urgentMail: min(mail.urgent, Self.greatestCount),
            unreadChat: min(try store.unreadChat(of: id), Self.greatestCount),
            surveysDue: try store.dueSurveys(of: id, at: now),
            broadcasts: broadcasts.count, shares: try store.shares(of: id).words,
            announcements: broadcasts.prefix(Self.announcements).map { Care.Announcement($0, spelled) },
            surveys: try surveyDays(of: record), unreadLessons: try unreadLessons(of: record)?.count,
            done: done.isEmpty ? nil : done.map { Care.Done(task: $0.task, day: $0.day.description) })
    }

    /// The announcements whose texts a client's Daybreak is told: it shows no more at once, and hears of each change.
    private static let announcements = 10

    /// The surveys whose days a client's Daybreak is told: weeks ahead, because it may be offline.
    fileprivate static let surveyDays = 20

    private func surveyDays(of record: Record) throws -> [Care.SurveyDays]? {
        let days = try store.surveyDays(of: record.person.id, at: now, limit: Self.surveyDays)
        let zone = zone(of: record)
        return days.isEmpty
            ? nil
            : days.map {
                Care.SurveyDays(
                    id: $0.id.description, opens: $0.window.lowerBound.spelled(in: zone),
                    closes: $0.window.upperBound.spelled(in: zone))
            }
    }

    /// A client's Daybreak believes no greater one.
    private static let greatestCount = 100_000

    // MARK: Devices

    /// The most devices of one client that were heard of within `deviceDays`: a person has few, and made-up names must not fill
    /// the disk.
    static let deviceLimit = 10
    static let deviceDays = 30

    /// The client's device of that name, perhaps a new one.
    func device(_ name: String, of client: ID<Person>) throws -> Device {
        guard AssignmentID(name) != nil else {
            throw Practice.Invalid("device", "must be 1 to 64 letters, digits, dots, underscores or hyphens.")
        }
        let known = try store.devices(of: client)
        if let device = known.first(where: { $0.name == name }) { return device }
        let since = now + .seconds(-Self.deviceDays * 86_400)
        guard known.count(where: { $0.lastHeard >= since }) < Self.deviceLimit else {
            throw Care.TooManyDevices(limit: Self.deviceLimit)
        }
        return Device(name, lastHeard: now)
    }
}

extension Care.Announcement {
    fileprivate init(_ broadcast: Broadcast, _ spelled: (Instant) -> String) {
        self.init(
            id: broadcast.id.description, revision: broadcast.revision, text: broadcast.text,
            until: broadcast.ends.map(spelled), dismissable: broadcast.isDismissable, level: broadcast.level.rawValue)
    }
}
