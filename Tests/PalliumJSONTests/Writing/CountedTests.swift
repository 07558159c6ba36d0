import PalliumJSON
import Testing

@Suite struct CountedTests {
    @Test(arguments: [(0, "0 levels"), (1, "1 level"), (2, "2 levels"), (-1, "-1 levels")])
    func aNounAgreesWithItsNumber(_ number: Int, _ text: String) { #expect(number.counted("level") == text) }

    @Test(arguments: [(0, "0 properties"), (1, "1 property"), (2, "2 properties")])
    func aNounMayHaveAnotherPlural(_ number: Int, _ text: String) {
        #expect(number.counted("property", "properties") == text)
    }
}
