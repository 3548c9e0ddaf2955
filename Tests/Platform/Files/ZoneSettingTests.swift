import Files
import Testing

@Suite struct ZoneSettingTests {
    @Test(arguments: [
        ("UTC", "Etc/UTC", true), (":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin", true),
        ("Europe/Berlin", "Europe/Lisbon", false), ("Nowhere", "Nowhere", false), ("CET-1CEST", "Europe/Berlin", false),
    ])
    func `two names of one zone have the same times`(name: String, other: String, isSame: Bool) {
        #expect(ZoneSetting(name).hasTimes(of: ZoneSetting(other)) == isSame)
    }
}
