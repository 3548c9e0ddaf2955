import Foundation

extension Process {
    /// Runs the program to its end: the exit status, and the text on standard output and standard error.
    func runToEnd() throws -> (status: Int32, said: String) {
        let output = Pipe()
        (standardOutput, standardError) = (output, output)
        try run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        waitUntilExit()
        return (terminationStatus, said)
    }
}
