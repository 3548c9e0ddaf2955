import Text

/// An address that a link may lead to: a page of the web, or a mailbox.
public struct SafeAddress: Equatable, Sendable {
    public let text: String

    /// Nil for every other address, such as one that runs a script or names a file.
    public init?(_ text: String) {
        let isMail = text.lowercased().hasPrefix("mailto:") && text.utf8.count <= WebAddress.byteLimit
        let isClean = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        guard isClean, isMail || text.utf8.count <= WebAddress.byteLimit && WebAddress(text)?.namesUser == false else {
            return nil
        }
        self.text = text
    }
}
