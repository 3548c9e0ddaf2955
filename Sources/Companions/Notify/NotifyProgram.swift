import DaybreakInterfaces
import Streams

/// `daybreak-notify` from its arguments to its exit status.
public enum NotifyProgram {
    private static let program = LoopProgram(
        "daybreak-notify", version: Product.version, words: 1,
        help: """
            usage: daybreak-notify SOCKET

            Shows daybreakd's reminders as desktop notifications. SOCKET is the daemon's control socket.
            `daybreak notify` finds it and runs this; daybreak-notify.service does so from login on.
            """)

    public static func main(_ arguments: [String]) -> Int32 {
        program.main(arguments) { loop, words in try Notifier(loop, at: words[0], say: program.say) }
    }
}
