public import ArgumentParser

/// The options for the form of a verb's output.
public struct OutputOptions: ParsableArguments {
    @Flag(help: "Plain lines, fit for a screen reader: no colour, no pager, questions one line each.") public
        var plain = false
    @OptionGroup public var pager: PagerOptions

    public init() {}

    public var ink: Ink { plain ? .plain : Streams.ink }
    /// The terminal's width; nil if there is none.
    public var columns: Int? { Pager.columns }

    public func print(_ text: String) { plain ? Streams.output(text) : pager.print(text) }
}
