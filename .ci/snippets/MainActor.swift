// Where everything is isolated to the main actor by default, model classes say that they are not.
import Pallium

nonisolated final class Issue: DynamicModel {
    var number: Int { value() }
}

class Isolated: DynamicModel {}  // expected-error {{main actor-isolated initializer 'init(storage:)' has different actor isolation}}

nonisolated func decode(_ adapter: JSONAdapter<Issue>) throws -> Int { try adapter.model(from: "{}").number }
