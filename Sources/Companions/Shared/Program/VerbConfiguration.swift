public import ArgumentParser

extension CommandConfiguration {
    /// The configuration of a verb with no verbs below it.
    ///
    /// `Verbs` parses such a verb by itself. ArgumentParser then looks among its arguments for a request of a completion script,
    /// which only a whole program gets, and which takes a sixth of a short verb's time. It leaves that out for a command that
    /// names the one above it. Help and errors come from the whole program's parser, and never show that name.
    public static func verb(
        _ name: String, abstract: String, discussion: String = ""
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, _superCommandName: "", abstract: abstract, discussion: discussion)
    }
}
