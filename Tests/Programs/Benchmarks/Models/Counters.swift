import Observation
import Pallium

// The same small model three times: not observed, observed, and as the macro of the Observation framework makes it.

final class Counter: DynamicModel {
    var number: Int { value() }
    var count: Int {
        get { value() }
        set { set(newValue) }
    }

    fileprivate static let properties: KeyValuePairs<String, PropertySchema> = [
        "number": .integer.required, "count": .integer.required,
    ]

    /// Makes counters of this class, or of ``ObservedCounter``.
    static func make<Model: DynamicModel>(_ count: Int, _ type: Model.Type) throws -> [Model] {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema(type, properties))
        let adapter = JSONAdapter(type, registry: registry)
        return try (0..<count).map { try adapter.model(from: #"{"number": \#($0), "count": \#($0)}"#) }
    }
}

final class ObservedCounter: DynamicModel, Observable {
    var number: Int { value() }
    var count: Int {
        get { value() }
        set { set(newValue) }
    }
}

@Observable
final class ObservableCounter {
    var number: Int
    var count: Int

    init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }
}
