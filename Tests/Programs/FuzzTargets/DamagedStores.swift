import Foundation
import Pallium
import PalliumStore

/// A store file with changed bytes is read, searched and checked, or refused with useful errors.
///
/// Four bytes of an input change one byte of the file: three for its offset, one for its value.
enum DamagedStores {
    private static let registry: SchemaRegistry = {
        let registry = SchemaRegistry()
        try? registry.register(
            ModelSchema(
                "Person",
                [
                    "id": .integer.required, "name": .string, "rank": .double, "friend": .model("Person"),
                    "notes": .array(of: .jsonValue),
                ], identity: ["id"]))
        return registry
    }()

    /// A store with rows that refer to each other.
    private static let seed: [UInt8] = {
        let file = temporaryFile()
        defer { remove(file) }
        do {
            let adapter = try JSONAdapter(schema: registry.schema(named: "Person"), registry: registry)
            let rows = (0..<40).map {
                #"{"id":\#($0),"name":"n\#($0)","rank":\#($0).5,"friend":{"id":\#(($0 + 1) % 40)},"notes":[\#($0),{}]}"#
            }
            try ModelStore(at: file, registry: registry).import("[\(rows.joined(separator: ","))]", using: adapter)
            return [UInt8](try Data(contentsOf: file))
        } catch { return [] }
    }()

    static func check(_ bytes: [UInt8]) throws {
        try promise(!seed.isEmpty, "no store to change")
        var changed = seed
        for start in stride(from: 0, to: bytes.count - 3, by: 4) {
            let offset = bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            changed[offset % changed.count] = bytes[start + 3]
        }
        let file = temporaryFile()
        defer { remove(file) }
        try Data(changed).write(to: file)
        do {
            let store = try ModelStore(at: file, registry: registry)
            let schema = try registry.schema(named: "Person")
            let problems = try store.integrityCheck()
            for problem in problems { try promise("\(problem)".utf8.count <= 1024, "a long problem: \(problem)") }
            for query in [
                ModelQuery<DynamicModel>(schema: schema, including: .all),
                ModelQuery(schema: schema, where: Key("rank") > 3, order: [.ascending("name")], rows: .skip { _ in }),
            ] {
                for view in try store.frozen(query) { _ = view.description }
            }
            let model = try store.first(schema, identity: 7)
            if let model { try store.save(model) }
        } catch let error as ModelError {
            try promise("\(error)".utf8.count <= 1024, "an error of more than 1,024 bytes: \(error)")
        }
    }

    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).store")
    }

    private static func remove(_ file: URL) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }
}
