extension Tables {
    /// The tallies of sessions, and what reports read besides: the step to version 6. The upgrade counts the sessions that
    /// are there.
    static let reports = """
        -- What the sessions of one thanatologist in one week or month are counted as, without those that are voided. period:
        -- 2027-W09 or 2027-03. kind: client, service and term with the thing's number in key; given, with the currency and
        -- the sum of the fees in amount; none, sessions with a fee of 0; nothing, sessions without a fee. sessions: their
        -- count, never 0.
        CREATE TABLE tally (
            period TEXT NOT NULL, thanatologist BIGINT NOT NULL, kind TEXT NOT NULL, key BIGINT NOT NULL,
            currency TEXT NOT NULL, sessions BIGINT NOT NULL, amount BIGINT NOT NULL,
            PRIMARY KEY (period, thanatologist, kind, key, currency)
        ) {rows in key's order};

        -- Reports of records and replies read these indexes from end to end, and not the texts.
        CREATE INDEX turn_in_order ON turn (client, number, kind, cause, on_day, thanatologist);
        CREATE INDEX letter_in_order ON letter (thread, at, id, from_person, sent) WHERE sent = 1;
        DROP INDEX chat_in_room;
        CREATE INDEX chat_in_room ON chat (room, number, kind, person, at);
        """

    /// The report of replies also reads which letter each one answers: a part of the step to version 9.
    static let answersInOrder = """
        DROP INDEX letter_in_order;
        CREATE INDEX letter_in_order ON letter (thread, at, id, from_person, reply_to, sent) WHERE sent = 1;
        """
}
