import Companion
import Glibc
import JSON
import Varlink

/// A form's fields from a file: one JSON object with the parameters of the call.
enum FormFile {
    static let help = "The fields as one JSON object, named and spelled as in the interface; - is standard input."

    /// The largest size, in bytes.
    private static let longest = 2 * 1_024 * 1_024

    /// - Parameters:
    ///   - more: further parameters from the command line, such as the client. The file may name them, too, but no others. A
    ///     revision of the file's own counts: it is the one that the file's writer read.
    ///   - isEdit: the file must name something to change.
    static func call<M: Method>(
        _ type: M.Type, from file: String, adding more: [String: String] = [:], isEdit: Bool = false
    ) throws(Failure) -> M {
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
        if isEdit { try checkChanges(members.filter { more[$0.key] == nil }, file) }
        for (name, value) in more {
            let value = quoted(value)
            guard name != "revision", let stated = members[name] else {
                members[name] = members[name] ?? value
                continue
            }
            guard stated.text == value?.text else {
                throw .misused("\(file.shown): “\(name)” is another one than the command line names.")
            }
        }
        let call: M
        do { call = try decodeObject(M.self, from: JSONObject.text(of: members)) } catch {
            let member = error.member ?? ""
            let fault = members[member] == nil ? "is missing" : "is not of its kind"
            throw .misused("\(file.shown): “\(member.shown)” \(fault).")
        }
        try checkKnown(members, in: call, file)
        return call
    }

    /// A null would leave its field as it is.
    private static func checkChanges(_ members: [String: RawJSON], _ file: String) throws(Failure) {
        if let name = members.filter({ $0.value.isNull }).keys.min() {
            throw .misused(
                "\(file.shown): “\(name.shown)” is null, which changes nothing. An empty text empties a field; a field that is "
                    + "left out stays as it is.")
        }
        guard !members.isEmpty else { throw .misused("\(file.shown): There is no field to change.") }
    }

    /// Decoding ignores unknown names, so a misspelt field would be lost.
    private static func checkKnown(_ members: [String: RawJSON], in call: some Method, _ file: String) throws(Failure) {
        let known = try? decodeObject([String: RawJSON].self, from: JSONObject.text(of: call))  // Just encoded.
        let unknown = members.filter { !$0.value.isNull }.keys.filter { known?[$0] == nil }.sorted()
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

extension RawJSON {
    fileprivate var isNull: Bool { text == Array("null".utf8) }
}
