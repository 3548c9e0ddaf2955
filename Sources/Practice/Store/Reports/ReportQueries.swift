public import PracticeRules
import Storage
import Time

extension Store {
    /// The turns of all records, each record's together and in order.
    public func countedTurns() throws -> [CountedTurn] {
        try database.rows(
            "SELECT client, kind, cause, on_day, thanatologist FROM turn ORDER BY client, number"
        ) {
            CountedTurn(
                client: $0.integer(0) ?? 0, kind: RecordTurnKind(rawValue: $0.text(1) ?? "") ?? .transferred,
                cause: $0.text(2).flatMap { ReopeningCause(rawValue: $0) }, on: $0.day(3) ?? CalendarDay(ordinal: 0),
                thanatologist: $0.integer(4) ?? 0)
        }
    }

    /// A wait of a client for an answer, and the people to whom they wrote.
    public struct ClientWait: Sendable {
        public let wait: Wait
        public let to: [Int64]
    }

    /// All waits, of letters and messages.
    public func waits() throws -> [ClientWait] {
        let clients = NumberSet(try database.rows("SELECT person FROM client") { $0.integer(0) ?? 0 })
        return try letterWaits(clients.contains) + messageWaits(clients.contains)
    }

    /// A letter of a client to staff begins a wait, unless an earlier one of theirs in the same thread has no answer yet. The
    /// next letter of staff to the client in that thread ends it.
    private func letterWaits(_ isClient: (Int64) -> Bool) throws -> [ClientWait] {
        var recipients: [Int64: [Int64]] = [:]
        try database.each("SELECT letter, person FROM letter_to") {
            recipients[$0.integer(0) ?? 0, default: []].append($0.integer(1) ?? 0)
        }
        var (waits, thread): ([ClientWait], Int64?) = ([], nil)
        var letters: [CountedLetter] = []
        func endThread() {
            var open: [Int64: (began: Instant, to: [Int64])] = [:]
            for letter in letters.answersLast {
                // The practice's own letters are no answers.
                guard let writer = letter.writer else { continue }
                let to = recipients[letter.id] ?? []
                if isClient(writer) {
                    if open[writer] == nil { open[writer] = (letter.at, to) }
                } else if !open.isEmpty {
                    for person in to {
                        guard let wait = open.removeValue(forKey: person) else { continue }
                        waits.append(ClientWait(wait: Wait(began: wait.began, answered: letter.at), to: wait.to))
                    }
                }
            }
            for (_, wait) in open {
                waits.append(ClientWait(wait: Wait(began: wait.began, answered: nil), to: wait.to))
            }
            letters = []
        }
        try database.each(
            "SELECT thread, id, from_person, at, reply_to FROM letter WHERE sent = 1 ORDER BY thread, at, id"
        ) { row in
            if row.integer(0) != thread { endThread() }
            thread = row.integer(0)
            letters.append(
                CountedLetter(
                    id: row.integer(1) ?? 0, writer: row.integer(2), at: row.instant(3) ?? Instant(microseconds: 0),
                    answered: row.integer(4)))
        }
        endThread()
        return waits
    }

    /// A message of a client in a room of two begins a wait, unless their last one has no answer yet. A message that was deleted
    /// since counts.
    private func messageWaits(_ isClient: (Int64) -> Bool) throws -> [ClientWait] {
        var staff: [Int64: Int64] = [:]
        try database.each("SELECT id FROM room WHERE kind = 'direct'") { staff[$0.integer(0) ?? 0] = 0 }
        try database.each("SELECT room, person FROM member") { row in
            guard let room = row.integer(0), let person = row.integer(1), !isClient(person) else { return }
            if staff[room] != nil { staff[room] = person }
        }
        var (waits, began): ([ClientWait], Instant?) = ([], nil)
        var (room, to): (Int64?, Int64?) = (nil, nil)
        func end(at answered: Instant?) {
            guard let since = began, let to else { return }
            waits.append(ClientWait(wait: Wait(began: since, answered: answered), to: [to]))
            began = nil
        }
        try database.each("SELECT room, person, at FROM chat WHERE kind = 'message' ORDER BY room, number") { row in
            if row.integer(0) != room {
                end(at: nil)
                room = row.integer(0)
                to = room.flatMap { staff[$0] }
            }
            guard to != nil, let writer = row.integer(1) else { return }
            if !isClient(writer) { end(at: row.instant(2)) } else if began == nil { began = row.instant(2) }
        }
        end(at: nil)
        return waits
    }
}

/// A letter as waits are counted.
private struct CountedLetter {
    let id: Int64
    /// Nil for the practice itself.
    let writer: Int64?
    let at: Instant
    /// The letter that it answers.
    let answered: Int64?
}

extension [CountedLetter] {
    /// Each letter after the one that it answers, in their order otherwise. The clock may have been set back between the two.
    fileprivate var answersLast: [CountedLetter] {
        guard count > 1 else { return self }
        let places = Dictionary(uniqueKeysWithValues: zip(map(\.id), indices))
        var isTaken = [Bool](repeating: false, count: count)
        var sorted: [CountedLetter] = []
        for place in indices {
            // The letter, the one that it answers, and so on, as far as they are not there yet.
            var (chain, next): ([CountedLetter], Int?) = ([], place)
            while let place = next, !isTaken[place] {
                isTaken[place] = true
                chain.append(self[place])
                next = self[place].answered.flatMap { places[$0] }
            }
            sorted += chain.reversed()
        }
        return sorted
    }
}
