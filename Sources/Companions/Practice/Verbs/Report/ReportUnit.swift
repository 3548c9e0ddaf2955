import Companion
import PracticeRules

extension FigureUnit {
    /// A unit of the wire: a currency's code, or a word such as `clients`.
    init(counted name: String) {
        let isCode =
            name.utf8.count == 3 && name.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        self.init(name, decimals: isCode ? Currency(name).decimals : nil)
    }
}
