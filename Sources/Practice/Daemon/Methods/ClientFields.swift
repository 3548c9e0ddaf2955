import PracticeInterfaces
import PracticeRules
import StaffInterfaces

extension Records.ListFields: Handled {
    static let right = Right.seeRecord
    static let onlyReads = true

    func answer(in context: CallContext) throws -> Reply {
        Reply(
            fields: context.settings.clientFields.map { field in
                .init(
                    name: field.name, label: field.title,
                    pattern: field.pattern.isEmpty ? nil : field.pattern, required: field.isRequired)
            })
    }
}
