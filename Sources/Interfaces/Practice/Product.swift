/// The daemon's answer to `GetInfo`.
public enum Product {
    public static let vendor = "The Daybreak project"
    public static let name = "practice"
    public static let version = "0.1.0"
    public static let url = ""
}
