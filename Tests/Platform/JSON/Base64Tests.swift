import JSON
import Testing

@Suite struct `Bytes as base64` {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `is spelled as the RFC's own examples`(bytes: String, text: String) {
        #expect(Base64.encode(Array(bytes.utf8)) == text)
        #expect(Base64.decode(text) == Array(bytes.utf8))
    }

    @Test func `every byte comes back, whatever the length`() {
        for length in 0...300 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ length) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "=", "====", "Zm9v=", "Zm=v", "=m9v", "Zm9vZg=", "Zm9v\n", "Zm 9v", "Zm9-", "Zm_v",
        "Zm9é", "Zh==", "Zm9=", "Zm8=Zm8=", "Zg==Zg==", "Z===",
    ])
    func `bytes in another spelling of base64 are refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
