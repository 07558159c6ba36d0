import Testing

@testable import PalliumCore

@Suite("Metadata of classes")
struct ClassMetadataTests {
    private static let classes: [(modelClass: DynamicModel.Type, hasRule: Bool)] = [
        (DynamicModel.self, false),
        (Plain.self, false),
        (WithHook.self, false),
        (WithProperties.self, false),
        (WithRule.self, true),
        (WithRuleAndHook.self, true),
        (WithRuleAndProperties.self, true),
        (InheritsRule.self, true),
        (AddsRule.self, true),
        (Generic<Int>.self, false),
        (GenericWithRule<Int>.self, true),
        (GenericWithRule<String>.self, true),
    ]

    @Test("A class may refuse models when it or a superclass overrides validateModel()", arguments: classes)
    func rules(modelClass: DynamicModel.Type, hasRule: Bool) {
        #expect(ClassMetadata(modelClass).overridesValidateModel == hasRule)
    }

    @Test("Instances are as large as their stored properties need")
    func sizes() {
        let size = ClassMetadata(DynamicModel.self).instanceSize
        #expect(size == ModelStorage.objectSize)
        #expect(ClassMetadata(WithHook.self).instanceSize == size)
        #expect(ClassMetadata(AddsRule.self).instanceSize == size)
        #expect(ClassMetadata(WithProperties.self).instanceSize == size + 2 * MemoryLayout<Int>.size)
    }

    private final class Plain: DynamicModel {}

    private class WithHook: DynamicModel {
        override func didDecode() throws {}
    }

    private final class AddsRule: WithHook {
        override func validateModel() throws { throw CancellationError() }
    }

    private class WithRule: DynamicModel {
        override func validateModel() throws { throw CancellationError() }
    }

    private class InheritsRule: WithRule {
        func isValid() -> Bool { (try? validateModel()) != nil }
    }

    private final class WithRuleAndHook: DynamicModel {
        override func validateModel() throws { throw CancellationError() }
        override func didDecode() throws { throw CancellationError() }
    }

    private final class WithProperties: DynamicModel {
        var count = 0
        var other = 1
    }

    private final class WithRuleAndProperties: DynamicModel {
        var count = 0
        override func validateModel() throws { count += 1 }
    }

    private class Generic<Value>: DynamicModel {
        var value: Value?
    }

    private final class GenericWithRule<Value>: DynamicModel {
        override func validateModel() throws { throw CancellationError() }
    }
}
