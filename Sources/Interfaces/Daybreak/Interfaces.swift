public import Varlink

/// The interfaces that the daemon serves, as their files in this folder spell them.
public enum Interfaces {
    public static let homework = embedded(PackageResources.org_daybreak_Homework_varlink)
    public static let provider = embedded(PackageResources.org_daybreak_Provider_varlink)
    public static let service = embedded(PackageResources.org_daybreak_Service_varlink)

    public static let all = [homework, provider, service]

    private static func embedded(_ bytes: [UInt8]) -> Interface {
        do {
            return try Interface(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            preconditionFailure("An interface file of ours does not parse: \(error)")
        }
    }
}

/// What the daemon says of itself.
public enum Product {
    public static let vendor = "The Daybreak project"
    public static let name = "daybreak"
    public static let version = "0.1.0"
    public static let url = ""
}
