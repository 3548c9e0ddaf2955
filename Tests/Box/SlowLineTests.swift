import Foundation
import Testing

/// The screens for messages, on a client's machine whose ssh crosses a slow line.
@Suite(
    .enabled(if: Box.isPossible, Box.whyNot), .enabled(if: Box.programs != nil, Box.noPrograms),
    .enabled(if: TwoHouses.hasServer, "there is no OpenSSH server"),
    .enabled(if: BoxTerminal.isPossible, BoxTerminal.whyNot), .enabled(if: SlowLine.isPossible, SlowLine.whyNot), .boxed
)
struct SlowLineTests {
    @Test(arguments: [(40, 12), (80, 24)])
    func `a room and a letter are read and written`(columns: Int, rows: Int) async throws {
        let houses = try await TwoHouses()
        try await houses.link()
        // Ssh needs seconds to begin, and a picture of a large terminal would need half a second.
        for house in [houses.home, houses.clinic] {
            try await SlowLine.lay(in: house, "32kbit", burst: "2kb", latency: "4s")
        }
        let cleo = BoxTerminal(box: houses.home, user: .client)

        try await cleo.open("PATH=~/.local/bin:$PATH; daybreak chat Ana", columns: columns, rows: rows)
        try await cleo.waits { $0.contains("Nothing was said here yet.") }
        try await houses.ana("practice chat send Cleo 'At ten? Bring the letter to your mother, if it is written.'")
        try await cleo.waits { $0.contains("At ten?") && $0.contains("is written.") }
        try await cleo.type("-l", "'Yes, I bring it along.'")
        try await cleo.waits { $0.hasSuffix("> Yes, I bring it along.") }
        try await cleo.type("Enter")
        try await houses.anaSees("practice chat history Cleo | grep --quiet 'Yes, I bring it along.'")
        try await cleo.waits { $0.hasSuffix("\n>") && $0.contains("Yes, I bring it along.") }
        try await cleo.type("C-c")
        try await cleo.waits { $0.contains("= 0") }
        try await cleo.close()

        try await houses.ana(
            "printf 'Dear Cleo,\\n\\nten it is.\\n' | practice mail write Cleo --subject Friday")
        try await cleo.open("PATH=~/.local/bin:$PATH; daybreak mail", columns: columns, rows: rows)
        try await cleo.waits { $0.contains("Inbox · 2 letters") && $0.contains("Friday") }
        try await cleo.type("Enter")
        try await cleo.waits { $0.contains("Subject  Friday") && $0.contains("ten it is.") }
        try await cleo.type("q")
        try await cleo.waits { $0.contains("Inbox · 2 letters, 1 of them new") }
        try await cleo.type("q")
        try await cleo.waits { $0.contains("= 0") }
    }
}
