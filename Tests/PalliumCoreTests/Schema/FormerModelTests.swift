import Foundation
import PalliumCore
import PalliumJSON
import Testing

@Suite("Stored models")
struct FormerModelTests {
    // Computed, because the search for leaks does not follow the marked pointers by which a constant would hold these.
    static var values: [(FormerModel.Value, String?, Int64?)] {
        [
            (.null, nil, nil), (.bool(true), nil, nil), (.integer(-5), nil, -5), (.unsigned(7), nil, 7),
            (.unsigned(.max), nil, nil), (.double(1), nil, nil), (.decimal(1), nil, nil), (.string("5"), "5", nil),
            (.url("http://a"), "http://a", nil), (.enumeration(.text("red")), "red", nil),
            (.enumeration(.number(3)), nil, 3), (.json("text"), "text", nil), (.json(12), nil, 12),
            (.json(1.5), nil, nil),
            (.json(nil), nil, nil), (.array([.integer(1)]), nil, nil), (.dictionary([]), nil, nil),
            (.model(FormerModel.Reference(1)), nil, nil),
        ]
    }

    @Test(arguments: values)
    func textsAndIntegersAreReadFromWhateverHoldsOne(_ value: FormerModel.Value, _ text: String?, _ integer: Int64?) {
        #expect(value.text == text)
        #expect(value.integer == integer)
    }

    @Test func valuesAreSetReplacedAndRemovedByTheBytesOfTheirKeys() {
        var model = FormerModel("S", version: 2)
        model.set(FormerModel.Entry(.integer(1), isDefaulted: true), forKey: "caf\u{E9}")
        model["b"] = .string("x")
        model["cafe\u{301}"] = .null
        #expect(model.keys.map { Array($0.utf8) } == ["caf\u{E9}", "b", "cafe\u{301}"].map { Array($0.utf8) })
        #expect(model["caf\u{E9}"] == .integer(1))
        #expect(model.isDefaulted("caf\u{E9}"))
        #expect(!model.isDefaulted("b"))
        #expect(!model.isDefaulted("nowhere"))
        model["caf\u{E9}"] = .integer(2)
        #expect(!model.isDefaulted("caf\u{E9}"))
        model["b"] = nil
        model["nowhere"] = nil
        #expect(model.keys.count == 2)
        #expect(model["b"] == nil)
    }

    @Test func referencesAreEqualWhenTheyLeadToTheSameObject() {
        let (one, other) = (EmptyArchive(), EmptyArchive())
        let reference = FormerModel.Reference(1, in: one)
        #expect(reference == FormerModel.Reference(1, in: one))
        #expect(reference != FormerModel.Reference(2, in: one))
        #expect(reference != FormerModel.Reference(1, in: other))
        #expect(Set([reference, FormerModel.Reference(1, in: one), FormerModel.Reference(1, in: other)]).count == 2)
        let made = FormerModel.Reference(FormerModel("S", version: 1))
        #expect(made == made && made != FormerModel.Reference(FormerModel("S", version: 1)))
    }
}

private final class EmptyArchive: FormerModelSource {
    func model(_ number: Int) -> FormerModel { FormerModel("S", version: 1) }
    func charge(_ values: Int) {}
}
