import Testing

@testable import PracticeRules

/// Public keys that ssh-keygen made once, with its output about them.
enum SampleKey {
    static let ana = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnD"
    static let ben =
        "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBAzONEke9xxxa5bVNlLGNZKmxS48fUlljIjuQXU3kqLiEQmW3waXWD1ygIEgUsdi0jPgfkeKcT2o3RH6VWxkWBo="
    /// Of security keys (FIDO): made of `ssh-keygen`'s plain keys, as OpenSSH's PROTOCOL.u2f describes them.
    static let security =
        "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIHy3CFoD1ufM5iWoV+bBl4o9R7tEoIteEGBjfMeTxgnDAAAABHNzaDo="
    static let securityECDSA =
        "sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBAzONEke9xxxa5bVNlLGNZKmxS48fUlljIjuQXU3kqLiEQmW3waXWD1ygIEgUsdi0jPgfkeKcT2o3RH6VWxkWBoAAAAEc3NoOg=="
}

@Suite struct `An SSH key as people paste it` {
    @Test func `it is written from its parsed parts`() throws {
        let key = try PublicKey("  \(SampleKey.ana)\tana@laptop, the old one \n")
        #expect(key.line == SampleKey.ana)
        #expect(key.comment == "ana@laptop, the old one")
        #expect(try PublicKey(SampleKey.ben).line == SampleKey.ben)
    }

    @Test(arguments: [SampleKey.security, SampleKey.securityECDSA])
    func `a security key is a key as any other`(line: String) throws {
        let key = try PublicKey("\(line) cleo@token")
        #expect(key.line == line && key.comment == "cleo@token")
    }

    @Test(arguments: [
        ("", "a public key such as"), ("ssh-ed25519", "a public key such as"), ("hello", "a public key such as"),
        ("ssh-dss AAAAB3NzaC1kc3MAAAA", "a public key such as"),
        ("restrict \(SampleKey.ana)", "a public key such as"),
        ("command=\"/bin/sh\" \(SampleKey.ana)", "a public key such as"),
        ("\(SampleKey.ana)\n\(SampleKey.ben)", "on one line"), ("\(SampleKey.ana)\r\(SampleKey.ben)", "on one line"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "the public half"),
        (String(SampleKey.ana.dropLast(4)) + "====", "a whole key"), ("ssh-ed25519 AAAA", "a whole key"),
        ("ssh-ed25519 \(SampleKey.ben.split(separator: " ")[1])", "a whole key"),
        ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5\"AAAA", "a whole key"),
        (String(repeating: "A", count: 9_000), "no more than 8192 bytes"),
    ])
    func `any other text is refused with the reason`(text: String, reason: String) {
        #expect { try PublicKey(text) } throws: { ($0 as? FieldError)?.reason.contains(reason) == true }
    }

    @Test(arguments: ["a\u{202E}b", "a\u{1B}[2Jb", "a\u{0}b"])
    func `a comment with hidden characters is dropped`(comment: String) throws {
        #expect(try PublicKey("\(SampleKey.ana) \(comment)").comment == "")
    }
}

@Suite struct `The word of an invitation` {
    struct Dice: RandomNumberGenerator {
        var state: UInt64 = 1
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    private var word: InvitationWord {
        var dice = Dice()
        return InvitationWord(using: &dice)
    }

    @Test func `it has a handle and sixteen letters of 32, in groups`() {
        let groups = word.description.split(separator: "-")
        #expect(groups.map(\.count) == [4, 4, 4, 4, 4])
        #expect(groups[0] == word.handle && groups.dropFirst().joined() == word.secret)
        #expect(!word.description.contains { "ILOU".contains($0) })
    }

    @Test func `it is read as a person types it`() {
        let typed = word.description
        let forms = [
            typed, typed.lowercased(), typed.replacing("-", with: " "), typed.replacing("-", with: ""),
            typed.replacing("0", with: "o").replacing("1", with: "l"), " \(typed)\n",
        ]
        #expect(forms.map { InvitationWord($0) } == Array(repeating: word, count: forms.count))
    }

    @Test(arguments: ["", "7KQ2", "7KQ2-ABCD-EFGH-JKMN-PQR", "7KQ2-ABCD-EFGH-JKMN-PQRS5", "7KQ2-ABCD-EFGH-JKMN-PQRÄ"])
    func `any other text is not a word`(text: String) { #expect(InvitationWord(text) == nil) }

    @Test func `another secret does not match`() {
        var other = Array(word.secret)
        other[15] = other[15] == "Z" ? "Y" : "Z"
        #expect(word.hasSecret(word.secret))
        #expect(!word.hasSecret(String(other)) && !word.hasSecret("") && !word.hasSecret(word.secret + "0"))
    }
}
