import DaybreakInterfaces
import HomeworkRules
import Varlink
import VarlinkService

extension Homework.Import: Handled {
    static let right = Rights.act

    func job(in context: CallContext) throws -> Job {
        let text = Array(self.schedule.utf8)
        let schedule = try context.schedule(text)
        guard dryRun != true else { return context.look { Reply($0.change(by: schedule)) } }
        let fingerprint = Fingerprint(of: text)
        var job = context.command(.takeSchedule(schedule, file: nil)) {
            var reply = Reply($0.taken ?? $0.change(by: schedule))
            reply.fileDiffers = $0.isOtherwiseInFile(than: fingerprint) ? true : nil
            return reply
        }
        job.check = { guard !$0.takesPracticesSchedule else { throw Homework.ScheduleFromPractice() } }
        return job
    }
}

extension CallContext {
    /// - Parameter isRecorded: whether a practice has taken it in already.
    func schedule(_ text: [UInt8], isRecorded: Bool = false) throws(Homework.InvalidSchedule) -> Schedule {
        do {
            return try ScheduleReader.read(text, patterns: configuration.patterns, isRecorded: isRecorded)
        } catch {
            throw Homework.InvalidSchedule(
                line: error.line, column: error.column, entry: error.entry, reason: error.reason)
        }
    }
}
