import HomeworkRules
import TestSupport
import Testing
import TestingSupport
import Time

@Suite struct `The link with a practice` {
    private static func link(_ shares: Set<Share> = [], to practice: String = "practice@clinic") -> Command {
        .link(practice: practice, device: "d", shares: shares)
    }

    private static func linked(_ shares: Set<Share> = []) -> Scenario {
        Scenario.opened().having(link(shares), at: "08:00")
    }

    /// The numbers of the history's events that are shared.
    private static func shared(_ scenario: Scenario) -> [String] {
        guard let link = scenario.plan.link else { return [] }
        let since = Sharing(link).since
        return scenario.history.enumerated().compactMap { index, event in
            guard let kind = name(of: event.what), let after = since[kind], index + 1 > after else { return nil }
            return kind
        }
    }

    private static func name(of what: Happening) -> String? {
        switch what {
        case .started: "started"
        case .breathed: "breathed"
        case .exerciseFinished: "exerciseFinished"
        case .joined: "joined"
        case .left: "left"
        case .moodLogged: "moodLogged"
        case .completed: "completed"
        default: nil
        }
    }

    @Test func `begins with a device and its shares`() {
        Scenario.opened().when(
            Self.link([.moods]), at: "08:00",
            then: [
                .linked(practice: "practice@clinic", device: "d"), .sharesChanged([.moods], isPracticeTold: true),
            ])
    }

    @Test func `that is begun again with the same practice keeps its device`() {
        Self.linked([.moods])
            .when(.link(practice: "practice@clinic", device: "e", shares: [.moods]), then: [])
            .when(
                .link(practice: "practice@clinic", device: "e", shares: [.breaths]),
                then: [.sharesChanged([], isPracticeTold: false), .sharesChanged([.breaths], isPracticeTold: true)]
            )
            .then { #expect($0.plan.link?.device == "d" && $0.plan.link?.endedElsewhere == []) }
    }

    @Test func `is refused with a second practice`() {
        Self.linked().when(
            .link(practice: "practice@other", device: "e", shares: []), refused: .linkedAlready("practice@clinic"))
    }

    @Test func `shares nothing that happened before, and a share that is taken up again begins anew`() {
        let before = Scenario.completed.having(Self.link([.completed, .moods]))
        #expect(Self.shared(before) == [])
        let all = Self.linked(Set(Share.allCases)).having(.start(nil)).having(.breathe)
            .having(.lookAtClock, after: .seconds(50))
        #expect(Self.shared(all) == ["started", "breathed", "exerciseFinished"])
        let less = all.having(.setShares([.waiting], isPracticeTold: false))
        #expect(Self.shared(less) == ["started", "exerciseFinished"])
        let again = less.having(.setShares([.waiting, .breaths], isPracticeTold: true))
        #expect(Self.shared(again) == ["started", "exerciseFinished"])
    }

    /// A practice that forgets all it heard, again and again.
    @Test func `notes how far the practice has heard no more often than a practice needs`() {
        var (scenario, noted) = (Self.linked(), 0)
        while noted < 10_000 {
            do {
                let through = noted % 2 + 1
                scenario.record(try scenario.decide(.noteReported(through: through, of: "d")))
                noted += 1
            } catch {
                #expect(error == .practiceSaysTooMuch)
                break
            }
        }
        #expect((1_000...3_000).contains(noted))
        scenario.when(.renewDevice("d", to: "e"), refused: .practiceSaysTooMuch)
        scenario.having(.lookAtClock, on: "2027-03-06", at: "08:00")
            .when(.renewDevice("d", to: "e"), then: [.deviceRenewed("e")])
    }

    @Test func `stays as it is when an older history takes the place of the present one`() {
        let (none, some, all) = (
            Self.linked().plan, Self.linked([.moods]).plan, Self.linked([.moods, .notes]).plan
        )
        #expect(some.keepingLink(of: some).what == [])
        #expect(some.keepingLink(of: some).change == nil)
        // The client ended it, not the practice.
        #expect(
            all.keepingLink(of: some).what == [
                .sharesChanged([.moods], isPracticeTold: false), .sharesChanged([.moods], isPracticeTold: true),
            ])
        #expect(all.keepingLink(of: some).change == .stays("practice@clinic", [.moods]))
        #expect(some.keepingLink(of: all).change == .stays("practice@clinic", [.moods, .notes]))
        #expect(all.keepingLink(of: none).change == .stays("practice@clinic", []))
        let untold = Self.linked([.moods]).having(.setShares([], isPracticeTold: false)).plan
        #expect(all.keepingLink(of: untold).what == [.sharesChanged([], isPracticeTold: false)])
    }

    /// The words that were written before it ended are not shared.
    @Test func `a share that ended meanwhile and began again does not go on in an older history`() {
        let old = Self.linked([.moods, .notes])
        let again = old.having(.setShares([.moods], isPracticeTold: true))
            .having(.setShares([.moods, .notes], isPracticeTold: true)).plan
        let (what, change) = old.plan.keepingLink(of: again)
        #expect(
            what == [
                .sharesChanged([.moods], isPracticeTold: false),
                .sharesChanged([.moods, .notes], isPracticeTold: true),
            ])
        #expect(change == .stays("practice@clinic", [.moods, .notes]))
        let restored = Scenario.given(old.history.map(\.what) + what).plan
        #expect(restored.link?.shares[.moods] == old.plan.link?.shares[.moods])
        #expect(restored.link?.shares[.notes] == old.plan.eventCount + what.count)
    }

    @Test func `stays ended, and stays another one, when an older history takes the place of the present one`() {
        let linked = Self.linked([.moods]).plan
        let free = Scenario.opened().plan
        #expect(free.keepingLink(of: free).what == [])
        #expect(linked.keepingLink(of: free).what == [.unlinked])
        #expect(linked.keepingLink(of: free).change == .staysEnded("practice@clinic"))
        let begin: [Happening] = [
            .linked(practice: "practice@clinic", device: "d"), .sharesChanged([.moods], isPracticeTold: true),
        ]
        #expect(free.keepingLink(of: linked).what == begin)
        #expect(free.keepingLink(of: linked).change == .stays("practice@clinic", [.moods]))
        let other = Scenario.opened().having(Self.link([.notes], to: "practice@other")).plan
        #expect(other.keepingLink(of: linked).what == [.unlinked] + begin)
    }

    @Test func `shares nothing if the history before could not be read`() {
        #expect(Self.linked().plan.keepingLink(of: nil).what == [])
        let kept = Self.linked([.moods]).plan.keepingLink(of: nil)
        #expect(kept.what == [.sharesChanged([], isPracticeTold: false)])
        #expect(kept.change == .sharesNothing("practice@clinic"))
    }

    @Test func `remembers the shares that the practice ended, until the client chooses again`() {
        let ended = Self.linked([.moods, .waiting, .notes])
            .having(.setShares([.moods, .waiting], isPracticeTold: true))
            .having(.setShares([.waiting], isPracticeTold: true))
        ended.then { #expect($0.plan.link?.endedElsewhere == [.moods, .notes]) }
        // The same choice is a choice.
        ended.when(
            .setShares([.waiting], isPracticeTold: true), then: [.sharesChanged([.waiting], isPracticeTold: true)]
        )
        .then { #expect($0.plan.link?.endedElsewhere == []) }
        // The client's own withdrawal.
        Self.linked([.moods, .waiting]).having(.setShares([.waiting], isPracticeTold: false))
            .having(.setShares([.waiting], isPracticeTold: true))
            .then { #expect($0.plan.link?.endedElsewhere == []) }
        Self.linked([.moods, .waiting]).having(.setShares([.waiting, .notes], isPracticeTold: true, isByClient: true))
            .then { #expect($0.plan.link?.endedElsewhere == [] && $0.plan.link?.isPracticeTold == true) }
    }

    @Test func `ends, and keeps the history`() {
        Self.linked([.moods]).having(.start(nil))
            .when(.unlink, then: [.unlinked])
            .then { #expect($0.plan.link == nil && $0.plan.flow != nil) }
            .when(.unlink, then: [])
            .when(.setShares([.moods], isPracticeTold: true), refused: .notLinked)
    }

    @Test func `a task that was missed is told only if that is shared`() {
        Self.linked([.completed])
            .when(
                .lookAtClock, on: "2027-03-13", at: "00:00",
                then: [.dayBegan("2027-03-13"), .missed("1"), .reminds("2027-03-13/missed/1", .sample())])
        Self.linked([.moods])
            .when(
                .lookAtClock, on: "2027-03-13", at: "00:00",
                then: [.dayBegan("2027-03-13"), .reminds("2027-03-13/missed/1", .sample())])
    }

    @Test func `notes how far the practice has heard, also if it is less than before`() {
        Self.linked([.completed]).having(.start(nil))
            .when(.noteReported(through: 5, of: "d"), then: [.reported(through: 5, of: "d")])
            .when(.noteReported(through: 5, of: "d"), then: [])
            .when(.noteReported(through: 3, of: "d"), then: [.reported(through: 3, of: "d")])
            .when(.noteReported(through: 5, of: "e"), refused: .otherDevice("d"))
            .when(.noteReported(through: 1_000, of: "d"), refused: .historyReplaced)
    }

    @Test func `a renewed device has reported nothing`() {
        Self.linked([.completed]).having(.noteReported(through: 2, of: "d"))
            .when(.renewDevice("d", to: "e"), then: [.deviceRenewed("e")])
            .then { #expect($0.plan.link?.reported == 0 && $0.plan.link?.shares[.completed] != nil) }
            .when(.renewDevice("d", to: "f"), then: [])
    }

    @Test func `takes each revision of the practice's schedule once`() {
        let schedule = Schedule.of(.sample("1"), .sample("2", due: "2027-03-06"))
        Self.linked()
            .when(
                .takeSchedule(schedule, file: nil, revision: 3),
                then: [
                    .assigned(.sample("2", due: "2027-03-06")),
                    .scheduleTaken(
                        ScheduleChange(added: 1, changed: 0, withdrawn: 0, unchanged: 1, kept: 0), file: nil,
                        revision: 3),
                    .reminds("2027-03-05/scheduleTaken/1", count: 2),
                ]
            )
            .when(.takeSchedule(.of(), file: nil, revision: 3), then: [])
            // It is recorded, so that the practice hears that it was taken in.
            .when(
                .takeSchedule(schedule, file: nil, revision: 4),
                then: [
                    .scheduleTaken(
                        ScheduleChange(added: 0, changed: 0, withdrawn: 0, unchanged: 2, kept: 0), file: nil,
                        revision: 4)
                ])
        Scenario.opened().when(.takeSchedule(schedule, file: nil, revision: 3), refused: .notLinked)
    }

    /// Its tasks counted as missed in 2098, and missed ones are kept, although the practice has dropped them.
    @Test func `takes the practice's schedule again after a day was taken back`() {
        let (both, first) = (Schedule.of(.sample("1"), .sample("2", due: "2027-03-06")), Schedule.of(.sample("1")))
        Self.linked().having(.takeSchedule(both, file: nil, revision: 3))
            .having(.lookAtClock, on: "2098-01-01").having(.takeSchedule(first, file: nil, revision: 4))
            .clock { $0.set(to: "2027-03-05", "09:00") }.having(.lookAtClock)
            .then { #expect($0.plan.link?.revision == nil && $0.plan.agenda["2"] != nil) }
            .having(.takeSchedule(first, file: nil, revision: 4))
            .then { #expect($0.plan.link?.revision == 4 && $0.plan.agenda["2"] == nil) }
    }

    @Test(arguments: [
        ("practice@clinic.example", true), ("clinic", true), ("", false), ("-oProxyCommand=x", false), ("a b", false),
        ("a\nb", false), ("zażółć", false), (String(repeating: "a", count: 300), true),
        (String(repeating: "a", count: 301), false),
    ]) func `an address is one word that ssh takes for no option`(text: String, isOne: Bool) {
        #expect(PracticeLink.isAddress(text) == isOne)
    }
}

@Suite struct `A task that the client did on another machine` {
    private static let all = Schedule.of(.sample("1"), .sample("3", breaths: 9), .sample("2", due: "2027-03-06"))

    private static func linked(_ shares: Set<Share> = [.completed]) -> Scenario {
        Scenario.opened().having(.link(practice: "practice@clinic", device: "d", shares: shares), at: "08:00")
            // The presence is told once.
            .having(told())
    }

    private static func told(_ done: DoneElsewhere...) -> Command {
        .takeNews(
            PracticeNews(
                isAvailable: false, provider: nil, availableUntil: nil, counts: NewsCounts(), doneElsewhere: done),
            believed: .seconds(900))
    }

    private static func taken(_ done: DoneElsewhere...) -> Command {
        .takeSchedule(all, file: nil, revision: 3, doneElsewhere: done)
    }

    @Test func `is completed as soon as it is assigned, is not unlocked, and nobody is reminded of it`() {
        Self.linked().having(
            Self.taken(DoneElsewhere("1", on: "2027-03-04"), DoneElsewhere("3", on: "2027-03-05")), at: "09:00"
        )
        .then {
            #expect($0.plan.progress["3"]?.completedOn == "2027-03-05" && $0.plan.completed.count == 2)
            #expect($0.plan.progress["3"]?.unlockedOn == nil && $0.plan.progress["3"]?.mood == nil)
            #expect($0.plan.completedLast == nil)
        }
        .when(.lookAtClock, at: "18:00", then: [])
        .when(.start("1"), refused: .alreadyCompleted("1", on: "2027-03-04"))
        .when(Self.told(DoneElsewhere("1", on: "2027-03-04")), then: [])
    }

    @Test func `is completed once, by the first word of it`() {
        Self.linked().having(Self.taken(), at: "09:00")
            .having(Self.told(DoneElsewhere("1", on: "2027-03-05")))
            .when(
                Self.told(DoneElsewhere("1", on: "2027-03-04"), DoneElsewhere("unknown", on: "2027-03-05")), then: []
            )
            .then { #expect($0.plan.progress["1"]?.completedOn == "2027-03-05") }
    }

    @Test func `stays when the schedule drops or changes it`() {
        Self.linked().having(Self.taken(DoneElsewhere("1", on: "2027-03-05")), at: "09:00")
            .having(.takeSchedule(Schedule.of(.sample("1", breaths: 9)), file: nil, revision: 4))
            .then { #expect($0.plan.agenda["1"]?.breaths != 9 && $0.plan.agenda["2"] == nil) }
            .having(.takeSchedule(Schedule.of(), file: nil, revision: 5))
            .then { #expect($0.plan.agenda["1"] != nil) }
    }

    @Test func `can be finished here by a client who is in the middle of it`() {
        Self.linked().having(Self.taken(), at: "09:00").having(.start("1"))
            .when(Self.told(DoneElsewhere("1", on: "2027-03-05")), then: [])
            .having(.cancel)
            .having(Self.told(DoneElsewhere("1", on: "2027-03-05")))
            .then { #expect($0.plan.progress["1"]?.completedOn == "2027-03-05") }
    }

    /// It may have other tasks of the same names.
    @Test func `is none of a file's`() {
        let done = DoneElsewhere("1", on: "2027-03-05")
        Self.linked().having(.takeSchedule(Self.all, file: Fingerprint("f")), at: "09:00")
            .when(Self.told(done), then: [])
            .having(Self.taken()).having(.takeSchedule(Self.all, file: Fingerprint("g")))
            .when(Self.told(done), then: [])
    }

    @Test func `that is days ahead of this machine's clock waits for its day`() {
        Self.linked().having(Self.taken(), at: "09:00")
            .when(Self.told(DoneElsewhere("3", on: "2027-03-07")), then: [])
            .when(
                Self.told(DoneElsewhere("3", on: "2027-03-06")), then: [.completedElsewhere("3", on: "2027-03-06")])
    }
}

@Suite struct `The practice's news` {
    private static func news(
        mail: Int = 0, chat: Int = 0, surveys: Int = 0, broadcasts: Int = 0, available: Bool = false,
        provider: String? = nil, until: Instant? = nil
    ) -> Command {
        .takeNews(
            PracticeNews(
                isAvailable: available, provider: provider, availableUntil: until,
                counts: counts(mail, chat, surveys, broadcasts)), believed: .seconds(900))
    }

    private static func counts(_ mail: Int, _ chat: Int = 0, _ surveys: Int = 0, _ broadcasts: Int = 0) -> NewsCounts {
        NewsCounts(
            unreadMail: mail, urgentMail: 0, unreadChat: chat, surveysDue: surveys, broadcasts: broadcasts)
    }

    private static func linked(by settings: Settings = Settings()) -> Scenario {
        Scenario.opened(by: settings).having(
            .link(practice: "practice@clinic", device: "d", shares: []), at: "08:00"
        )
        // The presence is told once, with the name.
        .having(news())
    }

    private static func held(_ id: String, _ kind: Reminder.Kind, _ count: Int) -> Happening {
        .held(Reminder(id: id, kind: kind, count: count))
    }

    @Test func `bring one reminder of each kind whose count rose since the last`() {
        Self.linked()
            .when(
                Self.news(mail: 2, surveys: 1),
                then: [
                    .newsHeard(Self.counts(2, 0, 1)), .reminds("2027-03-05/mail/1", count: 2),
                    .reminds("2027-03-05/survey/1", count: 1),
                ]
            )
            .when(Self.news(mail: 2, surveys: 1), then: [])
            // One was read, and the other is still unread.
            .when(Self.news(mail: 1, surveys: 1), then: [.newsHeard(Self.counts(1, 0, 1))])
            .when(
                Self.news(mail: 2, surveys: 1),
                then: [.newsHeard(Self.counts(2, 0, 1)), .reminds("2027-03-05/mail/2", count: 2)])
    }

    @Test func `wait for the end of the quiet hours, and are dropped if everything was read by then`() {
        let quiet = Settings(quietHours: QuietHours(from: 7 * 60, to: 9 * 60))
        let heard = Self.linked(by: quiet).when(
            Self.news(mail: 1, chat: 3), at: "08:00",
            then: [
                .newsHeard(Self.counts(1, 3)), Self.held("2027-03-05/mail/1", .mail, 1),
                Self.held("2027-03-05/chat/1", .chat, 3),
            ])
        heard.having(Self.news(mail: 0, chat: 2)).then { scenario in
            let kinds = scenario.having(.lookAtClock, at: "09:00").history.compactMap { event in
                if case .reminded(let reminder) = event.what { "\(reminder.kind) \(reminder.count)" } else { nil }
            }
            #expect(kinds.contains("chat 2") && !kinds.contains { $0.hasPrefix("mail") })
        }
    }

    @Test func `of an urgent letter come in quiet hours if the settings say so, and wait for no snooze`() {
        func urgent(_ mail: Int, _ urgent: Int) -> NewsCounts {
            NewsCounts(unreadMail: mail, urgentMail: urgent, unreadChat: 0, surveysDue: 0, broadcasts: 0)
        }
        func told(_ counts: NewsCounts) -> Command {
            .takeNews(
                PracticeNews(isAvailable: false, provider: nil, availableUntil: nil, counts: counts),
                believed: .seconds(900))
        }
        var settings = Settings(quietHours: QuietHours(from: 7 * 60, to: 9 * 60))
        let held = Self.held("2027-03-05/mail/1", .mail, 1)
        Self.linked(by: settings).when(told(urgent(1, 1)), at: "08:00", then: [.newsHeard(urgent(1, 1)), held])
        settings.tellsUrgentInQuietHours = true
        let heard = Self.linked(by: settings)
            .when(told(urgent(1, 0)), at: "08:00", then: [.newsHeard(urgent(1, 0)), held])
            .when(
                told(urgent(2, 1)), at: "08:01",
                then: [.newsHeard(urgent(2, 1)), .reminds("2027-03-05/mail/1", count: 2)])
        // The urgent letter is told of once, also if another one was read meanwhile.
        heard.when(told(urgent(2, 1)), at: "08:02", then: [])
            .when(told(urgent(1, 1)), at: "08:03", then: [.newsHeard(urgent(1, 1))])
        Self.linked().having(.snooze(until: VirtualClock.instant("2027-03-05", "08:30")), at: "08:00").when(
            told(urgent(1, 1)), at: "08:01",
            then: [.newsHeard(urgent(1, 1)), .reminds("2027-03-05/mail/1", count: 1)])
        Self.linked(by: settings).having(.start(nil)).having(.breathe).when(
            told(urgent(1, 1)), then: [.newsHeard(urgent(1, 1)), held])
    }

    @Test func `wait while the client snoozes or is guided, and count for the day's limit`() {
        let snoozed = Self.linked().having(.snooze(until: VirtualClock.instant("2027-03-05", "08:30")), at: "08:00")
        snoozed.when(
            Self.news(broadcasts: 1), at: "08:01",
            then: [.newsHeard(Self.counts(0, 0, 0, 1)), Self.held("2027-03-05/broadcast/1", .broadcast, 1)])
        Self.linked().having(.start(nil)).having(.breathe).when(
            Self.news(chat: 1),
            then: [.newsHeard(Self.counts(0, 1)), Self.held("2027-03-05/chat/1", .chat, 1)])
        // The unlocking was the first of them.
        Self.linked(by: Settings(remindersADay: 1)).when(
            Self.news(chat: 1),
            then: [.newsHeard(Self.counts(0, 1)), Self.held("2027-03-05/chat/1", .chat, 1)])
    }

    /// Two reminder times are still to come.
    @Test func `leave room for the reminders of the open task`() {
        let settings = Settings(remindersADay: 4)
        let (nine, six) = (
            Happening.reminds("2027-03-05/stillOpen/09:00", .sample()),
            Happening.reminds("2027-03-05/stillOpen/18:00", .sample())
        )
        Self.linked(by: settings)
            .when(
                Self.news(mail: 1), at: "08:01",
                then: [.newsHeard(Self.counts(1)), .reminds("2027-03-05/mail/1", count: 1)]
            )
            .when(
                Self.news(mail: 1_000), at: "08:02",
                then: [.newsHeard(Self.counts(1_000)), Self.held("2027-03-05/mail/2", .mail, 1_000)]
            )
            .when(
                Self.news(mail: 100_000), at: "08:03",
                then: [
                    .newsHeard(Self.counts(100_000)), Self.held("2027-03-05/mail/2", .mail, 100_000),
                ]
            )
            .when(.lookAtClock, at: "09:00", then: [nine])
            .when(
                .takeSchedule(.of(.sample(), .sample("2", due: "2027-03-09")), file: nil, revision: 1), at: "09:01",
                then: [
                    .assigned(.sample("2", due: "2027-03-09")),
                    .scheduleTaken(
                        ScheduleChange(added: 1, changed: 0, withdrawn: 0, unchanged: 1, kept: 0), file: nil,
                        revision: 1),
                    Self.held("2027-03-05/scheduleTaken/1", .scheduleTaken, 2),
                ]
            )
            .when(.lookAtClock, at: "18:00", then: [six])
    }

    @Test func `are foretold for no day that has no room for them`() {
        let full = Self.linked(by: Settings(reminderMinutes: [540], remindersADay: 1)).having(Self.news(chat: 1))
        #expect(full.outlook.nextReminder == .wall(WallTime(day: "2027-03-06", minute: 540)))
        full.when(.lookAtClock, on: "2027-03-06", at: "00:00", then: [.dayBegan("2027-03-06")])
            .when(.lookAtClock, at: "09:00", then: [.reminds("2027-03-06/overdue/09:00", .sample())])
    }

    @Test func `are foretold for the end of a session only if there is room then`() {
        func inSession(_ limit: Int) -> Scenario {
            Self.linked(by: Settings(remindersADay: limit)).having(.lookAtClock, at: "09:00").having(.online())
                .having(.start(nil), at: "09:30").having(Self.news(mail: 1, available: true), at: "09:31")
        }
        #expect(inSession(4).outlook.nextReminder == .instant(VirtualClock.instant("2027-03-05", "13:30")))
        #expect(inSession(3).outlook.nextReminder == .wall(WallTime(day: "2027-03-05", minute: 1_080)))
        inSession(3).when(.lookAtClock, at: "13:30", then: [])
            .when(.lookAtClock, at: "18:00", then: [.reminds("2027-03-05/stillOpen/18:00", .sample())])
    }

    @Test func `that wait for the end of a muting are foretold for it, with no task open, too`() {
        let until = VirtualClock.instant("2027-03-05", "08:30")
        let muted = Self.linked().having(.online()).having(.snooze(until: until))
            .having(.start(nil)).having(.leave).having(.logMood("calm")).having(Self.news(chat: 1))
        #expect(muted.outlook.nextReminder == .instant(until))
        muted.when(
            .lookAtClock, at: "08:30", then: [.snoozeEnded, .reminds("2027-03-05/chat/1", count: 1)])
    }

    @Test func `that wait for the end of a session beyond midnight are foretold for it`() {
        let session = Self.linked(by: Settings(reminderMinutes: [])).having(.online(), at: "21:59")
            .having(.start(nil), at: "22:00").having(Self.news(mail: 1, available: true), at: "22:01")
        let over = VirtualClock.instant("2027-03-06", "02:00")
        #expect(session.outlook.nextReminder == .instant(over))
        session.having(.lookAtClock, on: "2027-03-06", at: "00:00").when(
            .lookAtClock, on: "2027-03-06", at: "02:00", then: [.reminds("2027-03-05/mail/1", count: 1)])
    }

    /// The unlocking was told, and two reminder times are still to come.
    @Test func `need no room for a day's first letter if it is urgent`() {
        func urgent(_ count: Int) -> NewsCounts {
            NewsCounts(unreadMail: count, urgentMail: count, unreadChat: 0, surveysDue: 0, broadcasts: 0)
        }
        func told(_ count: Int) -> Command {
            .takeNews(
                PracticeNews(isAvailable: false, provider: nil, availableUntil: nil, counts: urgent(count)),
                believed: .seconds(900))
        }
        Self.linked(by: Settings(remindersADay: 3))
            .when(
                told(1), at: "08:01", then: [.newsHeard(urgent(1)), .reminds("2027-03-05/mail/1", count: 1)]
            )
            .when(
                told(2), at: "08:02",
                then: [.newsHeard(urgent(2)), Self.held("2027-03-05/mail/2", .mail, 2)])
    }

    @Test func `are recorded without end no more than a practice needs on a day`() {
        func flood(_ scenario: Scenario, on day: CalendarDay) -> (scenario: Scenario, taken: Int) {
            var (scenario, taken) = (scenario.having(.lookAtClock, on: day, at: "08:00"), 0)
            for count in 1...3_000 {
                do {
                    scenario.record(try scenario.decide(Self.news(mail: count % 2)))
                    taken += 1
                } catch {
                    #expect(error == .practiceSaysTooMuch)
                    break
                }
            }
            return (scenario, taken)
        }
        var (scenario, taken) = flood(Self.linked(by: Settings(remindersADay: 0)), on: "2027-03-06")
        #expect((500...2_000).contains(taken), "\(taken)")
        for day in ["2027-03-07", "2027-03-08"] as [CalendarDay] {
            (scenario, taken) = flood(scenario, on: day)
            #expect((100...400).contains(taken), "\(taken)")
        }
        // Calm days make up for it.
        let last: CalendarDay = "2027-03-08"
        for day in 1...6 { scenario = scenario.having(.lookAtClock, on: last + day, at: "08:00") }
        #expect(flood(scenario, on: "2027-03-15").taken > 500)
    }

    @Test func `are not current any more once they are read, or the link ends`() {
        let heard = Self.linked().having(Self.news(mail: 1, chat: 1))
        func current(_ scenario: Scenario) -> [Reminder.Kind] {
            scenario.outlook.currentReminders(of: scenario.plan).map(\.reminder.kind)
        }
        #expect(current(heard) == [.unlocked, .mail, .chat])
        #expect(current(heard.having(Self.news(chat: 1))) == [.unlocked, .chat])
        #expect(current(heard.having(.unlink)) == [.unlocked])
    }

    @Test func `tell the provider's presence, which is recorded again only when half of its time has passed`() {
        Self.linked()
            .when(
                Self.news(available: true, provider: "Ana"), at: "09:00",
                then: [
                    .reminds("2027-03-05/stillOpen/09:00", .sample()),
                    `The provider's presence`.presence("09:00", "09:15", name: "Ana"),
                    `The provider's presence`.available(1),
                ]
            )
            .when(Self.news(available: true, provider: "Ana"), at: "09:05", then: [])
            .when(
                Self.news(available: true, provider: "Ana"), at: "09:08",
                then: [`The provider's presence`.presence("09:08", "09:23", name: "Ana")]
            )
            .when(
                Self.news(available: true, provider: "Ana", until: VirtualClock.instant("2027-03-05", "09:10")),
                at: "09:09", then: [`The provider's presence`.presence("09:09", "09:10", name: "Ana")]
            )
            .when(
                Self.news(provider: "Ana"), at: "09:09:30",
                then: [`The provider's presence`.presence("09:09:30", "09:09:30", online: false, name: "Ana")]
            )
            .when(Self.news(provider: "Ana"), at: "09:20", then: [])
    }
}
