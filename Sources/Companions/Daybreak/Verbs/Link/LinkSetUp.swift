internal import ArgumentParser
import Companion
import DaybreakInterfaces
import Files
import Glibc
import PracticeInterfaces
import Text
import Unix
import VarlinkClient

extension LinkVerb {
    struct SetUp: ParsableCommand {
        static let configuration = CommandConfiguration.verb(
            "set-up", abstract: "Link this machine with a practice, with the invitation that it gave you.",
            discussion: "An interrupted set-up can be repeated.")

        @Argument(help: "The practice's address, as the invitation has it: practice@clinic.example.") var address:
            String?
        @Option(help: ArgumentHelp("The invitation's text; - is standard input.", valueName: "file"))
        var invitation: String?
        @OptionGroup var choice: ShareOptions
        @OptionGroup var daemon: DaemonOptions

        func run() throws {
            let connection = try daemon.connection()
            let folder = try LinkFolder.ofThisUser()
            let present = try connection.call(Link.Get())
            let known = present.practice
            let invited = try gathered(folder)
            let address = try Self.address(of: invited)
            if let known, known != address {
                throw Failure.refused(
                    Link.LinkedAlready.name,
                    saying: "This machine is linked with \(known.shown) already; `daybreak link end` ends that.")
            }
            let wasThere = folder.has("key")
            do {
                try folder.make()
                try makeKey(folder)
                try checkHost(folder, address, invited.hostKey)
                try enter(folder, address, invited.word)
            } catch {
                // A key that opens nothing is not left behind. One that the practice may have let in is needed the next time.
                if !wasThere, error.name != Self.inDoubt { try folder.remove() }
                throw error
            }
            try folder.write(address + "\n", to: "practice")
            let practice = try folder.connection(to: address)
            practice.longestAnswer = LinkVerb.patience
            let before = try practice.call(Care.Profile())
            // The practice may have heard another machine's answers, or none.
            let shares = try choice.chosen(among: (present.shares ?? []).map(\.share))
            _ = try practice.call(Care.SetShares(shares: shares.map(\.rawValue)))
            _ = try connection.call(Link.Begin(practice: address, shares: shares))
            // A link that was stopped by the practice's old key begins again.
            _ = try connection.call(Link.LookNow())
            let runs = LinkUnit.enable()
            try daemon.answer(Self.done(before, shares, runs: runs))
        }

        /// A machine has a key of each kind.
        private static let mostKeys = 20

        private static func done(_ profile: Care.Profile.Reply, _ shares: [Link.Share], runs: Bool) -> String {
            let start = runs ? "" : "No service manager runs for you here: `daybreak link run` keeps the link.\n"
            return """
                This machine is linked: \(profile.name.shown), client \(profile.number) of \(profile.thanatologist.shown).
                \(ShareOptions.sentence(shares))
                \(start)`daybreak link share` shows and changes this at any time, `daybreak link status` how it goes.

                """
        }

        // MARK: The invitation

        private func gathered(_ folder: LinkFolder) throws -> Invitation {
            var found = Invitation("")
            if let invitation {
                found = Invitation(try TextInput.text(of: invitation, limit: 64 * 1_024))
                guard found.isOne else { throw Self.noInvitation(invitation) }
            }
            if let address { found.address = address }
            // Before anything secret is asked for.
            _ = try Self.address(of: found)
            // The host is known and the word redeemed where an earlier set-up came that far.
            if found.hostKey == nil, !folder.has("known_hosts") {
                found.hostKey = try Self.asked("The practice's machine, SHA256:…")
                guard found.hostKey?.hasPrefix("SHA256:") == true else {
                    throw Failure.misused("The practice's machine is written as SHA256: and a row of letters.")
                }
            }
            if found.word == nil, !folder.has("practice") { found.word = try Self.asked("Your word") }
            return found
        }

        private static func noInvitation(_ file: String) -> Failure {
            .refused(
                "NoInvitation",
                saying:
                    "\(file == "-" ? "This" : file.shown) is no invitation. One that your practice gives you has these lines:"
                    + "\n\n\(Invitation.sample)")
        }

        private static func address(of invitation: Invitation) throws(Failure) -> String {
            guard let address = invitation.address, Invitation.isAddress(address) else {
                throw .misused("Name the practice's address, as the invitation has it: practice@clinic.example.")
            }
            return address
        }

        private static func asked(_ what: String) throws(Failure) -> String {
            if isatty(STDIN_FILENO) == 1 { Streams.error("\(what): ") }
            guard let line = readLine() else {
                throw .misused("Nobody could be asked for the invitation; --invitation FILE reads it.")
            }
            return line.split(whereSeparator: \.isWhitespace).joined()
        }

        // MARK: Its steps

        private func makeKey(_ folder: LinkFolder) throws(Failure) {
            guard !folder.has("key") else { return }
            _ = try ChildProcess.output(
                of: "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "daybreak", "-f", folder.path + "/key"])
        }

        /// Keeps the practice's host key, if its fingerprint is that of the invitation.
        private func checkHost(_ folder: LinkFolder, _ address: String, _ fingerprint: String?) throws(Failure) {
            guard let fingerprint else { return }
            let host = folder.ssh(to: address).host
            let port = host.port.map { ["-p", "\($0)"] } ?? []
            var scanned: [UInt8] = []
            do throws(Failure) {
                scanned = try ChildProcess.output(
                    of: "ssh-keyscan", ["-T", "15"] + port + ["--", host.name], within: LinkVerb.patience)
            } catch  where error.name != "NoProgram" {
                // It says in this way, too, that the host does not answer.
            }
            let lines = String(decoding: scanned, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
                !$0.hasPrefix("#")
            }
            guard !lines.isEmpty else {
                throw .refused(
                    "Unreachable",
                    saying: "\(host.name.shown) cannot be reached. Is this machine online, and the address right?")
            }
            for line in lines.prefix(Self.mostKeys) {
                try folder.write(line + "\n", to: "known_hosts.new")
                defer { unlink(folder.path + "/known_hosts.new") }
                let shown = try ChildProcess.output(of: "ssh-keygen", ["-l", "-f", folder.path + "/known_hosts.new"])
                let words = String(decoding: shown, as: UTF8.self).split(separator: " ")
                guard words.count > 1, words[1] == fingerprint else { continue }
                return try folder.write(line + "\n", to: "known_hosts")
            }
            throw .refused(
                "OtherHostKey",
                saying: "The machine at \(host.name.shown) is not the one of the invitation: it shows another key. "
                    + "Nothing was sent. Compare the invitation, and ask the practice.")
        }

        private static let inDoubt = "RedeemedPerhaps"

        /// Redeems the word, unless the key opens the practice already.
        private func enter(_ folder: LinkFolder, _ address: String, _ word: String?) throws(Failure) {
            let ssh = folder.ssh(to: address)
            let first = try ChildProcess.talk(ssh.command("varlink"), saying: [], within: LinkVerb.patience)
            guard !Self.isLost(first) else { throw .refused("Unreachable", saying: Self.complaint(first)) }
            if first.status == 0 { return }
            guard let word else {
                throw .refused(
                    "NotRedeemed", saying: "The practice does not know this machine's key: \(Self.complaint(first))")
            }
            let said = Array((word + "\n").utf8)
            let redeemed = try ChildProcess.talk(ssh.command("redeem"), saying: said, within: LinkVerb.patience)
            if Self.isLost(redeemed) {
                let now = try ChildProcess.talk(ssh.command("varlink"), saying: [], within: LinkVerb.patience)
                if now.status == 0, !now.isLate { return }
                throw .refused(
                    Self.inDoubt,
                    saying:
                        "\(Self.complaint(redeemed)) It is not known whether the practice took the word. This machine's key is kept: "
                        + "run this again, with the same word.")
            }
            guard redeemed.status == 0 else { throw .refused("NotRedeemed", saying: Self.complaint(redeemed)) }
        }

        /// True if the answer is not known. ssh ends with 255 also where sshd refuses the key, which is an answer.
        private static func isLost(_ ended: ChildProcess.Ended) -> Bool {
            ended.isLate || ended.status == 255 && ended.lastWords?.includes("Permission denied") != true
        }

        private static func complaint(_ ended: ChildProcess.Ended) -> String {
            if ended.isLate { return "The practice does not answer." }
            return ended.lastWords.map { Wording.sentence($0) } ?? "It gave no reason."
        }
    }
}
