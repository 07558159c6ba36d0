import Foundation
import Pallium

/// Registries that come and go: their memory must go with the last thing that needs it.
enum RegistryCheck {
    /// How many are made before memory is measured: by then, caches of the system and the allocator are what they will be.
    private static let warmUp = 1_000
    /// What the measure itself and the allocator may add: a leak of one registry in ten would be more.
    private static let allowedGrowth = 4_000_000

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        let count = arguments.operands.first.flatMap { Int($0) } ?? 10_000
        for number in 0..<warmUp { try cycle(number, &tally) }
        Measured.resetPeak()
        let before = Measured.residentBytes
        for number in 0..<count { try cycle(number, &tally) }
        let growth = Measured.residentBytes - before
        print("\(count) registries: \(growth / 1024) kB more than after the first \(warmUp)")
        tally.check(growth <= allowedGrowth, "\(count) registries leave \(growth) bytes")
    }

    /// What is made with a registry, in the order in which it goes.
    private struct Uses {
        var parts: [Any?]
        /// The objects among them, and those they hold.
        let objects: [WeakReference]

        /// Drops the parts, beginning at another one each time and in either direction.
        mutating func drop(_ number: Int) {
            let order = parts.indices.map { ($0 + number) % parts.count }
            for index in number / parts.count % 2 == 0 ? order : order.reversed() { parts[index] = nil }
        }
    }

    private static func cycle(_ number: Int, _ tally: inout Tally) throws {
        var uses = try use(number)
        uses.drop(number)
        for reference in uses.objects {
            tally.check(reference.object == nil, "\(reference.name) outlives all that holds it")
        }
    }

    /// Tells whether an object is there without keeping it.
    private struct WeakReference {
        let name: String
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject) {
            name = "\(type(of: object))"
            self.object = object
        }
    }

    private static func use(_ number: Int) throws -> Uses {
        let registry = SchemaRegistry()
        try registry.register(
            ModelSchema(
                "Order",
                [
                    "id": .integer.required, "title": .string, "url": .url, "tags": .set(of: .string).merge(.union),
                    "lines": .array(of: .model("Line")).merge(.byIdentifier()), "extra": .jsonValue,
                    "preset": .array(of: .string).default(json: ["a text that owns memory"]),
                ], identity: ["id"]),
            ModelSchema("Line", ["id": .integer.required, "price": .decimal], identity: ["id"]))
        _ = try? registry.register(ModelSchema("Refused", ["order": .model("Order"), "n": .integer.default("no")]))
        let schema = try registry.schema(named: "Order")
        let adapter = try JSONAdapter(schema: schema, registry: registry)
        let model = try adapter.model(
            from: #"{"id":1,"title":"a title that owns memory","url":"https://example.org","tags":["a","b"],"#
                + #""lines":[{"id":1,"price":2.5},{"id":2}],"extra":{"n":[1,2]}}"#)
        let frozen = model.frozen()
        model.trackChanges()
        model["title"] = "another title"
        let changes = try adapter.rebase(model, onto: #"{"tags":["c"],"lines":[{"id":2,"price":\#(number)},{"id":3}]}"#)
        let bytes = try ModelArchiver().archive(model)
        let back = try ModelUnarchiver(registry: registry).unarchive(schema, from: bytes)
        let encoded = try JSONEncoder().encode(back)
        let map = IdentityMap()
        let imported = try map.import(encoded, using: adapter)
        let objects: [AnyObject] = [registry, model, back, map]
        return Uses(
            parts: [registry, adapter, model, frozen, changes, back, map, imported],
            objects: objects.map { WeakReference($0) } + imported.map { WeakReference($0) })
    }
}
