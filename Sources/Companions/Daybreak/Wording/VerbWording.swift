import DaybreakInterfaces

/// What the verbs say of themselves, and what they answer.
extension Wording {
    enum About {
        static let daybreak = "Your homework, one day at a time."
        static let today = "Today"
        static let stepByStep = "Step by step"
        static let lookingBack = "Looking back"
        static let lookingAhead = "Looking ahead"
        static let upkeep = "Upkeep"

        static let list = "Show my tasks."
        static let show = "Show everything about one task: its steps, its breaths, its mood, its notes."
        static let start = "Go through today's task, guided from the breathing to the mood."
        static let breathe = "Be led through the running exercise, line by line."
        static let pause = "Hold the exercise."
        static let resume = "Go on with the breath that was broken off, from its beginning."
        static let restart = "Begin the exercise again, from its first breath."
        static let join = "Go into the session, when the provider is available."
        static let leave = "Leave the session."
        static let mood = "Log the mood of the task in progress, or list its choices."
        static let moods = "Show the moods over time: a calendar, a chart, or a page to take along."
        static let note = "Write something down: kept with the task, or for the next session."
        static let notes = "Show the notes of a task; left out: what the next session should not forget."
        static let cancel = "Give the task up for now; nothing is completed, and what was done is kept."
        static let status = "Show how things stand."
        static let reminders = "Show the reminders that were given."
        static let snooze = "Hear nothing of what is still open for a while, today; then once."
        static let provider = "Show whether the provider is available, or tell Daybreak that they are."
        static let schedule = "Take in a schedule of tasks, or check one."
        static let scheduleImport = "Replace the schedule by the one in FILE, whole or not at all."
        static let scheduleCheck = "Say what importing FILE would change, or what is wrong with it."
        static let explain = "Say why a task is locked, open or missed; or explain the kinds of reminder."
        static let simulate =
            "Show what is to come if nobody does anything: what unlocks, is reminded of and is missed, and when."
        static let doctor = "Say what is wrong with Daybreak here, and what to do about it."
        static let doctorJSON = "Print the findings as one line of JSON."
        static let backup = "Copy the whole history into FILE, as it is now."
        static let restore = "Put a backup, or an export, in the history's place; the one before is kept."
        static let export = "Print everything that happened, one JSON object a line."
        static let erase = "Erase the mood and the notes of a task, or everything, for good."
        static let reload = "Have daybreakd read its configuration and schedule again."

        static let json = "Print what daybreakd answers, as one line of JSON."
        static let simulateJSON = "Print it as one JSON object."
        static let from = "The first day: 2026-11-21, today (left out: that) or tomorrow."
        static let days = "How many days, 1 to 3660 (left out: 7)."
        static let zone = "In another time zone, such as Europe/Berlin."
        static let config = "By these settings instead of the installed ones."
        static let simulatedSchedule = "That schedule alone, as if it were new, instead of what the history holds."
        static let backupFile = "A file that is not there yet."
        static let restoreFile = "What `daybreak backup` or `daybreak export` wrote."
        static let everything = "All that ever happened, and every copy that Daybreak keeps."
        static let yes = "Do not ask first."
        static let socket = "The control socket to speak to (default: DAYBREAK_SOCKET, else the one of this user)."
        static let all = "Every task, with its name."
        static let completed = "Every task that is completed."
        static let upcoming = "Every task that is open or still to come."
        static let missed = "Every task that can no longer be done."
        static let noPager = "Print what is longer than the terminal at once, without PAGER (else less)."
        static let moodsSince = "Only from that day on (2026-11-20)."
        static let plot = "A chart in place of the calendar."
        static let svg = "Write the chart to FILE, a drawing; - is standard output."
        static let html = "Write calendar and chart to FILE, a page that needs nothing else; - is standard output."
        static let force = "Write over a file that is there already."
        static let format = "For a bar or a prompt: waybar, i3status-rust, plain or json, on one line."
        static let correct = "Correct the mood of a completed task, the last one or the one named, to this word."
        static let startTask =
            "A task: its name, its day (2026-11-20), today or yesterday; left out: the one that is open."
        static let plain = "Lines of text instead of a full screen, fit for a screen reader."
        static let pattern = "How each breath goes: a pattern's name, or seconds such as 4-0-6-0."
        static let noCountdown = "No seconds: neither of the phase nor of what is left."
        static let reducedMotion = "The words change, and nothing moves."
        static let sound = "A cue at each phase, for closed eyes: the settings' command, or the terminal's bell."
        static let moodWord =
            "One of the task's moods; - reads it from standard input; left out: list them. "
            + "With --correct: the task that is meant."
        static let follow = "Stay, and print every change."
        static let since = "Only from then on: a day (2026-11-20), or an instant with its offset."
        static let until = "A length (30m, 1h30m) or a time of today (18:00); off ends the snooze."
        static let showTask =
            "A task: its name, its day (2026-11-20), today, yesterday or tomorrow; left out: the open one."
        static let noteText = "The note; - reads it from standard input, left out, from the terminal."
        static let noteTask = "The task to keep it with: its name, its day, today or yesterday."
        static let noteNext = "Keep it for the next session."
        static let whichTask = "A task: its name, its day (2026-11-20), today, yesterday or tomorrow."
        static let presence = "online or offline; left out: show it."
        static let providerName = "Who it is; - reads it from standard input."
        static let forSeconds = "How long this is good for: seconds, or a length such as 5m."
        static let file = "A schedule: a JSON array of [breath count, mood choices, due date]. - is standard input."
        static let what =
            "A task: its name, its day (2026-11-20), today, yesterday or tomorrow; or a kind of reminder. "
            + "Left out: all kinds."
    }

    static let noMoodNow =
        "No task is open now, so there is no mood to choose. "
        + "`daybreak mood --correct WORD` changes the last one."
    static let noMoodToLog =
        "No task is in progress; `daybreak start` begins one. `daybreak mood --correct WORD` changes the last mood."
    static let reloaded = "The configuration and the schedule were read again."
    static let snoozeWhat =
        "Say until when: `daybreak snooze 30m`, `daybreak snooze until 18:00`, or `daybreak snooze off`."
    static let correctWhat = "With --correct, name one task at the most; a mood of several words stands in quotes."
    static let exerciseOver = "The exercise is done. `daybreak start` leads on to the wait room."

    static func mayChoose(_ moods: [String]) -> String { moods.map { $0.shown + "\n" }.joined() }

    static func step(_ reply: Homework.LogMood.Reply) -> String {
        if let flow = reply.flow { return standing(of: flow) }
        return outcome(reply.assignment)
    }

    static func moodLogged(_ reply: Homework.LogMood.Reply) -> String {
        guard let flow = reply.flow else { return outcome(reply.assignment) }
        let mood = reply.assignment.mood.map { "“\($0.shown)”" } ?? "The mood"
        return "\(mood) is logged. \(standing(of: flow))"
    }

    static func snoozed(_ status: Homework.Status) -> String {
        guard let until = status.snoozedUntil else { return "Reminders are not snoozed." }
        return "You hear nothing of what is still open until \(snoozeEnd(until, status)); then once."
    }

    static func presence(_ reply: Provider.Presence.Reply, today: String? = nil) -> String {
        let who = reply.name?.shown ?? "The provider"
        guard reply.online else { return "\(who) is not available now." }
        let until = reply.until.map { ", until \(clock($0, today: today)) unless renewed" } ?? ""
        return "\(who) is available\(until)."
    }

    static func told(online: Bool) -> String {
        online ? "The provider is shown as available." : "The provider is shown as not available."
    }

    static func notALength(_ text: String) -> String {
        "“\(text.shown)” is not a length from 1s to 24h; write seconds (90) or a length such as 5m or 1h30m."
    }

    static let soundAlone = "The schedule is good. What it would change, only a running daybreakd can say."

    static func imported(_ reply: Homework.Import.Reply, dryRun: Bool) -> String {
        let parts = [
            (reply.added, "added"), (reply.changed, "changed"), (reply.withdrawn, "withdrawn"),
            (reply.kept, "kept, because \(reply.kept == 1 ? "it was" : "they were") started"),
            (reply.unchanged, "unchanged"),
        ]
        let said = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let what = said.isEmpty ? "no tasks in it" : said
        if dryRun { return "The schedule is good. It would mean: \(what)." }
        return "The schedule was taken in: \(what)." + (reply.fileDiffers == true ? "\n" + fileDiffers : "")
    }

    static let fileDiffers =
        """
        tasks.json still has another text: a restart or `daybreak reload` leaves it alone; once it is saved with a change, \
        it takes the place of what was imported.
        """

    static func unreadable(_ file: String, why: String) -> String { "\(file.shown) cannot be read: \(why)." }
    static func tooLarge(_ file: String, limit: Int) -> String {
        "\(file.shown) is larger than \(limit / 1024) KB, and nothing that long is asked for here."
    }
    static func notText(_ file: String, line: Int, column: Int) -> String {
        "\(file.shown):\(line):\(column): This is not UTF-8 text."
    }
}
