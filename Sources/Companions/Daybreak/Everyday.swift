internal import ArgumentParser

/// What is said every day, without options. It is understood here, word by word: the parser, which first looks for all that
/// could have been said, takes longer than everything that comes after it. So what each option is where it is left out stands
/// here once more; having even those of ``DaemonOptions`` parsed would make a start four times as long.
enum Everyday {
    /// The verb, as the parser would give it; nil where that is to be asked.
    static func verb(_ arguments: [String]) -> (any ParsableCommand)? {
        guard let name = arguments.first else { return List.everyday }
        let words = arguments.dropFirst()
        guard !words.contains(where: { $0.hasPrefix("-") }) else { return nil }
        return switch (name, words.isEmpty) {
        case ("list", true): List.everyday
        case ("mood", false): Mood.everyday(Array(words))
        case ("status", true): Status.everyday
        default: nil
        }
    }
}

extension List {
    fileprivate static var everyday: List {
        var list = List()
        list.part = nil
        list.pager = .everyday
        list.daemon = .everyday
        return list
    }
}

extension Mood {
    fileprivate static func everyday(_ words: [String]) -> Mood {
        var mood = Mood()
        mood.words = words
        mood.correct = nil
        mood.daemon = .everyday
        return mood
    }
}

extension Status {
    fileprivate static var everyday: Status {
        var status = Status()
        status.follow = false
        status.format = nil
        status.daemon = .everyday
        return status
    }
}

extension PagerOptions {
    fileprivate static var everyday: PagerOptions {
        var pager = PagerOptions()
        pager.isOff = false
        return pager
    }
}

extension DaemonOptions {
    fileprivate static var everyday: DaemonOptions {
        var daemon = DaemonOptions()
        daemon.json = false
        daemon.socket = nil
        return daemon
    }
}
