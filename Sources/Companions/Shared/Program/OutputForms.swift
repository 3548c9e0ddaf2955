internal import ArgumentParser

/// The forms of a verb's answer.
public enum OutputForms {
    /// Throws if `--json` stands beside an option that writes a file: each of them is the whole answer, so that one would be lost.
    public static func check(json: Bool, _ files: (option: String, file: String?)...) throws {
        guard json, let other = files.first(where: { $0.file != nil }) else { return }
        throw ValidationError("--json and \(other.option) are two forms of the answer: choose one.")
    }
}
