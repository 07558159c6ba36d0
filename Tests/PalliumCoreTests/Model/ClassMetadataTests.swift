import Testing

@testable import PalliumCore

@Suite("Metadata of classes")
struct ClassMetadataTests {
    private static let classes: [(modelClass: DynamicModel.Type, hasRule: Bool, hasHook: Bool)] = [
        (DynamicModel.self, false, false),
        (Plain.self, false, false),
        (WithHook.self, false, true),
        (WithProperties.self, false, false),
        (WithRule.self, true, false),
        (WithRuleAndHook.self, true, true),
        (WithRuleAndProperties.self, true, false),
        (InheritsRule.self, true, false),
        (AddsRule.self, true, true),
        (Generic<Int>.self, false, false),
        (GenericWithRule<Int>.self, true, false),
        (GenericWithRule<String>.self, true, false),
    ]

    @Test("Overrides of validateModel() and didDecode() are found in a class and its superclasses", arguments: classes)
    func overrides(modelClass: DynamicModel.Type, hasRule: Bool, hasHook: Bool) {
        #expect(ClassMetadata(modelClass).overridesValidateModel == hasRule)
        #expect(ClassMetadata(modelClass).overridesDidDecode == hasHook)
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
