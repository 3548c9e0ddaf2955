import Foundation
import Testing

@testable import Companion
@testable import PracticeCompanion

/// Each form as it looks once it is filled in, with a fault beside its field, at 80 columns and at 40.
@Suite(.enabled(if: TmuxPane.isThere, TmuxPane.whyNot))
struct `The picture of a form` {
    /// A clinic with services, words, and a client.
    private func clinic() throws -> RealPractice {
        let practice = try RealPractice()
        for (name, minutes) in [("Grief session", "50"), ("First conversation", "30"), ("A walk in the park", "90")] {
            try practice.says(
                "service", "add", "--category", "Alone", "--name", name, "--description", "x", "--minutes", minutes)
        }
        for word in ["Illness", "Loss of a parent", "Loss of a partner", "Migration"] {
            try practice.says("term", "add", "motives", word)
        }
        try practice.says("term", "add", "tools", "Letter of farewell")
        try practice.begin()
        try practice.says("client", "add", "--name", "Cleo Santos")
        return practice
    }

    /// The pane once `end` is its last line. All lines are typed ahead, as soon as the first field is asked for.
    /// - Parameters:
    ///   - lines: each with Enter; Ctrl-U alone empties the line.
    ///   - more: lines that are typed once the fault of the daemon is there, which the first lines bring about.
    private func picture(
        _ command: String, in practice: RealPractice, columns: Int, begin: String, _ lines: [String],
        then more: (fault: String, lines: [String])? = nil, end: String = "Ctrl-C leaves"
    ) throws -> String {
        let pane = try practice.pane(command, columns: columns, rows: 60)
        pane.waits { pane.picture().contains(begin) && pane.says("#{cursor_x}") != "0" }
        pane.type(lines: lines)
        if let more {
            pane.waits { pane.picture().contains(more.fault) && pane.says("#{cursor_x}") != "0" }
            pane.type(lines: more.lines)
        }
        pane.waits { pane.lastLine.hasSuffix(end) && pane.picture().contains("Enter ") }
        return pane.picture().trimmed
    }

    @Test(arguments: [80, 40]) func `a new member of staff`(columns: Int) throws {
        let picture = try picture(
            "staff add", in: RealPractice(), columns: columns, begin: "Name",
            ["Bea Lund", "2", "", "bea@", "clinic.example", "030", "C-u", "+49 30 1234567"])
        #expect(
            picture
                == (columns == 80
                    ? """

                      Somebody new
                      ↑ goes back · Ctrl-C leaves

                      Name       Bea Lund
                      Role       1 administrator · 2 support · 3 therapist
                                 support
                      Account
                      E-mail     bea@
                                 ✗ must be an address such as name@example.org.
                      E-mail     bea@clinic.example
                      Telephone  030
                                 ✗ must be a number with its country, such as +49 30 1234567.
                      Telephone  +49 30 1234567

                      Enter adds them · ↑ goes back · Ctrl-C leaves
                    """
                    : """

                      Somebody new
                      ↑ goes back · Ctrl-C leaves

                      Name
                        Bea Lund
                      Role
                        1 administrator · 2 support
                        3 therapist
                        support
                      Account

                      E-mail
                        bea@
                        ✗ must be an address such as
                        name@example.org.
                      E-mail
                        bea@clinic.example
                      Telephone
                        030
                        ✗ must be a number with its country,
                        such as +49 30 1234567.
                      Telephone
                        +49 30 1234567

                      Enter adds them · ↑ goes back
                      Ctrl-C leaves
                    """))
    }

    @Test(arguments: [80, 40]) func `a new client`(columns: Int) throws {
        let address = "Calle Mayor 1, the second door on the left behind the old pharmacy at the corner, 28013 Madrid"
        let picture = try picture(
            "client add", in: clinic(), columns: columns, begin: "Name",
            [
                "Rosa Luna", "1980-02-30", "C-u", "1980-02-03", "+34 91 1234567", "", address, "", "",
                "Her mother died in May.",
            ])
        #expect(
            picture
                == (columns == 80
                    ? """

                      New client
                      ↑ goes back · Ctrl-C leaves

                      Name             Rosa Luna
                      Born             1980-02-30
                                       ✗ must be a day such as 2027-03-05.
                      Born             1980-02-03
                      Telephone        +34 91 1234567
                      E-mail
                      Address          Calle Mayor 1, the second door on the left behind the old p…
                      In an emergency
                      Referred by
                      Came because of  Her mother died in May.

                      Enter adds this client · ↑ goes back · Ctrl-C leaves
                    """
                    : """

                      New client
                      ↑ goes back · Ctrl-C leaves

                      Name
                        Rosa Luna
                      Born
                        1980-02-30
                        ✗ must be a day such as 2027-03-05.
                      Born
                        1980-02-03
                      Telephone
                        +34 91 1234567
                      E-mail

                      Address
                        Calle Mayor 1, the second door on …
                      In an emergency

                      Referred by

                      Came because of
                        Her mother died in May.

                      Enter adds this client · ↑ goes back
                      Ctrl-C leaves
                    """))
    }

    @Test(arguments: [80, 40]) func `a session that took place`(columns: Int) throws {
        let picture = try picture(
            "session add 1", in: clinic(), columns: columns, begin: "today",
            ["", "9", "C-u", "grief", "", "2, 4", "", "12,5", "We spoke of the sea."])
        #expect(
            picture
                == (columns == 80
                    ? """

                      A session of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Day           today
                      Service       1 A walk in the park · 2 First conversation · 3 Grief session
                                    9
                                    ✗ must be one of these: there is no “9”.
                                    Grief session
                      Minutes       50
                      Motives       1 Illness · 2 Loss of a parent · 3 Loss of a partner
                                    4 Migration
                                    Loss of a parent, Migration
                      Tools         1 Letter of farewell

                      Recovery fee  12,5
                      Notes         We spoke of the sea.

                      Enter records it; nothing edits it afterwards · ↑ goes back · Ctrl-C leaves
                    """
                    : """

                      A session of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Day
                        today
                      Service
                        1 A walk in the park
                        2 First conversation
                        3 Grief session
                        9
                        ✗ must be one of these: there is no
                        “9”.
                        Grief session
                      Minutes
                        50
                      Motives
                        1 Illness · 2 Loss of a parent
                        3 Loss of a partner · 4 Migration
                        Loss of a parent, Migration
                      Tools
                        1 Letter of farewell

                      Recovery fee
                        12,5
                      Notes
                        We spoke of the sea.

                      Enter records it; nothing edits it
                      afterwards · ↑ goes back
                      Ctrl-C leaves
                    """))
    }

    @Test(arguments: [80, 40]) func `a record that is closed and opened again`(columns: Int) throws {
        let practice = try clinic()
        let closing = try picture(
            "client close 1", in: practice, columns: columns, begin: "Reason", [" ", "C-u", "Moved to Lugo.", ""],
            end: "= 0")
        #expect(
            closing
                == (columns == 80
                    ? """

                      Close the record of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Reason
                              ✗ must be given.
                      Reason  Moved to Lugo.

                      Enter closes it · ↑ goes back · Ctrl-C leaves
                    The record of Cleo Santos is closed. `practice client reopen 1` opens it again.
                    = 0
                    """
                    : """

                      Close the record of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Reason
                              ✗ must be given.
                      Reason  Moved to Lugo.

                      Enter closes it · ↑ goes back
                      Ctrl-C leaves
                    The record of Cleo Santos is closed.
                    `practice client reopen 1` opens it
                    again.
                    = 0
                    """))
        let opening = try picture(
            "client reopen 1", in: practice, columns: columns, begin: "Because of",
            ["3", "C-u", "ret", "She is back.", ""],
            end: "= 0")
        #expect(
            opening
                == (columns == 80
                    ? """

                      Reopen the record of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Because of  1 a mistake: the gap is undone · 2 a return: a new episode begins
                                  3
                                  ✗ must be one of these: there is no “3”.
                                  a return: a new episode begins
                      Reason      She is back.

                      Enter opens it · ↑ goes back · Ctrl-C leaves
                    The record of Cleo Santos is open; a new episode begins.
                    = 0
                    """
                    : """

                      Reopen the record of Cleo Santos
                      ↑ goes back · Ctrl-C leaves

                      Because of
                        1 a mistake: the gap is undone
                        2 a return: a new episode begins
                        3
                        ✗ must be one of these: there is no
                        “3”.
                        a return: a new episode begins
                      Reason
                        She is back.

                      Enter opens it · ↑ goes back
                      Ctrl-C leaves
                    The record of Cleo Santos is open; a new
                    episode begins.
                    = 0
                    """))
    }

    @Test(arguments: [80, 40]) func `a new service`(columns: Int) throws {
        let picture = try picture(
            "service add", in: RealPractice(), columns: columns, begin: "Category",
            [
                "In groups", "A walk by the river", "Two hours, in any weather.", "two hours", "C-u", "120", "60,555",
                "C-u",
                "60,50", "", "/nowhere.png", "C-u", "",
            ])
        #expect(
            picture
                == (columns == 80
                    ? """

                      A new service
                      ↑ goes back · Ctrl-C leaves

                      Category     In groups
                      Name         A walk by the river
                      Description  Two hours, in any weather.
                      Minutes      two hours
                                   ✗ must be a number from 1 to 1440.
                      Minutes      120
                      Fee          60,555
                                   ✗ must be an amount such as 50 or 50.00.
                      Fee          60,50
                      Link
                      Picture      /nowhere.png
                                   ✗ cannot be read: No such file or directory.
                      Picture

                      Enter adds it · ↑ goes back · Ctrl-C leaves
                    """
                    : """

                      A new service
                      ↑ goes back · Ctrl-C leaves

                      Category
                        In groups
                      Name
                        A walk by the river
                      Description
                        Two hours, in any weather.
                      Minutes
                        two hours
                        ✗ must be a number from 1 to 1440.
                      Minutes
                        120
                      Fee
                        60,555
                        ✗ must be an amount such as 50 or
                        50.00.
                      Fee
                        60,50
                      Link

                      Picture
                        /nowhere.png
                        ✗ cannot be read: No such file or
                        directory.
                      Picture


                      Enter adds it · ↑ goes back
                      Ctrl-C leaves
                    """))
    }

    @Test(arguments: [80, 40]) func `a new motive or tool`(columns: Int) throws {
        let practice = try RealPractice()
        try practice.says("term", "add", "tools", "Diary")
        let picture = try picture(
            "term add", in: practice, columns: columns, begin: "Among",
            ["x", "C-u", "2", "Diary", ""], then: ("✗ must be a new one", ["C-u", "Lifeline", ""]),
            end: "= 0")
        #expect(
            picture
                == (columns == 80
                    ? """

                      A new motive or tool
                      ↑ goes back · Ctrl-C leaves

                      Among  1 motives · 2 tools
                             x
                             ✗ must be one of these: there is no “x”.
                             tools
                      Word   Diary

                      Enter adds it · ↑ goes back · Ctrl-C leaves

                             ✗ must be a new one: Diary is there (t1).
                      Word   Lifeline

                      Enter adds it · ↑ goes back · Ctrl-C leaves
                    “Lifeline” is offered now (t2); `practice terms` lists the words.
                    = 0
                    """
                    : """

                      A new motive or tool
                      ↑ goes back · Ctrl-C leaves

                      Among  1 motives · 2 tools
                             x
                             ✗ must be one of these: there
                             is no “x”.
                             tools
                      Word   Diary

                      Enter adds it · ↑ goes back
                      Ctrl-C leaves

                             ✗ must be a new one: Diary is
                             there (t1).
                      Word   Lifeline

                      Enter adds it · ↑ goes back
                      Ctrl-C leaves
                    “Lifeline” is offered now (t2);
                    `practice terms` lists the words.
                    = 0
                    """))
    }
}
