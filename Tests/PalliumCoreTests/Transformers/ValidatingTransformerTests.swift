import PalliumCore
import PalliumJSON
import TestSupport
import Testing

@Suite struct ValidatingTransformerTests {
    @Test(.row("C301"))
    func theTypeAloneCanBeChecked() throws {
        let transformer = Transformer.validating(String.self)
        #expect(try transformer.passesNull())
        #expect(try transformer.transform("x", as: String.self) == "x")
        for error in [try transformer.refusal(of: 7), try transformer.reverseRefusal(of: 7)] {
            #expect(error.code == .typeMismatch)
            #expect(error.description == "expected a value of the type String but found the number 7")
        }
    }

    @Test(.row("C301"))
    func instancesOfSubclassesPass() {
        #expect(Transformer.passes(ValidatedSubclass.self, to: DynamicModel.self))
        #expect(!Transformer.passes(DynamicModel.self, to: ValidatedSubclass.self))
    }

    @Test(.row("C302"))
    func valuesThatPassAreUntouchedInBothDirections() throws {
        let port = Transformer.validating(Int.self, expected: "a port") { (1...65535).contains($0) }
        #expect(port.isReversible)
        #expect(try port.transform(80, as: Int.self) == 80)
        #expect(try port.reverse(80, as: Int.self) == 80)
        for error in [try port.refusal(of: 0), try port.reverseRefusal(of: 0)] {
            #expect(error.code == .invalidValue)
            #expect(error.description == "expected a port but found the number 0")
        }
    }

    @Test func whatACheckThrowsIsReported() throws {
        let transformer = Transformer.validating(Int.self) { _ in throw FixtureError.refused }
        let error = try transformer.refusal(of: 7)
        #expect(error.code == .transformerFailed)
        #expect(error.underlying as? FixtureError == .refused)
        let precise = Transformer.validating(Int.self) { _ in
            throw ModelError(.validationFailed, expected: "luck", found: "none")
        }
        #expect(try precise.refusal(of: 7).description == "expected luck but found none")
    }
}

private final class ValidatedSubclass: DynamicModel {}
