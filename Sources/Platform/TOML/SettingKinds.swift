import Text
import Time

extension SettingKind where Value == Bool {
    public static var boolean: Self {
        var kind = Self("true or false, without quotes", spell: { "\($0)" }, readOrNil: \.boolean)
        kind.isBoolean = true
        return kind
    }
}

extension SettingKind where Value == Int {
    /// `because` is the reason of the bounds, here and below.
    public static func number(_ bounds: ClosedRange<Int>, because: String) -> Self {
        let takes = "a whole number from \(bounds.lowerBound) to \(bounds.upperBound): \(because)"
        return Self(takes, spell: { "\($0)" }) { node throws(InvalidValue) in
            guard let number = node.number else { throw InvalidValue(node, expected: "must be \(takes).") }
            guard bounds.contains(number) else { throw InvalidValue("must be \(takes).") }
            return number
        }
    }

    /// A time of the clock in whole minutes, `"09:00"` or `09:00:00`, as minutes since midnight.
    public static func clock(until last: Int, because: String) -> Self {
        Self("a time from \"00:00\" to \(clockText(last)): \(because)", spell: clockText) { node in
            clockMinute(node).flatMap { $0 <= last ? $0 : nil }
        }
    }

    /// Any time of the clock.
    public static let clock = Self(
        "a time from \"00:00\" to \"23:59\", in quotes, such as \"09:00\"", spell: clockText, readOrNil: clockMinute)
}

private func clockMinute(_ node: TOMLNode) -> Int? {
    guard case .time(let time) = node.value else { return node.text.flatMap { TimeOfDay($0) }?.minutes }
    let isWhole = time.utf8.dropFirst(6).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    return isWhole ? TimeOfDay(time.prefix(5))?.minutes : nil
}

private func clockText(_ minute: Int) -> String {
    "\"\(TimeOfDay(hour: minute / 60, minute: minute % 60)?.description ?? "")\""
}

extension SettingKind where Value == Duration {
    public static func length(_ bounds: ClosedRange<Duration>, suchAs example: String, because: String) -> Self {
        let (shortest, longest) = (Length(bounds.lowerBound), Length(bounds.upperBound))
        let takes = "a length from \"\(shortest)\" to \"\(longest)\", such as \"\(example)\": \(because)"
        return Self(takes, spell: { "\"\(Length($0))\"" }) { node in
            node.text.flatMap { Length($0) }.flatMap { bounds.contains($0.duration) ? $0.duration : nil }
        }
    }
}

extension SettingKind where Value == String {
    /// One line of text, from `least` bytes to `limit`.
    public static func line(_ takes: String, from least: Int = 0, limit: Int, because: String) -> Self {
        Self(takes, spell: quoted) { node throws(InvalidValue) in
            guard let text = node.text, text.utf8.count >= least else {
                throw InvalidValue(node, expected: "must be \(takes).")
            }
            guard text.utf8.count <= limit else {
                throw InvalidValue("must have no more than \(limit) bytes: \(because).")
            }
            if let hidden = text.firstHidden {
                throw InvalidValue(
                    "must not have \(hidden.named) in it, which is not seen and would garble the screen.")
            }
            return text
        }
    }
}

extension SettingKind where Value == String? {
    /// As ``SettingKind/line(_:limit:because:)``; a text of spaces alone becomes nil.
    public static func optionalLine(_ takes: String, limit: Int, because: String) -> Self {
        SettingKind<String>.line(takes, limit: limit, because: because)
            .map({ $0.isBlank ? nil : $0 }, back: { $0 ?? "" })
    }
}

extension SettingKind {
    /// An array with a bounded number of elements; `because` is the reason of the upper bound. `twice` names the elements
    /// that must not be equal, or the same by `isSame`, and the reason; nil if they may be.
    public static func list<Element: Equatable & SendableMetatype>(
        _ takes: String, of element: SettingKind<Element>, _ count: ClosedRange<Int>, because: String,
        twice: String? = nil, isSame: @escaping @Sendable (Element, Element) -> Bool = { $0 == $1 }
    ) -> Self where Value == [Element] {
        Self(takes, spell: { "[\($0.map(element.spell).joined(separator: ", "))]" }) { node throws(InvalidValue) in
            guard let nodes = node.array else { throw InvalidValue(node, expected: "must be \(takes).") }
            guard nodes.count >= count.lowerBound else { throw InvalidValue("must be \(takes).") }
            guard nodes.count <= count.upperBound else {
                throw InvalidValue("must not hold more than \(count.upperBound) elements: \(because).")
            }
            var values: [Element] = []
            var faults: [InvalidValue] = []
            for (index, node) in nodes.enumerated() {
                let which = ", element \(index + 1)"
                do throws(InvalidValue) {
                    let value = try element.read(node)
                    if let twice, values.contains(where: { isSame($0, value) }) {
                        faults.append(InvalidValue("must not be \(twice).", part: "\(which),", at: node.place))
                    }
                    values.append(value)
                } catch {
                    faults += error.all.map { fault in
                        let part = which + (fault.part.isEmpty ? "," : fault.part)
                        return InvalidValue(fault.reason, part: part, at: fault.place ?? node.place)
                    }
                }
            }
            if let fault = InvalidValue(faults) { throw fault }
            return values
        }
    }

    /// The most faults of a table that are told.
    private static var mostFaults: Int { 100 }

    /// A table with settings of its own, of which `needed` must be there. A list of these is `[[client.field]]`.
    public static func table(
        _ takes: String, of settings: [Setting<Value>], needed: [String] = [], new: @escaping @Sendable () -> Value
    ) -> Self {
        Self(takes, spell: { _ in "{}" }) { node throws(InvalidValue) in
            guard let table = node.table else { throw InvalidValue(node, expected: "must be \(takes).") }
            var reader = SettingsReader(settings, values: new())
            var faults: [InvalidValue] = []
            do throws(TOMLFault) { try reader.read(table) } catch {
                faults = reader.faults(limit: mostFaults).map { InvalidValue($0.reason, part: ":", at: $0.place) }
            }
            for name in needed where !table.entries.contains(where: { $0.key == name }) {
                faults.append(InvalidValue("\(name) must be there.", part: ":", at: node.place))
            }
            if let fault = InvalidValue(faults) { throw fault }
            return reader.values
        }
    }
}
