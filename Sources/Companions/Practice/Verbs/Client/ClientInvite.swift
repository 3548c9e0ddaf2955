internal import ArgumentParser
import Companion
import PracticeInterfaces

extension ClientVerb {
    struct Invite: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "invite",
            abstract: "Print what a client needs to join their own machine with the practice.",
            discussion: "The word is good once, for three days. A later invitation ends an earlier one.")

        @Argument(help: ArgumentHelp(ClientName.help)) var client: String
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let person = try ClientName(client).identifier(over: connection)
            let name = try NameCache(connection).person(person).singleLine
            let practice = try CallerInfo(over: connection).reply.practice
            try daemon.ask(Practice.Invite(person: person), over: connection) { invitation in
                """
                An invitation of \(practice.shown). Hand it over in person, or over the telephone.

                    daybreak link set-up \(invitation.address.shown)

                On your machine, in a terminal. It asks for two things:

                    the practice's machine    \(invitation.hostKey.shown)
                    your word                 \(invitation.invitation.shown)

                The word is for \(name). It is good once, until \(Wording.time(invitation.expires, today: nil)).
                It lets anybody in as them: they get a letter when it is used.\(Self.others(invitation.keys ?? 0))

                """
            }
            if let note = Self.note(for: connection.path) { Streams.error(note) }
        }

        /// A sentence for whoever invites where nobody can come in: the word alone shows nothing of that.
        private static func note(for path: String) -> String? {
            // Another machine's sshd cannot be seen from here.
            guard path.hasPrefix("/") else { return nil }
            guard path == PracticeSocket.ofMachine else {
                return "Nobody comes in with it as long as sshd asks the practice at \(PracticeSocket.ofMachine) for "
                    + "keys: this one is at \(path.shown).\n"
            }
            return GateExamination(facts: .ofMachine()).obstacle.map {
                "Nobody comes in with it yet: \($0.shown) An administrator's `practice doctor` says what to do.\n"
            }
        }

        private static func others(_ keys: Int) -> String {
            keys == 0 ? "" : " They come in with \(Wording.counted(keys, "key")) already."
        }
    }
}
