import Testing

@testable import DaybreakDaemon

@Suite struct `Root is known` {
    @Test(arguments: [
        ("         0          0 4294967295\n", UInt32(0)),
        ("      1000       1000          1\n", 65_534),
        ("      1000       1000          1\n       7          0          1\n", 7),
        ("", 0),
    ])
    func `by the number that the user namespace gives`(map: String, number: UInt32) {
        #expect(RootUser.number(in: map, overflow: "65534\n") == number)
    }

    @Test func `by the overflow number as the kernel has it set`() {
        #expect(RootUser.number(in: "1000 1000 1\n", overflow: "99\n") == 99)
        #expect(RootUser.number(in: "1000 1000 1\n", overflow: "") == 65_534)
    }
}
