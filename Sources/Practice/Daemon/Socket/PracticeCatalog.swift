import PracticeInterfaces
import StaffInterfaces
import Varlink

/// The interfaces of practiced.
enum PracticeCatalog {
    static let all = [
        Practice.interface, Records.interface, Care.interface, Mail.interface, Chat.interface, Programmes.interface,
        Reports.interface, Gate.interface, Upkeep.interface,
    ]
    static let methods: [any Method.Type] =
        Practice.methods + Records.methods + Care.methods + Mail.methods + Chat.methods
        + Programmes.methods + Reports.methods + Gate.methods + Upkeep.methods
}
