import Foundation
import Pallium

/// A schema with one property, to send a value through everything a typed document goes through.
struct Holder {
    let adapter: JSONAdapter<DynamicModel>

    init(_ property: PropertySchema, options: JSONAdapterOptions = JSONAdapterOptions()) throws {
        let registry = SchemaRegistry()
        try registry.register(ModelSchema("Holder", ["value": property]))
        adapter = try JSONAdapter(
            schema: registry.schema(named: "Holder"), registry: registry, options: options)
    }

    /// The value's JSON text as the member of an object.
    static func document(_ value: some Sequence<UInt8>) -> [UInt8] {
        Array(#"{"value":"#.utf8) + Array(value) + [UInt8(ascii: "}")]
    }

    /// The property after reading; nil when the document is refused.
    func read<Value: PropertyValue>(_ value: [UInt8], as type: Value.Type, _ tally: inout Tally) -> Value? {
        accepts(value, &tally)?["value", as: type]
    }

    /// The model of a document with the value; nil when the document is refused.
    @discardableResult
    func accepts(_ value: [UInt8], _ tally: inout Tally) -> DynamicModel? {
        tally.accepted(Self.document(value)) { try adapter.model(from: $0) }
    }

    /// The text that a property with a value is written as; nil when writing is refused.
    func written<Value: PropertyValue>(_ value: Value, in model: DynamicModel) -> String? {
        guard (try? model.setValue(value, forKey: "value")) != nil, let data = try? adapter.data(from: model),
            data.count > Self.document([]).count
        else { return nil }
        return String(decoding: data.dropFirst(Self.document([]).count - 1).dropLast(), as: UTF8.self)
    }

    /// A model without a value.
    func makeModel() throws -> DynamicModel { try adapter.model(from: "{}") }
}

extension Tally {
    /// What reading gives; nil when the input is refused, after a look at the error.
    mutating func accepted<Value>(_ input: [UInt8], _ read: ([UInt8]) throws -> Value) -> Value? {
        do { return try read(input) } catch {
            checkRefusal(error, inputCount: input.count, "an input of \(input.count) bytes")
            return nil
        }
    }

    /// The tree of a text; nil when it is refused, after a look at the error.
    mutating func tree(_ text: [UInt8]) -> JSONValue? { accepted(text) { try JSONValue(parsing: $0) } }

    /// A refusal must say where, inside the input, and stay short.
    mutating func checkRefusal(_ error: any Error, inputCount: Int, _ name: @autoclosure () -> String) {
        let offset = (error as? ModelError)?.location?.byteOffset ?? (error as? JSONSyntaxError)?.offset
        check(
            offset.map { $0 >= 0 && $0 <= inputCount } == true && "\(error)".utf8.count <= 512,
            "\(name()): the error tells no place inside the input, or is too long: \(error)")
    }
}
