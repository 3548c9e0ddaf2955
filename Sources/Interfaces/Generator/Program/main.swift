import Glibc
internal import InterfaceGenerator
internal import Varlink

// Reads one interface definition and writes it as Swift: `generate-interface IN.varlink OUT.swift`.

/// Ends with a message in the compiler's form, so that the build shows the place of the fault.
func fail(_ message: String) -> Never {
    let line = "\(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { fail("\(path): error: cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
}

func save(_ text: String, as path: String) {
    guard let file = fopen(path, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
        fail("\(path): error: cannot be written")
    }
}

guard CommandLine.arguments.count == 3 else { fail("usage: generate-interface IN.varlink OUT.swift") }
let definition = CommandLine.arguments[1]
do {
    let interface = try Interface(parsing: text(of: definition))
    save(try interface.swiftSource(), as: CommandLine.arguments[2])
} catch let error as InterfaceError {
    fail("\(definition):\(error.line):\(error.column): error: \(error.reason)")
} catch {
    fail("\(definition): error: \(error)")
}
