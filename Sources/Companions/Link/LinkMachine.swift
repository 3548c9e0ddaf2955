import DaybreakInterfaces
import PracticeInterfaces
import Varlink

/// The link as a state machine: it takes inputs and returns actions. It does no I/O, and knows no time but that of its inputs.
///
/// The daemon keeps the cursor and the shares, and tells them in each frame, so the machine has nothing that a restart would
/// lose. Two connections lead to the practice: one that follows its news, and one for calls, the exchange.
struct LinkMachine {
    /// Everything that the daemon tells of the link.
    typealias Frame = Link.Happenings.Reply

    // MARK: State

    private(set) var frame: Frame?
    private var follow = Follow.resting
    /// The device and the shares that were compared with the practice's.
    private var agreed: Agreement?
    /// The shares as the practice has them; nil if it did not say.
    private var practiceShares: Set<String>?
    /// The numbers of happenings that the practice can never take.
    private var unfit: Set<Int> = []
    /// The announcements of which the practice knows, or cannot know, that the client dismissed them.
    private var dismissed: Set<String> = []
    private var latest: Care.News?
    /// The daemon has refused a part of it, which is left out.
    private var isReduced = false
    private var newsAllowance = Allowance(burst: 60, pause: 10 * second)
    private var scheduleAllowance = Allowance(burst: 10, pause: 600 * second)
    private var messageAllowance = Allowance(burst: 1_000, pause: second / 10)
    private var byteAllowance = Allowance(burst: Int64(bytesAnHour), pause: hour / Int64(bytesAnHour))
    /// For the journal, which keeps what a hostile practice brings about.
    private var sayingAllowance = Allowance(burst: 20, pause: hour / 2)
    private var newsTold: Int64 = 0
    /// The parts of the practice's news that the daemon does not take, each with a sentence for the client.
    private var notTaken: [Part: String] = [:]
    /// A revision that the daemon refused. It is not offered again.
    private var refusedRevision: Int?
    /// Daemon calls that are not answered yet.
    private var pending = 0
    private var failures = Failures()
    /// When to follow the practice's news again.
    private var nextLook: Int64 = 0
    private var lookNowCalls: Int?
    private var reportedCondition: ConditionReport?
    private var chance: Chance

    /// The connection that follows the practice's news.
    private enum Follow {
        /// There is none until the next look.
        case resting
        /// There is none until the client or the network changes something.
        case stopped
        /// It was opened, and no news came yet.
        case opening(since: Int64)
        case heard(Heard)
    }

    /// The state of a connection on which news came.
    private struct Heard {
        /// News and a schedule that the daemon has not got yet.
        var news: Care.News?
        var schedule: (revision: Int, text: String)?
        var exchange: Exchange?
    }

    private struct Exchange {
        /// The call that is not answered yet.
        var asked: PracticeCall?
        var since: Int64
        /// The practice's last happening was found to be ours.
        var isVerified = false
        /// How often the device was renewed, and shares were refused, in this exchange.
        var renewals = 0
        var refusals = 0
    }

    /// The condition that the daemon was told. Two looks have equal pauses and different times.
    private struct ConditionReport: Equatable {
        let condition: Link.Condition
        let sentence: String?
        var nextLook: Int64?
    }

    private struct Agreement: Equatable {
        let device: String
        let shares: Set<String>
    }

    private enum Part: Comparable {
        case schedule, news, partOfNews, talkingPoints
    }

    /// - Parameter seed: of the jitter.
    init(seed: UInt64) { chance = Chance(seed: seed) }

    // MARK: Inputs

    /// - Parameter now: microseconds of a clock that also runs while the machine is suspended.
    mutating func take(_ input: Input, at now: Int64) -> [Action] {
        var actions: [Action] = []
        switch input {
        case .frame(let frame):
            // The practice sends its schedule, which counts again, at the beginning of a connection.
            if frame.takesSchedule, self.frame?.takesSchedule == false { actions += closeAll() }
            take(frame, at: now)
        case .daemonGone:
            frame = nil
            reportedCondition = nil
            actions += closeAll()
        case .answered(let call, let answer, let frame):
            pending -= 1
            if let frame { take(frame, at: now) }
            actions += answered(call, answer, at: now)
        case .received(let line, let bytes):
            guard isOpen(line), !byteAllowance.spend(Int64(bytes), at: now) else { break }
            actions += fail(.tooMuch, at: now)
        case .news(let news): actions += hear(news, at: now)
        case .practiceAnswered(let answer): actions += answered(answer, at: now)
        case .ended(let line, let trouble):
            guard isOpen(line) else { break }
            actions += fail(trouble, at: now)
        case .time: actions += checkPatience(at: now)
        case .networkChanged(let isResume):
            // A connection of before may lead nowhere, without a word of it for a minute.
            actions += closeAll()
            // Another network may lead to another machine than the practice's, and the next one to the practice.
            if case .stopped = follow { follow = .resting }
            failures.count = 0
            if isResume || failures.trouble != nil { nextLook = now }
        case .clockSet:
            reportedCondition = nil
            actions += tell(at: now)
        }
        pending += Self.daemonCalls(actions)
        let next = settle(at: now)
        pending += Self.daemonCalls(next)
        return actions + next
    }

    private static func daemonCalls(_ actions: [Action]) -> Int {
        actions.count { if case .daemon = $0 { true } else { false } }
    }

    private mutating func take(_ new: Frame, at now: Int64) {
        if let lookNowCalls, lookNowCalls != new.wishes { lookNow(at: now) }
        lookNowCalls = new.wishes
        // The practice was told over another connection, and its news of that may still be on their way: it is asked.
        if let frame, frame.shares != new.shares { practiceShares = nil }
        frame = new
        dismissed.formIntersection(new.dismissed ?? [])
    }

    private mutating func lookNow(at now: Int64) {
        if case .stopped = follow { follow = .resting }
        (failures.count, nextLook) = (0, now)
    }

    private var heard: Heard? {
        get { if case .heard(let heard) = follow { heard } else { nil } }
        set { if let newValue { follow = .heard(newValue) } }
    }

    private func isOpen(_ line: Line) -> Bool {
        switch (line, follow) {
        case (_, .resting), (_, .stopped), (.exchange, .opening): false
        case (.follow, .opening), (.follow, .heard): true
        case (.exchange, .heard(let heard)): heard.exchange != nil
        }
    }

    private mutating func closeAll() -> [Action] {
        let open = [Line.follow, .exchange].filter(isOpen)
        if !open.isEmpty { follow = .resting }
        return open.map(Action.close)
    }

    private mutating func checkPatience(at now: Int64) -> [Action] {
        var since: [Int64] = []
        if case .opening(let opened) = follow { since.append(opened) }
        if let exchange = heard?.exchange, exchange.asked != nil { since.append(exchange.since) }
        guard since.contains(where: { now - $0 >= Self.patience }) else { return [] }
        return fail(Trouble(kind: .passing, sentence: "The practice does not answer."), at: now)
    }

    private mutating func fail(_ trouble: Trouble, at now: Int64) -> [Action] {
        var actions = closeAll()
        if failures.trouble == nil, let last = failures.last, now - last >= Self.calm { failures = Failures() }
        failures.last = now
        failures.count += 1
        let since = failures.trouble?.since ?? now
        follow = trouble.kind == .final ? .stopped : .resting
        let isLong = trouble.kind == .lasting || now - since >= 24 * Self.hour
        let doubled = Self.second << Int64(min(failures.count - 1, 20))
        let pause = isLong ? Self.hour : min(doubled, Self.longestPause)
        nextLook = now + Int64(Double(pause) * chance.jitter())
        actions += say(trouble.sentence, at: now)
        failures.trouble = (since, trouble.sentence)
        return actions + tell(at: now)
    }

    /// Logs a sentence, unless it was logged a short time ago. A dead network is described by several sentences in turn, and a
    /// hostile machine may invent ever new ones.
    private mutating func say(_ sentence: String, at now: Int64) -> [Action] {
        if let before = failures.said[sentence] {
            guard now - before >= Self.saidAgain else { return [] }
        } else {
            guard failures.said.count < Self.mostSentences else { return [] }
        }
        guard sayingAllowance.spend(at: now) else { return [] }
        failures.said[sentence] = now
        return [.say(sentence)]
    }

    /// Notes that a part of the practice's news is not taken, or with nil that it is.
    private mutating func note(_ part: Part, _ sentence: String?, at now: Int64) -> [Action] {
        guard notTaken[part] != sentence else { return [] }
        notTaken[part] = sentence
        return (sentence.map { say($0, at: now) } ?? []) + tell(at: now)
    }

    /// Tells the daemon the condition, if it has changed.
    private mutating func tell(at now: Int64) -> [Action] {
        guard frame != nil else { return [] }
        let condition: Link.Condition =
            switch follow {
            case .heard: .connected
            case .stopped: .stopped
            case .resting, .opening: failures.trouble == nil ? .resting : .failing
            }
        var new = ConditionReport(
            condition: condition, sentence: failures.trouble?.sentence ?? notTaken.min { $0.key < $1.key }?.value,
            nextLook: nil)
        if case .resting = follow { new.nextLook = nextLook }
        guard new != reportedCondition else { return [] }
        reportedCondition = new
        let seconds = new.nextLook.map { Int((max(0, $0 - now) + Self.second - 1) / Self.second) }
        return [.daemon(.tell(condition, sentence: new.sentence, seconds: seconds))]
    }
}

extension LinkMachine {
    private mutating func hear(_ news: Care.News, at now: Int64) -> [Action] {
        guard isOpen(.follow), let frame else { return [] }
        guard messageAllowance.spend(at: now) else {
            return fail(.tooMuch, at: now)
        }
        let wasSilent = heard == nil
        var heard = heard ?? Heard()
        (latest, isReduced) = (news, false)
        latest?.schedule = nil
        heard.news = latest
        if let schedule = news.schedule { heard.schedule = (news.revision, schedule) }
        follow = .heard(heard)
        if let shares = news.shares { practiceShares = Set(shares) }
        return deliver(frame, at: now) + (wasSilent ? tell(at: now) : [])
    }

    /// Hands the daemon the waiting news and schedule, as far as they are allowed now.
    private mutating func deliver(_ frame: Frame, at now: Int64) -> [Action] {
        var actions: [Action] = []
        if let schedule = heard?.schedule {
            let isNew = schedule.revision != frame.revision && schedule.revision != refusedRevision
            if !frame.takesSchedule || !isNew {
                heard?.schedule = nil
            } else if scheduleAllowance.spend(at: now) {
                heard?.schedule = nil
                actions.append(
                    .daemon(
                        .takeSchedule(
                            revision: schedule.revision, schedule: schedule.text, done: latest?.done ?? [])))
            }
        }
        if let news = heard?.news, newsAllowance.spend(at: now) {
            heard?.news = nil
            newsTold = now
            actions.append(.daemon(.takeNews(news)))
        }
        return actions
    }

    /// The refusals after which a schedule is offered again: the practice sends it once over a connection.
    private static let passing = [
        Link.TooMuchToday.name: "The practice changes the schedule too often: the rest is taken tomorrow.",
        Homework.StorageUnavailable.name: "The history cannot be written now: the practice's schedule is taken later.",
    ]

    private mutating func answered(_ call: DaemonCall, _ answer: DaemonAnswer, at now: Int64) -> [Action] {
        switch (call, answer) {
        case (.takeSchedule, .done): return note(.schedule, nil, at: now)
        case (.takeSchedule(let revision, let text, _), .refused(let name, _)) where Self.passing[name] != nil:
            if heard?.schedule == nil { heard?.schedule = (revision, text) }
            scheduleAllowance.exhaust(at: now)
            return note(.schedule, Self.passing[name], at: now)
        case (.takeSchedule(let revision, _, _), .refused(let name, _)):
            if name.hasSuffix(".InvalidSchedule") { refusedRevision = revision }
            return note(.schedule, "The practice's schedule was refused: \(name).", at: now)
        case (.takeNews, .refused(Link.TooMuchToday.name, _)):
            return note(.news, "The practice changes its news too often: the rest is taken tomorrow.", at: now)
        case (.takeNews(let news), .refused(_, let parameter?)):
            // The rest is sound: it is offered without the part that was refused.
            guard let less = news.without(parameter), less != news else { return [] }
            (latest, isReduced) = (less, true)
            return note(.partOfNews, "The practice's news was refused in part: \(parameter).", at: now) + [
                .daemon(.takeNews(less))
            ]
        case (.takeNews, .taken(let leftOut)):
            let sentence = "Talking points of the practice are left out: they are too long, too many or not readable."
            return note(.news, nil, at: now) + (isReduced ? [] : note(.partOfNews, nil, at: now))
                + note(.talkingPoints, leftOut > 0 ? sentence : nil, at: now)
        case (.reported, .done): heard?.exchange?.isVerified = true
        case (.reported(let device, _, _), .refused(let name, _)) where name == Link.HistoryReplaced.name:
            return renew(device, at: now)
        case (.reported, .refused(let name, _)) where name == Link.OtherDevice.name: break
        // The client has just changed them: the next frame has theirs.
        case (.setShares, .refused(let name, _)) where name == Link.SharesChanged.name: break
        case (.reported, .refused(Link.TooMuchToday.name, _)), (.renewDevice, .refused(Link.TooMuchToday.name, _)):
            return fail(.heardTooOften, at: now)
        case (.reported, .refused), (.setShares, .refused), (.renewDevice, .refused):
            return fail(Trouble(kind: .passing, sentence: "The history cannot be written now."), at: now)
        case (.setShares, .done), (.takeNews, _), (.renewDevice, .done), (.tell, _), (_, .taken):
            break
        }
        return []
    }

    /// The history is another than the one that the practice has heard of.
    private mutating func renew(_ device: String, at now: Int64) -> [Action] {
        guard let renewals = heard?.exchange?.renewals else { return [] }
        guard renewals < 2 else {
            return fail(
                Trouble(kind: .lasting, sentence: "The practice has other happenings under the same names."), at: now)
        }
        heard?.exchange?.renewals = renewals + 1
        heard?.exchange?.isVerified = false
        (agreed, unfit) = (nil, [])
        let sentence = "The practice knows another history than this one: everything that is shared is told again."
        return say(sentence, at: now) + [.daemon(.renewDevice(device))]
    }
}

extension LinkMachine {
    private mutating func settle(at now: Int64) -> [Action] {
        // Each answer of the daemon may change the next actions.
        guard pending == 0 else { return [] }
        guard let frame, let device = frame.device else { return closeAll() + [.wake(at: .max)] }
        var actions: [Action] = []
        if case .resting = follow, isLookDue(frame, at: now) {
            follow = .opening(since: now)
            actions.append(.ask(.follow, .follow(device: device, revision: frame.revision)))
        }
        if heard != nil { actions += deliver(frame, at: now) }
        if heard != nil { actions += advance(frame, device, at: now) }
        if actions.isEmpty, let heard, heard.exchange == nil { actions += recover(at: now) }
        if actions.isEmpty, let heard, heard.exchange == nil, !frame.hold {
            follow = .resting
            nextLook = now + Int64(Double(Self.lookEvery) * chance.jitter())
            actions += [.close(.follow)] + tell(at: now)
        }
        if heard != nil, let latest, now - newsTold >= Self.lookEvery {
            newsTold = now
            actions.append(.daemon(.takeNews(latest)))
        }
        return actions + [.wake(at: nextTime)]
    }

    /// All that was due is done: the failures are over. News alone do not end them, as a report may fail after each of them.
    private mutating func recover(at now: Int64) -> [Action] {
        guard failures.trouble != nil else { return [] }
        failures.trouble = nil
        return say("The practice is heard again.", at: now) + tell(at: now)
    }

    /// After a failure, only the time counts.
    private func isLookDue(_ frame: Frame, at now: Int64) -> Bool {
        now >= nextLook || failures.trouble == nil && (frame.hold || isUrgent(frame))
    }

    /// Breaths alone wait for the next look: there is one every ten seconds.
    private func isUrgent(_ frame: Frame) -> Bool {
        !frame.practiceTold || nextDismissal(frame) != nil
            || frame.happenings.contains { $0.what != "breathed" && !unfit.contains($0.sequence) }
    }

    private func nextDismissal(_ frame: Frame) -> String? { frame.dismissed?.first { !dismissed.contains($0) } }

    private var nextTime: Int64 {
        switch follow {
        case .resting: nextLook
        case .stopped: .max
        case .opening(let since): since + Self.patience
        case .heard(let heard):
            [
                newsTold + Self.lookEvery, heard.exchange.map { $0.since + Self.patience } ?? .max,
                heard.news == nil ? .max : newsAllowance.next,
                heard.schedule == nil ? .max : scheduleAllowance.next,
            ].min() ?? .max
        }
    }

    /// The next step of the exchange: agree on the shares, compare the histories, report.
    private mutating func advance(_ frame: Frame, _ device: String, at now: Int64) -> [Action] {
        let exchange = heard?.exchange
        guard exchange?.asked == nil else { return [] }
        let shares = Set(frame.shares.map(\.rawValue))
        if agreed != Agreement(device: device, shares: shares) || !frame.practiceTold {
            guard let practiceShares else { return ask(.profile, at: now) }
            let both = shares.intersection(practiceShares)
            if !frame.practiceTold, both != practiceShares { return ask(.setShares(both.sorted()), at: now) }
            guard both == shares, frame.practiceTold else {
                let kept = frame.shares.filter { both.contains($0.rawValue) }
                let notice: [Action] =
                    both == shares
                    ? [] : say("The practice was told to hear less: only what both sides agree on is shared.", at: now)
                return notice + [.daemon(.setShares(kept, from: frame.shares))]
            }
            agreed = Agreement(device: device, shares: shares)
        }
        if let announcement = nextDismissal(frame) { return ask(.dismiss(announcement), at: now) }
        let fit = frame.happenings.filter { !unfit.contains($0.sequence) }
        let isDue = frame.hold ? isUrgent(frame) : !fit.isEmpty
        if exchange?.isVerified != true, isDue || exchange != nil { return ask(.report(device: device, []), at: now) }
        guard isDue else {
            guard exchange != nil else { return [] }
            heard?.exchange = nil
            return [.close(.exchange)]
        }
        return ask(.report(device: device, fit), at: now)
    }

    private mutating func ask(_ call: PracticeCall, at now: Int64) -> [Action] {
        var next = heard?.exchange ?? Exchange(since: now)
        next.asked = call
        next.since = now
        heard?.exchange = next
        return [.ask(.exchange, call)]
    }

    private mutating func answered(_ answer: PracticeAnswer, at now: Int64) -> [Action] {
        guard let asked = heard?.exchange?.asked else { return [] }
        heard?.exchange?.asked = nil
        switch (asked, answer) {
        case (.profile, .profile(let shares)): practiceShares = Set(shares)
        case (.setShares(let shares), .sharesSet): practiceShares = Set(shares)
        case (.dismiss(let announcement), .dismissed): forget(announcement)
        case (.report(let device, let happenings), .heard(let through, let id)) where through >= 0:
            if let first = happenings.first, through < first.sequence {
                return fail(
                    Trouble(kind: .lasting, sentence: "The practice did not take what it was told."), at: now)
            }
            return [.daemon(.reported(device: device, through: through, id: id))]
        case (_, .refused(let name, let sequence)): return refused(asked, name, sequence, at: now)
        default:
            return fail(.notUnderstood, at: now)
        }
        return []
    }

    /// The daemon gets the news without an announcement that the practice shows no more: its own word of it may come after the
    /// connection rests.
    private mutating func forget(_ announcement: String) {
        dismissed.insert(announcement)
        guard var news = latest, news.announcements?.contains(where: { $0.id == announcement }) == true else { return }
        news.announcements?.removeAll { $0.id == announcement }
        // A hostile practice may have told any number.
        news.broadcasts &-= 1
        latest = news
        heard?.news = news
    }

    /// The refusals of a dismissal that stay as they are: the announcement has ended, or has to stay.
    private static let dismissalEnds = [Practice.NotFound.name, Mail.NotDismissable.name]

    private mutating func refused(
        _ asked: PracticeCall, _ name: String, _ sequence: Int?, at now: Int64
    ) -> [Action] {
        if case .dismiss(let announcement) = asked, Self.dismissalEnds.contains(name) {
            dismissed.insert(announcement)
            return []
        }
        if case .report(let device, let happenings) = asked {
            if name == Care.UnfitHappening.name, let sequence, happenings.contains(where: { $0.sequence == sequence }) {
                unfit.insert(sequence)
                return say("The practice cannot take happening \(sequence); it is left out.", at: now)
            }
            // The client may have withdrawn a share on another machine.
            if name == Care.NotShared.name, let refusals = heard?.exchange?.refusals, refusals < 2 {
                heard?.exchange?.refusals = refusals + 1
                (practiceShares, agreed) = (nil, nil)
                return []
            }
            if name == Care.Reused.name { return renew(device, at: now) }
        }
        return fail(Trouble(refusal: name), at: now)
    }
}
