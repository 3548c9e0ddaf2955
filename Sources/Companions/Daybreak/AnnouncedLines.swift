import Companion
import DaybreakInterfaces
import Varlink

/// The practice's announcements with their texts, as lines under another page.
struct AnnouncedLines {
    let announced: Link.Announcements.Reply
    /// Nil if there is no terminal.
    let columns: Int?
    let ink: Ink

    /// The lines of one announcement; the rest of a longer one is for `daybreak announcements`.
    private static let longest = 6

    /// Empty if there are none.
    var text: String {
        guard let announcements = announced.announcements, !announcements.isEmpty else { return "" }
        let dismissable = announcements.first(where: \.dismissable)
        let advice = dismissable.map { "`daybreak announcements dismiss \($0.id.shown)` takes it away." }
        let more = announcements.contains(where: isLong) ? "`daybreak announcements` shows all of it." : nil
        let hints = [more, announcements.count == 1 ? advice : advice.map { _ in Self.dismissal }].compactMap { $0 }
        return "\n  Your practice announces:\n" + announcements.map(text).joined()
            + hints.flatMap { $0.wrapped(to: columns.map { max(1, $0 - 4) } ?? .max) }
            .map { "    \(ink.faint($0))\n" }.joined()
    }

    private static let dismissal = "`daybreak announcements dismiss ID` takes one away."

    private func text(_ announcement: Link.Announcement) -> String {
        let lines = lines(announcement)
        let shown = Array(lines.prefix(Self.longest)) + (isLong(announcement) ? ["…"] : [])
        return shown.enumerated().map { place, line in
            "  \(place == 0 ? "•" : " ") \(announcement.important ? ink.warm(line) : line)\n"
        }.joined()
    }

    private func isLong(_ announcement: Link.Announcement) -> Bool { lines(announcement).count > Self.longest }

    private func lines(_ announcement: Link.Announcement) -> [String] {
        let mark = announcement.dismissable ? " (\(announcement.id.shown))" : ""
        return (announcement.importance + announcement.text + mark).paragraphs(columns: columns.map { max(1, $0 - 4) })
    }
}

extension Link.Announcement {
    /// "Important: " before the text of an important one.
    var importance: String { important ? "Important: " : "" }
}

extension Homework.News {
    /// The announcements that this news counts, with their texts, and the surveys that are due, with their days. Nil if there are
    /// none, and from a daemon that tells none.
    func announced(over connection: DaemonConnection) throws(Failure) -> Link.Announcements.Reply? {
        guard broadcasts > 0 || surveysDue > 0 else { return nil }
        let reply = try connection.reply(to: Link.Announcements())
        return reply.error == nil ? try connection.decode(Link.Announcements.self, from: reply) : nil
    }
}
