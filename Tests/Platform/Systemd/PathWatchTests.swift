import Glibc
import Systemd
import Testing

/// `etc/localtime` leads to `zones/Here`; tests change it to `zones/There`.
struct PathWatchTests {
    private let folder = Folder()
    private let calls = Calls<String>()
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
        must(mkdir(folder["etc"], 0o755))
        must(mkdir(folder["zones"], 0o755))
        write("here", to: folder["zones/Here"])
        write("there", to: folder["zones/There"])
        must(symlink("../zones/Here", localtime))
    }

    private var localtime: String { folder["etc/localtime"] }

    private func watch() throws -> PathWatch {
        try PathWatch(loop, path: localtime) { [calls] in calls.add("changed") }
    }

    /// Whether a change is reported, at least once.
    private func tells(_ change: () -> Void) throws -> Bool {
        try settle(loop)
        _ = calls.take()
        change()
        try settle(loop)
        return !calls.take().isEmpty
    }

    /// Makes a new link and renames it over the old one, as timedatectl does.
    private func point(to target: String) {
        must(symlink(target, folder["etc/.new"]))
        must(rename(folder["etc/.new"], localtime))
    }

    @Test func `an unchanged zone and changed files beside it report nothing`() throws {
        let watch = try watch()
        #expect(try tells { write("x", to: folder["etc/hostname"]) } == false)
        #expect(try tells { write("x", to: folder["zones/There"]) } == false)
        withExtendedLifetime(watch) {}
    }

    @Test func `a new target of the link is reported, and then watched`() throws {
        let watch = try watch()
        #expect(try tells { point(to: "../zones/There") })
        #expect(try tells { write("new rules", to: folder["zones/There"]) })
        #expect(try tells { write("new rules", to: folder["zones/Here"]) } == false)
        withExtendedLifetime(watch) {}
    }

    @Test func `a change is reported before other ready events`() throws {
        let watch = try watch()
        let ends = Ends.pipe()
        let call = try loop.onIO(ends.first, .readable) { [calls] _ in calls.add("called") }
        #expect(Glibc.write(ends.second, "x", 1) == 1)
        point(to: "../zones/There")
        // The watch also sees the new link's first name, and does not report it.
        while calls.values.isEmpty { #expect(try loop.step(timeoutMicroseconds: patience)) }
        #expect(calls.take() == ["changed"])
        withExtendedLifetime((watch, call)) {}
    }

    @Test func `an absolute link is followed`() throws {
        point(to: folder["zones/There"])
        let watch = try watch()
        #expect(try tells { write("new rules", to: folder["zones/There"]) })
        withExtendedLifetime(watch) {}
    }

    @Test func `each rewriting of the target is reported`() throws {
        let watch = try watch()
        for _ in 0..<3 { #expect(try tells { write("new rules", to: folder["zones/Here"]) }) }
        withExtendedLifetime(watch) {}
    }

    @Test func `a rename over the target, as in a package's update, is reported`() throws {
        let watch = try watch()
        for _ in 0..<2 {
            write("new rules", to: folder["zones/Here.dpkg-new"])
            #expect(try tells { must(rename(folder["zones/Here.dpkg-new"], folder["zones/Here"])) })
        }
        withExtendedLifetime(watch) {}
    }

    @Test func `removing the link and making it again are both reported`() throws {
        let watch = try watch()
        #expect(try tells { must(unlink(localtime)) })
        #expect(try tells { must(symlink("../zones/There", localtime)) })
        #expect(try tells { write("new rules", to: folder["zones/There"]) })
        withExtendedLifetime(watch) {}
    }

    @Test func `a plain file in the link's place is watched`() throws {
        must(unlink(localtime))
        write("here", to: localtime)
        let watch = try watch()
        #expect(try tells { write("edited", to: localtime) })
        #expect(try tells { point(to: "../zones/There") })
        withExtendedLifetime(watch) {}
    }

    @Test func `a chain of links is followed to its end`() throws {
        must(symlink("Here", folder["zones/Alias"]))
        point(to: "../zones/Alias")
        let watch = try watch()
        #expect(try tells { write("new rules", to: folder["zones/Here"]) })
        #expect(
            try tells {
                must(unlink(folder["zones/Alias"]))
                must(symlink("There", folder["zones/Alias"]))
            })
        #expect(try tells { write("new rules", to: folder["zones/There"]) })
        withExtendedLifetime(watch) {}
    }

    @Test func `a loop of links is watched without an error`() throws {
        point(to: "localtime")
        let watch = try watch()
        #expect(try tells { point(to: "../zones/Here") })
        withExtendedLifetime(watch) {}
    }

    @Test func `a target in missing folders is reported once they are made`() throws {
        point(to: "../zones/Europe/Far/Berlin")
        let watch = try watch()
        #expect(try tells { must(mkdir(folder["zones/Europe"], 0o755)) })
        #expect(try tells { must(mkdir(folder["zones/Europe/Far"], 0o755)) })
        #expect(try tells { write("here", to: folder["zones/Europe/Far/Berlin"]) })
        #expect(try tells { write("new rules", to: folder["zones/Europe/Far/Berlin"]) })
        withExtendedLifetime(watch) {}
    }

    @Test func `a path whose folder is removed and made again is still watched`() throws {
        let watch = try watch()
        try settle(loop)
        #expect(
            try tells {
                must(unlink(localtime))
                must(rmdir(folder["etc"]))
            })
        #expect(try tells { must(mkdir(folder["etc"], 0o755)) })
        #expect(try tells { must(symlink("../zones/Here", localtime)) })
        withExtendedLifetime(watch) {}
    }

    @Test func `a path whose folder is moved away and made again is still watched`() throws {
        let watch = try watch()
        #expect(try tells { must(rename(folder["etc"], folder["old"])) })
        #expect(try tells { must(mkdir(folder["etc"], 0o755)) })
        #expect(try tells { must(symlink("../zones/Here", localtime)) })
        withExtendedLifetime(watch) {}
    }

    @Test func `the machine's own zone can be watched`() throws {
        let watch = try PathWatch(loop, path: "/etc/localtime") { [calls] in calls.add("changed") }
        try settle(loop)
        #expect(calls.values == [])
        withExtendedLifetime(watch) {}
    }

    @Test func `the watch may be dropped from its own handler`() throws {
        var watch: PathWatch?
        watch = try PathWatch(loop, path: localtime) { [calls] in
            watch = nil
            calls.add("changed")
        }
        #expect(watch != nil)
        point(to: "../zones/There")
        write("new rules", to: folder["zones/There"])
        try settle(loop)
        #expect(calls.values == ["changed"])
    }

    @Test func `a relative path is a precondition failure`() async {
        await #expect(processExitsWith: .failure) {
            let watch = try PathWatch(EventLoop(), path: "localtime") {}
            withExtendedLifetime(watch) {}
        }
    }
}
