import Testing

@testable import DaybreakCompanion

/// The files that `daybreak simulate` reads.
@Suite struct SimulateSourcesTests {
    @Test func `are those of the daemon that the system's manager runs for this user`() {
        for schedule in [nil, "tasks.json"] {
            let sources = Simulate.sources(socket: "/run/daybreak/ada/control", schedule: schedule, environment: [:])
            #expect(
                sources.variables == [
                    "CONFIGURATION_DIRECTORY=/etc/daybreak/ada", "STATE_DIRECTORY=/var/lib/daybreak/ada",
                ])
            #expect(sources.note == nil)
        }
    }

    @Test func `are the user's own, and a note says so if another socket is named`() {
        let named = ["DAYBREAK_SOCKET": "/tmp/other/control"]
        let sources = Simulate.sources(socket: "/tmp/other/control", schedule: nil, environment: named)
        #expect(sources.variables == [])
        #expect(
            sources.note == """
                This reads the settings, the schedule and the history in your own folders, perhaps not those of the daemon \
                at /tmp/other/control.
                """)
        #expect(Simulate.sources(socket: "/tmp/other/control", schedule: "a.json", environment: named).note == nil)
        #expect(Simulate.sources(socket: "/run/user/1/daybreak/control", schedule: nil, environment: [:]).note == nil)
        let own = ["XDG_RUNTIME_DIR": "/nowhere", "DAYBREAK_SOCKET": "/nowhere/daybreak/control"]
        #expect(Simulate.sources(socket: "/nowhere/daybreak/control", schedule: nil, environment: own).note == nil)
    }
}
