/// Colours for printed lines, if the terminal has colours.
public struct Ink: Sendable {
    public let isOn: Bool

    public static let plain = Ink(isOn: false)

    public func strong(_ text: String) -> String { dressed(text, "1") }
    public func faint(_ text: String) -> String { dressed(text, "2") }
    public func warm(_ text: String) -> String { dressed(text, "33") }
    public func good(_ text: String) -> String { dressed(text, "32") }
    public func slanted(_ text: String) -> String { dressed(text, "3") }
    public func open(_ text: String) -> String { dressed(text, "1;33") }

    private func dressed(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension Ink {
    /// Off for NO_COLOR (no-color.org), for TERM=dumb, and if the output is no terminal.
    public init(terminal: Bool, environment: [String: String]) {
        let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isOn = terminal && !refused && environment["TERM"] != "dumb" && environment["TERM"] != nil
    }
}
