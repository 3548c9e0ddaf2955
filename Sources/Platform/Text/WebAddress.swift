/// A web address that begins with `https://` or `http://`, and has only characters that RFC 3986 allows unencoded.
public struct WebAddress {
    /// Bytes of an address. Browsers do not take more.
    public static let byteLimit = 2_000

    public let isSecure: Bool
    /// The host, with its port and the user if they are named (RFC 3986, 3.2).
    private let authority: Substring.UTF8View

    /// Nil if the text is no such address.
    public init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let forbidden = Set(#""<>\^`{|}"#.utf8)
        guard rest.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else { return nil }
        guard let first = rest.first.map({ Character(Unicode.Scalar($0)) }) else { return nil }
        guard first.isLetter || first.isNumber || first == "[" else { return nil }
        isSecure = scheme == "https://"
        authority = rest.prefix { !"/?#".utf8.contains($0) }
    }

    /// True if a user stands before the host, where a reader takes it for the host.
    public var namesUser: Bool { authority.contains(UInt8(ascii: "@")) }

    /// True for an address of a meeting: a therapist may send it to a client.
    public static func isMeeting(_ text: String) -> Bool {
        guard text.utf8.count <= byteLimit, let address = WebAddress(text) else { return false }
        return address.isSecure && !address.namesUser
    }
}
