extension String {
    /// The text as a person typed it, for a screen: a tab becomes four blanks, and a carriage return before a line feed is left out.
    public var typed: String { reduce(into: "") { $0 += $1 == "\t" ? "    " : $1 == "\r\n" ? "\n" : String($1) } }
}
