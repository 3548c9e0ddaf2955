internal import DaybreakInterfaces
internal import HomeworkRules
internal import HomeworkWire
internal import TOMLKit
internal import Time

// [breathing], and [patterns], whose keys are names of one's own.
extension Setting {
    static func takePattern(_ value: any TOMLValueConvertible, _ values: inout Values) throws(Misfit) {
        let book = values.read.patterns
        guard let text = value.string else { throw misfit(value, patternExpected) }
        do { values.read.settings.pattern = try book.pattern(text) } catch { throw misfit(error) }
    }

    /// One of one's own.
    static func takePattern(
        called name: String, _ value: any TOMLValueConvertible, _ values: inout Values
    ) throws(Misfit) {
        guard let text = value.string else { throw misfit(value, patternExpected) }
        let pattern: BreathPattern
        do { pattern = try BreathPattern(text) } catch { throw misfit(.unsound(error)) }
        do { try values.read.patterns.add(name, pattern) } catch {
            switch error {
            case .unfit:
                throw Misfit("must be called by up to 32 letters (a-z), digits and hyphens, a letter first.")
            case .taken: throw Misfit("must have another name: this one is known, and a schedule may mean it.")
            case .tooMany: throw Misfit("must not be more than \(PatternBook.ownLimit): nobody tells more apart.")
            }
        }
    }

    private static func misfit(_ fault: PatternBook.Fault) -> Misfit {
        switch fault {
        case .unknownName(let known): Misfit("must be one of \(known.joined(separator: ", ")), or \(seconds).")
        case .unsound(.unreadable): Misfit(patternExpected)
        case .unsound(.noBreath):
            Misfit("must have seconds to inhale and seconds to exhale: else it is no breath.")
        case .unsound(.cycleOutOfBounds):
            Misfit("must come to 2 to 60 seconds in all: less is panting, and no breath takes longer.")
        }
    }

    private static let patternExpected = "must be \(seconds)."
    private static let seconds = """
        the seconds of inhale, hold, exhale and hold, such as "4-0-6-0": one or two digits each, and at most one more \
        after a point
        """
}
