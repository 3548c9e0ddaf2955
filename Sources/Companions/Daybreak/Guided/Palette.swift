import Companion

/// The colours of a screen, at the depth that the terminal takes.
struct Palette: Equatable {
    let depth: ColourDepth
    /// The terminal's font has quarter blocks. The Linux console's has only half blocks.
    var hasQuarters = true
    /// The terminal shows only ASCII.
    var isASCII = false

    static func of(_ environment: [String: String]) -> Palette {
        Palette(
            depth: ColourDepth(environment: environment), hasQuarters: environment["TERM"] != "linux",
            isASCII: !(TerminalEncoding(environment: environment) == .utf8))
    }

    private static let night = Colour(17, 19, 38)
    private static let text = Colour(232, 226, 214)
    private static let faint = Colour(138, 142, 170)
    private static let warm = Colour(255, 190, 118)
    private static let core = Colour(255, 226, 160)
    private static let rim = Colour(240, 128, 96)
    private static let glow = Colour(226, 110, 104)
    private static let dusk = Colour(98, 96, 140)
    private static let dark = Colour(60, 30, 34)

    /// True if the background is Daybreak's own colour, on which edges can be soft.
    var isPainted: Bool { depth == .full || depth == .indexed }

    var paper: Pigment { isPainted ? Self.night.pigment(depth) : .standard }
    var plainText: Pigment { isPainted ? Self.text.pigment(depth) : .standard }
    var faintText: Pigment { chosen(Self.faint, basic: nil) }
    var warmText: Pigment { chosen(Self.warm, basic: nil) }
    /// The colour of text on the sun.
    var darkText: Pigment { chosen(Self.dark, basic: 0) }
    /// The chosen ones of the sixteen colours are readable on dark and light backgrounds. Words keep the terminal's own
    /// colour.
    var flatSun: Pigment { depth == .sixteen ? .basic(3) : .standard }
    var flatDusk: Pigment { depth == .sixteen ? .basic(4) : .standard }

    private func chosen(_ colour: Colour, basic: UInt8?) -> Pigment {
        if isPainted { return colour.pigment(depth) }
        guard depth == .sixteen, let basic else { return .standard }
        return .basic(basic)
    }

    /// The sun's light at some distance from its middle: warm within, a soft edge one pixel wide, a glow around.
    /// - Parameters:
    ///   - distance, radius, full: in pixels; `full` is the radius at its largest.
    ///   - rests: makes the sun darker, because the exercise is paused.
    ///   - edge: the distance at which the glow begins; the radius unless given.
    func light(distance: Double, radius: Double, full: Double, rests: Bool, from edge: Double? = nil) -> Pigment {
        let bright = Self.core.mixed(with: Self.rim, (distance / max(1, full)) * (distance / max(1, full)))
        let inside = rests ? bright.mixed(with: Self.dusk, 0.75) : bright
        let beyond = max(0, distance - (edge ?? radius)) / max(1, full * 0.32)
        let halo = beyond < 1 ? 0.34 * (1 - beyond) * (1 - beyond) * (rests ? 0.4 : 1) : 0
        let outside = Self.night.mixed(with: Self.glow, halo)
        return outside.mixed(with: inside, radius - distance + 0.5).pigment(depth)
    }
}

/// The sun's light by distance, for one size. Only the light of the edge is computed for each pixel; the rest is looked up.
struct Light {
    /// The number of steps in a pixel.
    private static let fine = 8.0

    private let palette: Palette
    private let radius: Double
    private let full: Double
    private let rests: Bool
    private let within: [Pigment]
    /// The light, by the distance from the edge.
    private let beyond: [Pigment]

    init(_ palette: Palette, radius: Double, full: Double, rests: Bool) {
        self.palette = palette
        self.radius = radius
        self.full = full
        self.rests = rests
        within = (0...Int(max(0, radius) * Self.fine)).map { step in
            palette.light(distance: Double(step) / Self.fine, radius: full + 1_000, full: full, rests: rests)
        }
        beyond = (0...Int(max(1, full * 0.32) * Self.fine)).map { step in
            palette.light(distance: Double(step) / Self.fine, radius: -1_000, full: full, rests: rests, from: 0)
        }
    }

    /// - Parameter distance: from the middle, in pixels.
    func at(_ distance: Double) -> Pigment {
        if distance <= radius - 0.5 { return within[min(within.count - 1, Int(distance * Self.fine + 0.5))] }
        let off = distance - radius
        if off >= 0.5 { return beyond[min(beyond.count - 1, Int(off * Self.fine + 0.5))] }
        return palette.light(distance: distance, radius: radius, full: full, rests: rests)
    }
}
