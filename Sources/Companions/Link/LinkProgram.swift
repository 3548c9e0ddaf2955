import DaybreakInterfaces
import Streams
import Systemd

/// `daybreak-link` from its arguments to its exit status.
public enum LinkProgram {
    private static let program = LoopProgram(
        "daybreak-link", version: Product.version, words: 2,
        help: """
            usage: daybreak-link SOCKET FOLDER

            Carries what you share to your practice, and its news here. SOCKET is daybreakd's control socket,
            FOLDER that of the link's key. `daybreak link run` finds both; daybreak-link.service runs this.
            """)

    public static func main(_ arguments: [String]) -> Int32 {
        program.main(arguments) { loop, words in
            Memory.keepNothingLarge()
            return try LinkProcess(loop, at: words[0], folder: words[1], say: program.say)
        }
    }
}
