import Foundation
import Pallium
import PalliumStore
import RunSupport

/// Flipped bits in the file of a store: each answer is the right one, or a typed error.
enum StoreDamageCheck {
    private static let schema = ModelSchema(
        "Note",
        [
            "id": .integer.required, "text": .string.indexed(), "count": .integer,
            "name": .string.indexed(.caseInsensitive), "next": .model("Note").indexed().deleteRule(.nullify),
        ], identity: ["id"])

    /// Whether a note has its values. Its reference may lead to a stub or to a note.
    private static func isRight(_ note: DynamicModel) -> Bool {
        let id = note["id", as: Int.self] ?? 0
        return note["text", as: String.self] == "text \(id)" && note["name", as: String.self] == "Name \(id)"
            && note["count", as: Int.self] == id * 1_000_003
    }

    static func run(_ arguments: Arguments, _ tally: inout Tally) throws {
        guard let text = arguments.operands.first, let count = Int(text), count > 0 else {
            throw Arguments.Mistake(description: "how many bits?")
        }
        let registry = SchemaRegistry()
        try registry.register(schema)
        let folder = try StoreFolder()
        let notes = try (1...40).map {
            try DynamicModel(
                schema: schema,
                values: [
                    "id": $0, "text": "text \($0)", "name": "Name \($0)", "count": $0 * 1_000_003,
                    "next": DynamicModel(schema: schema, values: ["id": $0 % 40 + 1], registry: registry),
                ], registry: registry)
        }
        let original = folder.file("whole")
        do {
            let store = try ModelStore(at: folder.file("store"), registry: registry)
            try store.save(notes)
            try store.backup(to: original)
        }
        let bytes = try Data(contentsOf: original)
        var random = SeededGenerator(seed: arguments.seed)
        var refused = 0
        for number in 1...count {
            var damaged = bytes
            let bit = random.below(bytes.count * 8)
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            folder.remove("damaged")
            try damaged.write(to: folder.file("damaged"))
            do {
                let store = try ModelStore(at: folder.file("damaged"), registry: registry)
                let all = try store.fetch(ModelQuery(schema: schema))
                tally.check(all.allSatisfy(isRight), "flip \(number), bit \(bit): a wrong model")
                let id = 1 + random.below(notes.count)
                let one = try store.first(schema, identity: id)
                tally.check(
                    one.map { isRight($0) && $0["id", as: Int.self] == id } ?? true,
                    "flip \(number), bit \(bit): a wrong model of \(id)")
                let found = try store.fetch(ModelQuery(schema: schema, where: Key("text") == "text \(id)"))
                tally.check(
                    found.allSatisfy(isRight), "flip \(number), bit \(bit): a wrong model by index")
                let folded = try store.fetch(
                    ModelQuery(schema: schema, where: Key("name").caseInsensitive == "NAME \(id)"))
                tally.check(
                    folded.allSatisfy(isRight), "flip \(number), bit \(bit): a wrong model by text without case")
                let linked = try store.fetch(ModelQuery(schema: schema, where: Key("next.text") == "text \(id)"))
                tally.check(
                    linked.allSatisfy(isRight), "flip \(number), bit \(bit): a wrong model by links")
                _ = try store.integrityCheck()
                try store.save(notes[id - 1])
                try store.delete(ModelQuery(schema: schema, where: Key("id") == id))
            } catch { refused += 1 }
        }
        print("\(count) flipped bits in a store of \(bytes.count) bytes, \(refused) of which were refused")
    }
}
