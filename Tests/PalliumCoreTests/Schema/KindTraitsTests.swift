import PalliumCore
import Testing

/// The table of kinds: names, numbers and types that must agree with one another.
struct KindTraitsTests {
    @Test(arguments: PropertyKind.plainKinds.values.sorted { $0.name < $1.name })
    func aKindAndItsSwiftTypeNameEachOther(kind: PropertyKind) throws {
        let type = try #require(kind.traits.type)
        #expect(type._naturalKind == kind)
        #expect(kind.traits.name == kind.name)
        #expect(kind.traits.json != nil)
        #expect(kind.traits.text == nil || kind.traits.json == .text)
    }

    @Test func theNumbersInArchivesAreThoseOfTheArticle() {
        let names = KindTraits.byArchiveNumber.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name)" }
        #expect(
            names == [
                "1 bool", "2 integer", "3 unsigned", "4 double", "5 float", "6 decimal", "7 string", "9 url",
                "10 uuid", "11 data", "12 enumeration", "13 model", "14 array", "15 set", "16 dictionary", "17 json",
                "18 custom", "19 duration", "20 date",
            ])
    }

    @Test func numbersDatesDurationsAndTextHaveAnOrder() {
        let ordered = PropertyKind.plainKinds.values.filter { $0.traits.precedes != nil && $0.traits.json != .number }
        #expect(Set(ordered.map(\.name)) == ["date", "duration", "string"])
        #expect(PropertyKind.plainKinds.values.allSatisfy { $0.traits.json != .number || $0.traits.precedes != nil })
    }
}
