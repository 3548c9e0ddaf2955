internal import ArgumentParser
import Companion
import PracticeInterfaces
import PracticeRules
import StaffInterfaces

struct Disposals: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "disposals", abstract: "List the closed records that were exported or erased, and why.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var daemon: DaemonOptions

    func run() throws {
        let connection = try daemon.connection()
        let disposals = try connection.all {
            Records.ListDisposals(after: $0, limit: 200)
        } _: {
            ($0.disposals, next: $0.next)
        }
        guard !daemon.json else { return Streams.output(object: Records.ListDisposals.Reply(disposals: disposals)) }
        guard !disposals.isEmpty else { return Streams.output("No record was exported or erased yet.\n") }
        let table = try Self.table(disposals, CallerInfo(over: connection), NameCache(connection))
        output.print(table.text(columns: output.columns, ink: output.ink))
    }

    static func table(_ disposals: [Records.Disposal], _ caller: CallerInfo, _ lookup: NameCache) throws(Failure)
        -> Table
    {
        var table = Table([
            .init("No.", isNumber: true, leads: true), .init("When", leads: true), .init(""), .init("Who"),
            .init("Why"),
        ])
        for disposal in disposals {
            table.rows.append([
                .init("\(disposal.number)", .strong), .init(Wording.time(disposal.at, today: caller.today), .faint),
                .init(disposal.what.rawValue, disposal.what == .erased ? .warm : .plain),
                .init(try lookup.person(disposal.by)), .init(disposal.reason),
            ])
        }
        return table
    }
}
