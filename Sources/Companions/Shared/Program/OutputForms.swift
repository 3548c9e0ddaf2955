internal import ArgumentParser

/// The forms of a verb's answer.
public enum OutputForms {
    /// Throws if `--json` stands beside an option that writes a file, or two of them write to standard output: each of them is the
    /// whole answer, so that one would be lost, or none could be read.
    public static func check(json: Bool, _ files: (option: String, file: String?)...) throws {
        let streamed = files.filter { $0.file == "-" }
        guard streamed.count < 2 else {
            let names = streamed.map(\.option).joined(separator: " and ")
            throw ValidationError("\(names) both go to standard output: name a file for one of them.")
        }
        guard json, let other = files.first(where: { $0.file != nil }) else { return }
        throw ValidationError("--json and \(other.option) are two forms of the answer: choose one.")
    }
}
