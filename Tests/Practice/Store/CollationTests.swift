import PracticeStore
import Testing

@Suite struct `Names in order` {
    @Test func `accents and case decide only between names that are else the same`() {
        let names = ["Zoé", "ángeles", "Beatriz", "Ángeles", "Angela", "Örn", "Olga", "angeles"]
        let collation = Collation()
        #expect(
            names.sorted { collation.key(of: $0) < collation.key(of: $1) } == [
                "Angela", "angeles", "Ángeles", "ángeles", "Beatriz", "Olga", "Örn", "Zoé",
            ])
    }

    @Test func `what a person types without accents finds a name with them`() {
        #expect(Collation.folded("Ángeles Muñoz") == "angeles munoz")
    }
}
