/// Reads a configuration by its settings. Refuses every key that is no setting.
public struct SettingsReader<Values> {
    public private(set) var values: Values
    /// The place of each setting in the configuration, by the setting's name.
    public private(set) var places: [String: TextPosition] = [:]

    let settings: [Setting<Values>]
    /// The faults so far. The sentences are made for those that are told, because a text may have thousands.
    private var found: [(place: TextPosition, reason: (Self) -> String)] = []

    /// `values` holds the defaults.
    public init(_ settings: [Setting<Values>], values: Values) {
        self.settings = settings
        self.values = values
    }

    /// Throws the first fault of the text.
    public mutating func read(_ text: String) throws(TOMLFault) {
        let settings = settings
        try read(
            TOMLReader.read(text) { word, path in
                settings.first { [$0.table, $0.key].compactMap { $0 } == path }?.correction(of: word)
            })
    }

    mutating func read(_ root: TOMLTable) throws(TOMLFault) {
        // Tables whose keys the person chooses come first: other settings may refer to them.
        let tables = settings.filter { $0.key == nil }.compactMap(\.table)
        for entry in root.entries where tables.contains(entry.key) { take(entry) }
        for entry in root.entries where !tables.contains(entry.key) { take(entry) }
        if let fault = faults(limit: 1).first { throw fault }
    }

    /// The first faults of the text that was read, by their places. A text that is not TOML has none here.
    func faults(limit: Int) -> [TOMLFault] {
        // The order of reading is a second key, because the sort is not stable.
        found.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }.prefix(limit)
            .map { TOMLFault(place: $0.element.place, reason: $0.element.reason(self)) }
    }

    var faultCount: Int { found.count }

    /// A key of the outermost level: a table, or a setting without a table.
    private mutating func take(_ entry: TOMLTable.Entry) {
        if let setting = settings.first(where: { $0.table == nil && $0.key == entry.key }) {
            return take(entry, as: setting)
        }
        guard settings.contains(where: { $0.table == entry.key }) else {
            return refuse(entry.place) {
                entry.node.table == nil ? $0.unknownSetting(entry.key, in: nil) : $0.unknownTable(entry.key)
            }
        }
        guard let table = entry.node.table else {
            return refuse(entry.place) { _ in
                "\(entry.key) must be a table: write [\(entry.key)], and its settings below it."
            }
        }
        for inner in table.entries {
            if let setting = settings.first(where: { $0.table == entry.key && [nil, inner.key].contains($0.key) }) {
                take(inner, as: setting)
            } else {
                refuse(inner.place) { $0.unknownSetting(inner.key, in: entry.key) }
            }
        }
    }

    private mutating func take(_ entry: TOMLTable.Entry, as setting: Setting<Values>) {
        do {
            try setting.take(entry.key, entry.node, &values)
            places[setting.name] = entry.place
        } catch {
            let name = [setting.table, spelled(entry.key)].compactMap { $0 }.joined(separator: ".")
            for fault in error.all {
                refuse(fault.place ?? entry.place) { _ in "\(name)\(fault.part) \(fault.reason)" }
            }
        }
    }

    private mutating func refuse(_ place: TextPosition, _ reason: @escaping (Self) -> String) {
        found.append((place, reason))
    }
}

extension Setting {
    /// The sentence about a word, such as `yes`, that means true or false in other programs; nil for other words.
    fileprivate func correction(of word: String) -> String? {
        let truths = ["yes": true, "on": true, "true": true, "no": false, "off": false, "false": false]
        guard isBoolean, let boolean = truths[word.lowercased()] else { return nil }
        return "\(name) must be true or false, in small letters and without quotes: write \(key ?? name) = \(boolean)."
    }
}
