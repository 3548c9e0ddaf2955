import Companion
import Glibc
import JSON
import Varlink

/// A form's fields from a file: one JSON object with the parameters of the call.
enum FormFile {
    static let help = "The fields as one JSON object, named and spelled as in the interface; - is standard input."

    /// The largest size, in bytes.
    private static let longest = 2 * 1_024 * 1_024

    /// - Parameter more: further parameters from the command line, such as the client or the revision.
    static func call<M: Method>(_ type: M.Type, from file: String, adding more: [String: String] = [:]) throws(Failure)
        -> M
    {
        let text: String
        do { text = try TextInput.text(of: file, limit: longest) } catch {
            // A name, perhaps.
            throw access(file, F_OK) == 0 ? error : error.adding("The fields can be options, too: --help lists them.")
        }
        do { _ = try RawJSON(parsing: Array(text.utf8)) } catch {
            throw .refused("NotAnObject", saying: "\(file.shown) is not one JSON object: \(error).")
        }
        var members: [String: RawJSON]
        do { members = try decodeObject([String: RawJSON].self, from: Array(text.utf8)) } catch {
            throw .refused("NotAnObject", saying: "\(file.shown) is not one JSON object.")
        }
        for (name, value) in more { members[name] = quoted(value) }
        let call: M
        do { call = try decodeObject(M.self, from: JSONObject.text(of: members)) } catch {
            throw .misused("\(file.shown): “\((error.member ?? "").shown)” is missing, or not of its kind.")
        }
        try checkKnown(members, in: call, file)
        return call
    }

    /// Decoding ignores unknown names, so a misspelt field would be lost.
    private static func checkKnown(_ members: [String: RawJSON], in call: some Method, _ file: String) throws(Failure) {
        let known = try? decodeObject([String: RawJSON].self, from: JSONObject.text(of: call))  // Just encoded.
        let unknown = members.filter { $0.value.text != Array("null".utf8) }.keys.filter { known?[$0] == nil }.sorted()
        guard unknown.isEmpty else {
            throw .misused("\(file.shown): there is no field “\(unknown[0].shown)”.")
        }
    }

    /// A number becomes a JSON number, because revisions are numbers.
    private static func quoted(_ value: String) -> RawJSON? {
        if Int(value) != nil { return try? RawJSON(parsing: Array(value.utf8)) }  // Digits are JSON.
        let object = JSONObject.text(of: ["v": value])
        return try? RawJSON(parsing: Array(object.dropFirst(5).dropLast()))  // The text between {"v": and }.
    }
}

/// Reads the options of a form, as they were typed.
enum Given {
    /// Replaces a hyphen by the text of standard input, because other users can see command lines.
    static func read(_ options: [String: String?]) throws(Failure) -> [String: String?] {
        let read = options.filter { $0.value == "-" }.keys.sorted()
        guard read.count < 2 else {
            throw .misused(
                "Only one of --\(read.map(\.dashed).joined(separator: " and --")) can come from standard input.")
        }
        var options = options.filter { $0.value != nil }
        for field in read { options[field] = try TextInput.text(of: "-", limit: 1_024 * 1_024).withoutEnd }
        return options
    }
}
