import Pallium
import TestSupport
import Testing

@testable import PalliumStore

/// Two sessions and a third writer do what comes to mind; after each step, all is as in plain dictionaries.
struct SessionReferenceTests {
    private static let item = ModelSchema(
        "Item",
        [
            "id": .integer.required, "plain": .integer, "replaced": .integer.merge(.replace),
            "largest": .integer.merge(.max), "rank": .integer.indexed(.unique),
        ], identity: ["id"])

    /// What happens to the store, and what the dictionaries say should have.
    private struct Trial {
        let world: StoreWorld
        let sessions: [ModelSession]
        var reference = SessionReference()
        var objects: [[Int: DynamicModel]] = [[:], [:]]
        var generator: SeededGenerator
        var nextID = 0

        init(seed: Int) throws {
            let world = try StoreWorld(file: nil, schemas: [item])
            self.world = world
            sessions = (0..<2).map { _ in ModelSession(world.store) }
            generator = SeededGenerator(seed: seed)
        }

        mutating func value() -> Int? { generator.once(in: 6) ? nil : generator.below(9) }

        mutating func newRow() -> SessionReference.Row {
            var row: SessionReference.Row = [:]
            for key in SessionReference.keys { row[key] = .some(value()) }
            if !generator.once(in: 3) { row["rank"] = .some(nil) }
            return row
        }

        /// Lets another program save a row, unless two rows had one rank then.
        mutating func saveByOthers(_ id: Int, _ row: SessionReference.Row) throws {
            var rows = reference.rows
            rows[id] = row
            if SessionReference.collide(rows) {
                let error = #expect(throws: ModelError.self) { try world.store.save(model(id, row)) }
                #expect(error?.code == .conflict)
            } else {
                reference.rows = rows
                try world.store.save(model(id, row))
            }
        }

        func model(_ id: Int, _ row: SessionReference.Row) throws -> DynamicModel {
            let model = try world.make("Item", ["id": id])
            for (key, value) in row { try model.setValue(value, forKey: key) }
            return model
        }

        static func stored(_ model: DynamicModel) -> SessionReference.Row {
            var row: SessionReference.Row = [:]
            for key in SessionReference.keys { row[key] = .some(model[key, as: Int.self]) }
            return row
        }

        /// One step; returns its words for a failure.
        mutating func step() throws -> String {
            let session = generator.below(2)
            let live = reference.sessions[session].filter { !$0.value.isDeleted }.keys.sorted()
            switch generator.below(20) {
            case 0..<3:
                let id = nextID
                nextID += 1
                let new = newRow()
                if generator.once(in: 2) {
                    try saveByOthers(id, new)
                    return "others insert \(id)"
                }
                let object = try model(id, new)
                try reference.insert(session, id, new)
                try sessions[session].insert(object)
                objects[session][id] = object
                return "\(session) inserts \(id)"
            case 3..<5:
                guard let id = reference.rows.keys.sorted().randomElement(using: &generator) else { return "" }
                var new = reference.rows[id] ?? [:]
                new[generator.pick(SessionReference.keys)] = .some(value())
                try saveByOthers(id, new)
                return "others change \(id)"
            case 5:
                guard let id = reference.rows.keys.sorted().randomElement(using: &generator) else { return "" }
                reference.rows[id] = nil
                try world.store.delete(world.query("Item", where: Key("id") == id))
                return "others delete \(id)"
            case 6..<11:
                guard let id = live.randomElement(using: &generator) else { return "" }
                let (key, value) = (generator.pick(SessionReference.keys), value())
                reference.sessions[session][id]?.now[key] = .some(value)
                try objects[session][id]?.setValue(value, forKey: key)
                return "\(session) edits \(key) of \(id)"
            case 11:
                let two = Array(live.shuffled(using: &generator).prefix(2))
                guard two.count == 2 else { return "" }
                let ranks = two.map { reference.sessions[session][$0]?.now["rank"] ?? nil }
                for (id, rank) in zip(two, ranks.reversed()) {
                    reference.sessions[session][id]?.now["rank"] = .some(rank)
                    try objects[session][id]?.setValue(rank, forKey: "rank")
                }
                return "\(session) swaps the ranks of \(two)"
            case 12:
                let expected = reference.fetch(session)
                let found = try sessions[session].fetch(world.query("Item"))
                for object in found {
                    let id = object["id", as: Int.self] ?? -1
                    if let known = objects[session][id] { #expect(known === object, "\(id)") }
                    objects[session][id] = object
                }
                #expect(Set(found.compactMap { $0["id", as: Int.self] }) == expected)
                return "\(session) fetches"
            case 13..<15:
                let expected = reference.refresh(session)
                let changes = try sessions[session].refresh()
                let updated = changes.updated.compactMap { $0.model["id", as: Int.self] }
                let deleted = changes.deleted.compactMap { $0["id", as: Int.self] }
                #expect(Set(updated).isSuperset(of: expected.updated) && changes.rows.isEmpty)
                #expect(Set(deleted) == expected.deleted)
                return "\(session) refreshes"
            case 15:
                guard let id = live.randomElement(using: &generator) else { return "" }
                reference.delete(session, id)
                if let object = objects[session][id] { try sessions[session].delete(object) }
                return "\(session) deletes \(id)"
            case 16:
                guard generator.once(in: 3) else { return "" }
                reference.revert(session)
                sessions[session].revert()
                return "\(session) reverts"
            case 17:
                let gone = live.filter { id in
                    reference.sessions[session][id].map { $0.isGone && !$0.isInserted } == true
                }
                guard let id = gone.first, let object = objects[session][id] else { return "" }
                reference.insertAgain(session, id)
                try sessions[session].insert(object)
                return "\(session) inserts \(id) again"
            default: return try save(session)
            }
        }

        private mutating func save(_ session: Int) throws -> String {
            var expected: SessionReference.Written?
            do { expected = try reference.save(session) } catch {}
            do {
                let rows = try sessions[session].save().rows
                let written = SessionReference.Written(
                    inserted: rows.inserted, updated: rows.updated, deleted: rows.deleted)
                #expect(written == expected)
            } catch {
                #expect(expected == nil && error.code == .conflict, "\(error)")
            }
            return "\(session) saves\(expected == nil ? ", with a conflict" : "")"
        }

        /// Whether the store, the sessions and their objects are what the dictionaries say.
        func isRight() throws -> Bool {
            var rows: [Int: SessionReference.Row] = [:]
            for model in try world.fetch("Item") { rows[model["id", as: Int.self] ?? -1] = Self.stored(model) }
            guard rows == reference.rows else { return false }
            for session in 0..<2 {
                guard sessions[session].hasChanges == reference.hasChanges(session) else { return false }
                for (id, object) in reference.sessions[session] where !object.isDeleted {
                    guard let model = objects[session][id], Self.stored(model) == object.now else { return false }
                }
            }
            return true
        }
    }

    @Test(.trials) func sessionsAreLikePlainDictionaries() throws {
        for seed in Trials(4) {
            var trial = try Trial(seed: seed)
            var steps: [String] = []
            for _ in 0..<30 {
                steps.append(try trial.step())
                guard try trial.isRight() else {
                    Issue.record("\(steps.filter { !$0.isEmpty }.joined(separator: "; "))")
                    return
                }
                for session in 0..<2 {
                    trial.objects[session] = trial.objects[session].filter {
                        trial.reference.sessions[session][$0.key] != nil
                    }
                }
            }
        }
    }
}
