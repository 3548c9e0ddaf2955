import Testing

/// Other projects can use the module Varlink, so each of its public names is documented.
@Suite struct DocumentationTests {
    private static let varlink = SourceTree.swift.filter { $0.room == "Platform/Varlink" || $0.room == "Platform/JSON" }

    @Test func `every public name of Varlink is documented`() {
        #expect(Self.varlink.count > 10)
        #expect(Self.varlink.flatMap(undocumented) == [])
    }

    /// The undocumented public names. Members of public enums and protocols are public without the keyword.
    private func undocumented(_ file: SourceTree.File) -> [String] {
        let lines = file.lines.map { $0.drop { $0 == " " } }
        return lines.indices.compactMap { index in
            guard isPublic(lines[index]), !isDocumented(lines[..<index]) else { return nil }
            return "\(file.path):\(index + 1): \(lines[index])"
        }
    }

    private func isPublic(_ line: Substring) -> Bool {
        line.hasPrefix("public ") || line.firstMatch(of: #/^case `?[a-z][^:]*$/#) != nil
            || line.hasPrefix("associatedtype ")
    }

    @Test func `every public type of Varlink names its section of the specification`() {
        #expect(Self.varlink.flatMap(unfounded) == [])
    }

    private func unfounded(_ file: SourceTree.File) -> [String] {
        file.lines.indices.compactMap { index in
            guard file.lines[index].firstMatch(of: #/^public (struct|enum|protocol|(final )?class) /#) != nil else {
                return nil
            }
            let documentation = file.lines[..<index].reversed().prefix { $0.hasPrefix("///") || $0.hasPrefix("@") }
            let isFounded = documentation.contains { $0.contains("varlink.org/") || $0.contains("RFC ") }
            return isFounded ? nil : "\(file.path):\(index + 1): \(file.lines[index])"
        }
    }

    /// Attributes may be between the comment and the name.
    private func isDocumented(_ before: ArraySlice<Substring>) -> Bool {
        before.last { !$0.hasPrefix("@") }?.hasPrefix("///") ?? false
    }

    @Test(arguments: [
        ("Call.swift", "Method-Call"), ("Reply.swift", "Method-Call"), ("ErrorReply.swift", "Interface-Definition"),
        ("Interface.swift", "Interface-Definition"), ("Introspection.swift", "Service"),
        ("Method.swift", "Method-Call"),
        ("StandardErrors.swift", "Service"), ("StandardMethods.swift", "Service"),
        ("ServiceInterface.swift", "Service"),
        ("FrameReader.swift", "FAQ"), ("JSONReader.swift", "RFC 8259"),
        ("ParameterCheck.swift", "Interface-Definition"),
    ]) func `a type that follows the specification names its page`(name: String, page: String) {
        let text = Self.varlink.first { $0.path.hasSuffix("/\(name)") }?.lines.joined(separator: "\n") ?? ""
        let named = page.hasPrefix("RFC") ? page : "varlink.org/\(page)"
        #expect(text.contains(named), "\(name) names no \(named)")
    }
}
