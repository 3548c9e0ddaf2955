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
}
