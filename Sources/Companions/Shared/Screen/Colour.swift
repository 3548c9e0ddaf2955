import Text

/// The number of colours that the terminal has.
public enum ColourDepth: Equatable, Sendable {
    case none, sixteen, indexed, full
}

extension ColourDepth {
    /// From NO_COLOR, COLORTERM and TERM.
    public init(environment: [String: String]) {
        let terminal = environment["TERM"] ?? "dumb"
        let refused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let promised = environment["COLORTERM"]
        if refused || terminal == "dumb" || terminal.hasPrefix("vt") {
            self = .none
        } else if promised == "truecolor" || promised == "24bit" || terminal.hasSuffix("-direct") {
            self = .full
        } else {
            self = terminal.includes("256color") ? .indexed : .sixteen
        }
    }
}

/// A mixture of red, green and blue, each from 0 to 1.
public struct Colour: Equatable, Sendable {
    public var red: Double
    public var green: Double
    public var blue: Double

    public init(_ red: Double, _ green: Double, _ blue: Double) {
        self.red = red / 255
        self.green = green / 255
        self.blue = blue / 255
    }

    /// This colour at a share of 0, `other` at 1.
    public func mixed(with other: Colour, _ share: Double) -> Colour {
        let share = min(1, max(0, share))
        var mixed = self
        mixed.red += (other.red - red) * share
        mixed.green += (other.green - green) * share
        mixed.blue += (other.blue - blue) * share
        return mixed
    }
}

/// A colour as it is sent to the terminal; two that look the same are equal.
public enum Pigment: Equatable, Sendable {
    /// The terminal's own colour.
    case standard
    /// One of the sixteen colours, which the client's theme defines.
    case basic(UInt8)
    /// One of the 256 colours (xterm's cube and greys).
    case indexed(UInt8)
    case full(UInt8, UInt8, UInt8)
}

extension Colour {
    /// The nearest colour of a depth of `.indexed` or `.full`. Of the 16 million colours a quarter million are used, so that
    /// no change is sent that the eye does not see.
    public func pigment(_ depth: ColourDepth) -> Pigment {
        let (red, green, blue) = (Self.level(red), Self.level(green), Self.level(blue))
        guard depth == .indexed else {
            return .full(Self.coarse(red), Self.coarse(green), Self.coarse(blue))
        }
        return .indexed(Self.nearestIndex(red, green, blue))
    }

    private static func level(_ share: Double) -> Double { min(255, max(0, share * 255)) }
    private static func coarse(_ level: Double) -> UInt8 { UInt8(level) & 0xFC }

    private static let cube: [Double] = [0, 95, 135, 175, 215, 255]

    /// The index of the nearest level in ``cube``.
    private static func step(_ level: Double) -> Int { level < 47.5 ? 0 : level < 115 ? 1 : Int((level - 35) / 40) }

    private static func nearestIndex(_ red: Double, _ green: Double, _ blue: Double) -> UInt8 {
        let steps = (step(red), step(green), step(blue))
        let grey = min(23, max(0, (((red + green + blue) / 3 - 8) / 10).rounded()))
        let far = squared(red - cube[steps.0]) + squared(green - cube[steps.1]) + squared(blue - cube[steps.2])
        let shade = 8 + grey * 10
        let farGrey = squared(red - shade) + squared(green - shade) + squared(blue - shade)
        return farGrey < far ? UInt8(232 + grey) : UInt8(16 + steps.0 * 36 + steps.1 * 6 + steps.2)
    }

    private static func squared(_ value: Double) -> Double { value * value }
}
