import Companion

/// Shows the link of a meeting in the client's browser.
enum MeetingLink {
    /// False if there is no xdg-open, or the text is no link.
    static func open(_ link: String) -> Bool {
        guard link.contains("://"), !link.hasPrefix("-") else { return false }
        return ChildProcess.startDetached(["xdg-open", link])
    }
}
