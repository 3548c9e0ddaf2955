/// A day of the week. Its number is ISO 8601's: 1 is Monday, 7 is Sunday.
public enum Weekday: Int, Hashable, CaseIterable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday

    /// `number` is from 1 to 7.
    init(_ number: Int) { self = Self.allCases[number - 1] }

    /// `Monday`.
    public var name: String { Self.names[rawValue - 1] }

    private static let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// `Mon`.
    public var shortName: String { String(name.prefix(3)) }
}

/// A month of the Gregorian calendar. Its number is ISO 8601's: 1 is January.
public enum Month: Int, Hashable, CaseIterable, Sendable {
    case january = 1
    case february, march, april, may, june, july, august, september, october, november, december

    /// `number` is from 1 to 12.
    init(_ number: Int) { self = Self.allCases[number - 1] }

    /// `March`.
    public var name: String { Self.names[rawValue - 1] }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `Mar`.
    public var shortName: String { String(name.prefix(3)) }
}
