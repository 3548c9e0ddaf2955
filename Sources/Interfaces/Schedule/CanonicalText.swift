import JSON

extension Schedule {
    /// The schedule as JSON (`tasks.json`) without blanks: equal schedules are equal texts.
    public var canonicalText: String {
        var text: [UInt8] = Array("[".utf8)
        for (place, entry) in entries.enumerated() {
            text += place > 0 ? Array(",".utf8) : []
            entry.append(to: &text)
        }
        return String(decoding: text + Array("]".utf8), as: UTF8.self)
    }
}

extension Schedule.Entry {
    fileprivate func append(to text: inout [UInt8]) {
        text += Array("{".utf8)
        if let id {
            text += Array("\"id\":".utf8)
            text.appendJSON(id.text)
            text += Array(",".utf8)
        }
        text += Array("\"due\":\"\(due)\",\"breaths\":\(breaths),\"moods\":[".utf8)
        for (place, mood) in moods.enumerated() {
            text += place > 0 ? Array(",".utf8) : []
            text.appendJSON(mood.word)
        }
        text += Array("]".utf8)
        if let pattern {
            text += Array(",\"pattern\":".utf8)
            text.appendJSON("\(pattern)")
        }
        text += Array("}".utf8)
    }
}
