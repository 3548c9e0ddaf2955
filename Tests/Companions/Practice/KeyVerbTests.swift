import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

@Suite struct `Keys on the command line` {
    private static let laptop =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnD ana@laptop"
    private static let token =
        "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAA"
        + "AIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnDAAAABHNzaDo= ana@token"
    private static let cut = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ana@old"

    private func practice() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.begin()
        return practice
    }

    @Test func `of several keys each is reported, and an unfit one does not hinder the next`() throws {
        let practice = try practice()
        let unfit =
            "Key 2 of 3: Nothing was written:\n  publicKey must be a whole key: this one is cut or changed.\n"
        #expect(
            try practice.run("key", "add", "-", input: "\(Self.laptop)\n\(Self.cut)\n\(Self.token)\n")
                == .init(
                    output: """
                        SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg opens the practice now.
                        SHA256:ZCiKK2OxcwLZ0QyEdcH0R1ja5ibHpkk8bbEoishzFg4 opens the practice now.

                        """, error: unfit, status: 1))
        let today = try Wording.date(practice.today())
        let shown = try practice.says("keys").split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(
            shown == [
                "Key Added Last used",
                "SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg ana@laptop \(today) never",
                "SHA256:ZCiKK2OxcwLZ0QyEdcH0R1ja5ibHpkk8bbEoishzFg4 ana@token \(today) never",
            ])
    }

    /// Nobody answers at that socket: before a connection is made, the file is looked at from end to end.
    @Test(arguments: [
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU=\n-----END OPENSSH PRIVATE KEY-----\n",
        "\(Self.laptop)\n-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n",
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAAIE==\n",
    ]) func `a private key is sent nowhere, nor is a line of it`(text: String) throws {
        let practice = try practice()
        practice.also["PRACTICE_SOCKET"] = practice.folder + "/nobody"
        let file = practice.folder + "/id_ed25519"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(
            try practice.run("key", "add", file)
                == .init(
                    error:
                        "That is a private key, which nobody else may have. Nothing was sent. Name its public half: perhaps "
                        + "\(file).pub.\n", status: 64))
        #expect(
            try practice.run("key", "add", "-", input: "\(Self.laptop)\nAAAAC3NzaC1lZDI1NTE5\n")
                == .init(
                    error: "Line 2 is no public key, such as “ssh-ed25519 AAAA… name”. Nothing was sent.\n", status: 64)
        )
    }

    @Test func `a fault of a single key has no number`() throws {
        #expect(
            try practice().run("key", "add", Self.cut)
                == .init(
                    error: "Nothing was written:\n  publicKey must be a whole key: this one is cut or changed.\n",
                    status: 1))
    }

    @Test func `with --json each fault is a line of JSON`() throws {
        let practice = try practice()
        let run = try practice.run("key", "add", "-", "--json", input: "\(Self.cut)\n\(Self.laptop)\n")
        #expect(run.status == 1)
        #expect(
            run.error == #"{"error":"org.daybreak.Practice.Invalid","parameters":{"faults":[{"field":"publicKey","#
                + #""reason":"must be a whole key: this one is cut or changed."}]}}"# + "\n")
        #expect(run.output.contains("ana@laptop") && run.output.split(separator: "\n").count == 1)
        let keys = try practice.run("keys", "--json").output
        #expect(keys.contains("ana@laptop") && !keys.contains("ana@old"))
    }

    // MARK: Names

    /// A practice in which the name of a member of staff contains all words of a client's. The caller is an administrator.
    private func namesakes() throws -> RealPractice {
        let practice = try RealPractice()
        try practice.says("staff", "add", "--name", "Ana María Ruiz", "--role", "thanatologist")
        try practice.says("client", "add", "--name", "Ana Ruiz", "--therapist", "p1")
        return practice
    }

    @Test func `a key is added for the person with the whole name, who is named`() throws {
        let practice = try namesakes()
        #expect(
            try practice.says("key", "add", Self.laptop, "--for", "ana ruiz")
                == "SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg opens the practice now for Ana Ruiz.\n")
        #expect(
            try practice.says("key", "add", Self.token, "--for", "p1")
                == "SHA256:ZCiKK2OxcwLZ0QyEdcH0R1ja5ibHpkk8bbEoishzFg4 opens the practice now for Ana María Ruiz.\n")
        func comments(of name: String) throws -> [String] {
            try practice.says("keys", "--of", name).split(separator: "\n").dropFirst().map {
                String($0.split(separator: " ")[1])
            }
        }
        for name in ["Ana Ruiz", "1", "p2"] { #expect(try comments(of: name) == ["ana@laptop"], "\(name)") }
        for name in ["Ana María Ruiz", "maria", "p1"] { #expect(try comments(of: name) == ["ana@token"], "\(name)") }
        #expect(
            try practice.says("key", "remove", "ana@", "--of", "Ana Ruiz")
                == "SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg opens nothing any more.\n")
    }

    @Test func `for a part of the names of a client and a member of staff, both are listed`() throws {
        #expect(
            try namesakes().run("keys", "--of", "ruiz")
                == .init(
                    error: """
                        “ruiz” may be any of these people; say which, by what stands before the name:
                          p1  Ana María Ruiz, therapist
                          p2  Ana Ruiz, client No. 1

                        """, status: 1))
    }

    @Test func `an invitation is for the client with the name, never for a member of staff, and names the client`()
        throws
    {
        let practice = try namesakes()
        let host = practice.folder + "/host.pub"
        try Self.laptop.write(toFile: host, atomically: true, encoding: .utf8)
        try practice.restart(
            replacing: "[practice]",
            with: "[gate]\naddress = \"practice@clinic.example\"\nhost_key = \"\(host)\"\n[practice]")
        let run = try practice.run("client", "invite", "Ana Ruiz")
        let text = run.output.replacing(/[0-9A-Z]{4}(-[0-9A-Z]{4}){4}/, with: "WORD")
            .replacing(/until .+ at [0-9:]+\./, with: "until LATER.")
        #expect(
            text == """
                An invitation of Clinic at the Park. Hand it over in person, or over the telephone.

                    daybreak link set-up practice@clinic.example

                On your machine, in a terminal. It asks for two things:

                    the practice's machine    SHA256:bCyVc+fNqJOhpPmFw6cS6JdsSkNI8bZSFtlq//SHuTg
                    your word                 WORD

                The word is for Ana Ruiz. It is good once, until LATER.
                It lets anybody in as them: they get a letter when it is used.

                """, "\(run)")
        #expect(
            run.error == "Nobody comes in with it as long as sshd asks the practice at /run/practice/control for keys: "
                + "this one is at \(practice.path).\n")
        #expect(
            try practice.run("client", "invite", "Ana María")
                == .init(
                    error: "There is no client “Ana María”. `practice clients` lists those that you may see.\n",
                    status: 1))
    }
}
