import Companion

/// The link of a meeting, shown by whatever the client's desktop shows links with.
enum Link {
    /// False where there is no xdg-open, or the link is none.
    static func open(_ link: String) -> Bool {
        guard link.contains("://"), !link.hasPrefix("-") else { return false }
        return ChildProcess.start(["xdg-open", link])
    }
}
