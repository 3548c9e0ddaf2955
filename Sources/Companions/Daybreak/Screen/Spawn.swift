import Glibc

/// Programs that are started and not waited for: one that shows a link, one that plays a sound.
enum Spawn {
    /// False where there is no such program. It hears and says nothing, and inherits no signal of ours.
    static func start(_ words: [String], environment: [String: String] = [:]) -> Bool {
        guard let program = words.first else { return false }
        signal(SIGCHLD, SIG_IGN)  // Nobody waits for it.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var usual = sigset_t()
        sigemptyset(&usual)
        for number in [SIGPIPE, SIGCHLD] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let all = Standard.environment.merging(environment) { _, new in new }.map { "\($0.key)=\($0.value)" }
        var process = pid_t()
        return withPointers(to: words) { words in
            withPointers(to: all) { all in posix_spawnp(&process, program, &actions, &attributes, words, all) == 0 }
        }
    }

    /// As C wants lists of text: pointers, the last of them null.
    private static func withPointers<Result>(
        to words: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return use(pointers)
    }
}
