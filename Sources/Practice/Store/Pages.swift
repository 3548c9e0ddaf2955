/// The start of a page of a list: after the row with this key. Rows with equal keys are sorted by their numbers.
public struct PageStart: Equatable, Sendable, CustomStringConvertible {
    public let sortKey: String
    public let id: Int64

    public init(sortKey: String, id: Int64) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Before the first row.
    public static let first = PageStart(sortKey: "", id: 0)

    /// Parses a list's `next`; nil for any other text.
    public init?(_ text: String) {
        guard let point = text.firstIndex(of: "."), let id = Int64(text[..<point]), id >= 0 else { return nil }
        self.init(sortKey: String(text[text.index(after: point)...]), id: id)
    }

    public var description: String { "\(id).\(sortKey)" }
}

/// A request for a page of a list.
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
    /// The start of the next page; nil if this is the last.
    public let next: PageStart?

    /// - Parameter found: the items, one more than the limit if there is a next page.
    init(_ found: [Item], _ request: PageRequest, start: (Item) -> PageStart) {
        items = Array(found.prefix(request.limit))
        next = found.count > request.limit ? items.last.map(start) : nil
    }

    private init(_ items: [Item], next: PageStart?) { (self.items, self.next) = (items, next) }

    /// The page with something else for each item.
    func map<Other>(_ make: (Item) -> Other) -> Page<Other> { Page<Other>(items.map(make), next: next) }
}
