import JSON

extension Interface {
    /// Checks a call's parameters before anything runs: unknown, missing and ill-typed ones, values outside an enumeration,
    /// and numbers out of range; also inside structures, arrays and maps. Specification: varlink.org/Interface-Definition,
    /// "Type", and varlink.org/FAQ on how the types become JSON.
    ///
    /// Throws ``InvalidParameter`` with the bare name of the parameter, or with `parameters` if they are no object.
    /// - Precondition: the interface has the method, whose name is bare or full.
    public func check(parameters: [UInt8], of method: String) throws(InvalidParameter) {
        guard let method = self.method(named: method) else { preconditionFailure("\(name) has no method \(method)") }
        try check(parameters, against: method.input)
    }

    /// Checks the parameters of a method's reply, as ``check(parameters:of:)`` checks a call's.
    public func check(reply parameters: [UInt8], of method: String) throws(InvalidParameter) {
        guard let method = self.method(named: method) else { preconditionFailure("\(name) has no method \(method)") }
        try check(parameters, against: method.output)
    }

    /// Checks the parameters of an error, as ``check(parameters:of:)`` checks a call's.
    public func check(parameters: [UInt8], ofError error: String) throws(InvalidParameter) {
        guard let error = self.error(named: error) else { preconditionFailure("\(name) has no error \(error)") }
        try check(parameters, against: error.parameters)
    }

    func check(_ parameters: [UInt8], against fields: [Field]) throws(InvalidParameter) {
        var check = ParameterCheck(interface: self, reader: JSONReader(parameters))
        do { try check.run(fields) } catch { throw InvalidParameter(parameter: check.parameter ?? "parameters") }
    }
}

/// One walk over the bytes of a parameters' object, side by side with the fields that the interface defines.
private struct ParameterCheck {
    let interface: Interface
    var reader: JSONReader
    /// The parameter that is being checked.
    var parameter: String?

    mutating func run(_ fields: [Interface.Field]) throws(JSONError) {
        try structure(fields, isOutermost: true)
        parameter = nil
        try reader.end()
    }

    private mutating func structure(_ fields: [Interface.Field], isOutermost: Bool = false) throws(JSONError) {
        var isMissing = fields.map { !$0.isOptional }
        try reader.beginObject()
        while let key = try reader.nextKey() {
            if isOutermost { parameter = key }
            guard let index = fields.firstIndex(where: { $0.name.isSpelled(key) }) else {
                throw reader.error(at: reader.keyOffset, "no field is called \(reader.quoted(key))")
            }
            try value(fields[index].type)
            isMissing[index] = false
            if isOutermost { parameter = nil }
        }
        guard let missing = isMissing.firstIndex(of: true) else { return }
        if isOutermost { parameter = fields[missing].name }
        throw reader.error(at: reader.offset, "the field '\(fields[missing].name)' is missing")
    }

    private mutating func value(_ type: Interface.FieldType) throws(JSONError) {
        switch type {
        case .bool: _ = try reader.readBool()
        case .int: _ = try reader.readInt()
        case .float: _ = try reader.readDouble()
        case .string: _ = try reader.readString()
        case .object: try object()
        case .any: try anything()
        case .named(let name): try named(name)
        case .structure(let fields): try structure(fields)
        case .enumeration(let values): try enumeration(values)
        case .array(let element):
            try reader.beginArray()
            while try reader.nextElement() { try value(element) }
        case .map(let element):
            try reader.beginObject()
            while try reader.nextKey() != nil { try value(element) }
        case .optional(let wrapped):
            if try reader.peekKind() == .null { try reader.readNull() } else { try value(wrapped) }
        }
    }

    private mutating func named(_ name: String) throws(JSONError) {
        guard let type = interface.type(named: name) else { preconditionFailure("the parser saw that \(name) exists") }
        try value(type.type)
    }

    private mutating func object() throws(JSONError) {
        let found = try reader.peekKind()
        guard found == .object else { throw reader.error(at: reader.offset, "expected an object, found \(found.name)") }
        try reader.skipValue()
    }

    private mutating func anything() throws(JSONError) {
        guard try reader.peekKind() != .null else {
            throw reader.error(at: reader.offset, "expected a value, found null")
        }
        try reader.skipValue()
    }

    private mutating func enumeration(_ values: [String]) throws(JSONError) {
        let offset = reader.offset
        let word = try reader.readString()
        guard values.contains(where: { $0.isSpelled(word) }) else {
            throw reader.error(at: offset, "expected one of \(values.joined(separator: ", "))")
        }
    }
}
