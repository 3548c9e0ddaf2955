import DaybreakInterfaces
import PracticeInterfaces
import Varlink

// The machine's calls as methods of the two daemons, and their replies as inputs of the machine.

extension LinkMachine.PracticeCall {
    var method: any Method {
        switch self {
        case .follow(let device, let revision): Care.Follow(device: device, revision: revision)
        case .profile: Care.Profile()
        case .setShares(let shares): Care.SetShares(shares: shares)
        case .report(let device, let happenings):
            Care.Report(device: device, happenings: happenings.map(Care.Happening.init))
        case .dismiss(let announcement): Mail.Dismiss(broadcast: announcement)
        }
    }

    /// The answer in a reply to this call, which is not `follow`. Throws if the reply is that of another call.
    func answer(_ reply: Reply) throws -> LinkMachine.PracticeAnswer {
        if let error = reply.error {
            return .refused(error, sequence: reply.decodeError(Care.UnfitHappening.self)?.sequence)
        }
        switch self {
        case .profile: return .profile(shares: try reply.decode(Care.Profile.Reply.self).shares)
        case .setShares: return .sharesSet
        case .dismiss: return .dismissed
        case .follow, .report:
            let heard = try reply.decode(Care.Report.Reply.self)
            return .heard(heard.heard, id: heard.heardID)
        }
    }
}

extension LinkMachine.Input {
    /// The inputs of a reply to `follow`.
    static func following(_ reply: Reply) throws -> [Self] {
        if let error = reply.error { return [.ended(.follow, LinkMachine.Trouble(refusal: error))] }
        let news = Self.news(try reply.decode(Care.Follow.Reply.self).news)
        return reply.continues
            ? [news] : [news, .ended(.follow, .init(kind: .passing, sentence: "The practice has hung up."))]
    }
}

extension LinkMachine.DaemonCall {
    /// - Parameter wall: spells the wall's time after so many seconds.
    func method(_ wall: (Int) -> String) -> any Method {
        switch self {
        case .takeSchedule(let revision, let schedule, let done):
            Link.TakeSchedule(
                revision: revision, schedule: schedule, done: done.isEmpty ? nil : done.map(Link.Done.init))
        case .takeNews(let news): Link.TakeNews(news)
        case .reported(let device, let through, let id): Link.Reported(device: device, through: through, id: id)
        case .renewDevice(let device): Link.RenewDevice(device: device)
        case .setShares(let shares, let present): Link.SetShares(shares: shares, practiceTold: true, from: present)
        case .tell(let condition, let sentence, let seconds):
            Link.Tell(condition: condition, sentence: sentence, nextTry: seconds.map(wall))
        }
    }

    func answer(_ reply: Reply) throws -> LinkMachine.DaemonAnswer {
        if let error = reply.error {
            return .refused(error, parameter: reply.decodeError(InvalidParameter.self)?.parameter)
        }
        guard case .takeNews = self else { return .done }
        return .taken(leftOut: try reply.decode(Link.TakeNews.Reply.self).leftOut ?? 0)
    }

    /// True if the daemon's frame may be another one after the call.
    var changesFrame: Bool {
        switch self {
        case .tell, .takeNews: false
        case .takeSchedule, .reported, .renewDevice, .setShares: true
        }
    }
}

extension Care.Happening {
    fileprivate init(_ happening: Link.Happening) {
        self.init(
            sequence: happening.sequence, id: happening.id, at: happening.at, day: happening.day, what: happening.what,
            task: happening.task, breaths: happening.breaths, mood: happening.mood, text: happening.text,
            revision: happening.revision)
    }
}

extension Link.TakeNews {
    fileprivate init(_ news: Care.News) {
        self.init(
            available: news.available, availableUntil: news.availableUntil, provider: news.provider, link: news.link,
            talkingPoints: news.talkingPoints.map { Link.TalkingPoint(at: $0.at, text: $0.text) },
            news: Link.News(
                unreadMail: news.unreadMail, urgentMail: news.urgentMail, unreadChat: news.unreadChat,
                surveysDue: news.surveysDue, broadcasts: news.broadcasts, unreadLessons: news.unreadLessons),
            announcements: news.announcements?.map {
                Link.Announcement(
                    id: $0.id, revision: $0.revision, text: $0.text, until: $0.until, dismissable: $0.dismissable,
                    important: $0.level == "important")
            }, surveys: news.surveys?.map { Link.SurveyDays(id: $0.id, opens: $0.opens, closes: $0.closes) },
            done: news.done?.map(Link.Done.init))
    }
}

extension Link.Done {
    fileprivate init(_ done: Care.Done) { self.init(task: done.task, day: done.day) }
}
