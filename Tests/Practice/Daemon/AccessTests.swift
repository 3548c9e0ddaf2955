import JSON
import PracticeInterfaces
import PracticeRules
import StaffInterfaces
import Testing
import Varlink

@testable import PracticeDaemon

/// Each method is called by eight callers.
@Suite struct `The access table` {
    @Test func `each method answers only the callers in its row`() throws {
        let staffed = try StaffedClinic()
        let table = staffed.table
        #expect(
            Set(table.map { type(of: $0.call).name })
                == Set(PracticeCatalog.methods.map { $0.name }.filter { !Routes.isFromMemory($0) }))
        let ofFiles = [Upkeep.BackUpNight.name, Upkeep.Backup.name]
        for row in table {
            if TestServer.shared != nil, ofFiles.contains(type(of: row.call).name) { continue }
            var cells = ""
            for place in 0..<8 { cells += try cell(row.call, in: staffed, by: place) }
            #expect(cells == row.cells, "\(row.call)")
        }
    }

    private struct TakenBack: Error {}

    /// Each call finds the clinic as it was, because its changes are rolled back. Maintenance changes no record here. An erasure
    /// rewrites the files as well, so it has a copy of the clinic.
    private func cell(_ call: some Method, in staffed: StaffedClinic, by place: Int) throws -> String {
        if call is Records.EraseRecord { return try cell(call, staffed.callers(Clinic(copyOf: staffed.clinic))[place]) }
        let caller = staffed.callers(staffed.clinic)[place]
        // Maintenance names its files by the instant, so each call needs another one.
        staffed.clinic.clock.advance(by: .milliseconds(1))
        guard let handler = Routes.handler(of: type(of: call).name), !handler.onlyReads else {
            return try cell(call, caller)
        }
        var cell = ""
        do {
            try staffed.clinic.writer.storage.store().transaction {
                cell = try self.cell(call, caller)
                throw TakenBack()
            }
        } catch is TakenBack {}
        return cell
    }

    private func cell(_ call: some Method, _ caller: Clinic.TestCaller) throws -> String {
        let outcome = try caller.outcome(
            call, more: call is Practice.Watch || call is Care.Follow || call is Chat.Listen)
        let reply = try Reply(frame: Array(outcome.frame.dropLast()))
        switch reply.error {
        case nil:
            let text = String(decoding: reply.parameters, as: UTF8.self)
            return text.contains("\"entries\":[]") || text.contains("\"clients\":[]") ? "0" : "+"
        case Practice.NotAllowed.name: return "-"
        case Practice.NotFound.name: return "?"
        case Practice.Invalid.name: return "!"
        case Mail.MayNotWrite.name, Chat.MayNotWrite.name: return "/"
        case Chat.NotAMember.name: return "m"
        case Chat.DirectRoom.name: return "d"
        case MethodNotImplemented.name: return "."
        case .some(let error) where error.hasPrefix("org.daybreak.Upkeep."): return "*"
        case .some(let error): return " \(error) \(String(decoding: reply.parameters, as: UTF8.self)) "
        }
    }
}
