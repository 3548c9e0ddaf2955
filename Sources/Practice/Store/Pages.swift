/// Where a page of a list begins: after the row with this key. Rows with the same key are in the order of their numbers.
public struct PageStart: Equatable, Sendable, CustomStringConvertible {
    public let sortKey: String
    public let id: Int64

    public init(sortKey: String, id: Int64) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Before everything.
    public static let first = PageStart(sortKey: "", id: 0)

    /// The start that a list's `next` names; nil if the text names none.
    public init?(_ text: String) {
        guard let point = text.firstIndex(of: "."), let id = Int64(text[..<point]), id >= 0 else { return nil }
        self.init(sortKey: String(text[text.index(after: point)...]), id: id)
    }

    public var description: String { "\(id).\(sortKey)" }
}

/// The page of a list that is asked for.
public struct PageRequest: Equatable, Sendable {
    /// Nil for the first page.
    public let after: PageStart?
    public let limit: Int

    public init(after: PageStart?, limit: Int) {
        self.after = after
        self.limit = limit
    }
}

/// A page of a list.
public struct Page<Item> {
    public let items: [Item]
    /// Where the next page begins; nil if this is the last.
    public let next: PageStart?

    /// - Parameter found: one item more than the limit where there are more.
    init(_ found: [Item], _ request: PageRequest, start: (Item) -> PageStart) {
        items = Array(found.prefix(request.limit))
        next = found.count > request.limit ? items.last.map(start) : nil
    }
}
