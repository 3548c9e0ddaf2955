import Companion
import Text

/// Shows the link of a meeting in the client's browser, by xdg-open, which may be missing or may find no browser.
final class MeetingLink {
    let link: String
    private let opener: DetachedProgram?

    init(_ link: String) {
        self.link = link
        let isLink = link.includes("://") && !link.hasPrefix("-")
        let command = #"xdg-open "$1" >/dev/null || echo failed"#
        opener = isLink ? DetachedProgram(["/bin/sh", "-c", command, "sh", link]) : nil
    }

    /// Readable once xdg-open has failed or ended; nil if it could not be started.
    var descriptor: Int32? { opener?.descriptor }

    /// True if the link was not opened. Waits until ``descriptor`` is readable.
    var hasFailed: Bool { opener?.hasWritten ?? true }
}
