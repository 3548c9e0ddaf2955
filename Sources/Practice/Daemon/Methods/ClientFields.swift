import PracticeInterfaces
import PracticeRules

extension Records.ListFields: Handled {
    static let right = Right.listClients
    static let onlyReads = true

    func answer(at desk: Desk) throws -> Reply {
        Reply(
            fields: desk.settings.clientFields.map { field in
                .init(
                    name: field.name, label: field.label.isEmpty ? field.name : field.label,
                    pattern: field.pattern.isEmpty ? nil : field.pattern, required: field.isRequired)
            })
    }
}
