import Foundation
import Glibc

extension Pipe {
    /// Writes the standard input of a program, and closes it. A program may end before it has read all of it, which is no fault
    /// here. The signal for it would end the tests without a word.
    func type(_ input: String) throws {
        signal(SIGPIPE, SIG_IGN)
        do { try fileHandleForWriting.write(contentsOf: Data(input.utf8)) } catch {}  // Nobody reads any more.
        try fileHandleForWriting.close()
    }
}
