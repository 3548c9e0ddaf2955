public import Varlink

/// The interfaces of practiced.
public enum PracticeCatalog {
    public static let all = [
        Practice.interface, Records.interface, Care.interface, Mail.interface, Chat.interface, Programmes.interface,
        Reports.interface, Gate.interface, Upkeep.interface,
    ]
    public static let methods: [any Method.Type] =
        Practice.methods + Records.methods + Care.methods + Mail.methods + Chat.methods
        + Programmes.methods + Reports.methods + Gate.methods + Upkeep.methods
}

/// The daemon's answer to `GetInfo`.
public enum Product {
    public static let vendor = "The Daybreak project"
    public static let name = "practice"
    public static let version = "0.1.0"
    public static let url = ""
}
