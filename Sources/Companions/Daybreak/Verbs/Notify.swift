internal import ArgumentParser
import Companion

/// Runs `daybreak-notify`. It is a program of its own, because libsystemd would make the start of every verb a quarter
/// longer.
struct Notify: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "notify", abstract: "Show reminders on the desktop, as daybreak-notify.service does.")

    @Option(help: DaemonOptions.socketHelp) var socket: String?
    /// Nothing is printed; the option is accepted so that scripts can pass it to every verb.
    @Flag(help: .hidden) var json = false

    func run() throws {
        let path = try DaemonSocket.path(explicit: socket, environment: Environment.variables)
        throw ChildProcess.replaceThisOne(by: "daybreak-notify", [path])
    }
}
