import Pallium

@testable import PalliumStore

/// What the articles say that saving, importing and deleting do to rows, on a dictionary.
struct StoreReference {
    /// A call that is refused, by the code `conflict` where nothing else is said.
    struct Refused: Error {
        var code: ModelError.Code? = .conflict
    }

    static let schemas = [
        ModelSchema(
            "Item",
            [
                "id": .integer.required, "stamp": .integer, "plain": .string.indexed(),
                "replaced": .integer.merge(.replace), "own": .string.merge(.keep),
                "skipped": .integer.merge(.skipNull).indexed(), "newest": .string.merge(.newest(by: "stamp")),
                "most": .integer.merge(.max), "least": .double.merge(.min), "log": .array(of: .string).merge(.append),
                "tags": .set(of: .string).merge(.union), "list": .array(of: .integer).merge(.union),
                "votes": .integer.default(7), "slug": .string.indexed(.unique),
                "place": .model("Place").merge(.recurse),
                "spot": .model("Place"), "team": .model("Team").indexed().deleteRule(.nullify),
                "others": .array(of: .model("Item")).indexed().deleteRule(.nullify),
                "peers": .array(of: .model("Item")).merge(.byIdentifier()).indexed(),
                "boss": .model("Item").indexed().deleteRule(.cascade),
                "origin": .model("Team").indexed().deleteRule(.deny), "notes": .string.local,
            ], identity: ["id"]),
        ModelSchema("Special", ["extra": .string, "rank": .integer.merge(.max)], extends: "Item"),
        ModelSchema(
            "Team",
            [
                "name": .string.required, "part": .integer.required, "title": .string.indexed(),
                "lead": .model("Item").indexed().deleteRule(.cascade),
            ], identity: ["name", "part"]),
        ModelSchema("Place", ["name": .string, "size": .integer.merge(.max)]),
    ]
    static let plain = PlainSchemas(schemas)
    /// The keys in the order of the schemas.
    private static let order = schemas.flatMap { $0.properties.map(\.key) }
    private static let policies = Dictionary(
        schemas.flatMap { schema in schema.properties.map { ("\(schema.name).\($0.key)", $0.schema.merge?.name) } }
    ) { first, _ in first }

    var query = QueryReference(plain)

    var rows: [PlainIdentity: PlainModel] {
        get { query.rows }
        set { query.rows = newValue }
    }

    // MARK: Saving

    /// Saves models whose references lead to one another, or are all stubs.
    mutating func save(_ models: [PlainModel], roots: Int, isLinked: Bool) throws -> StoreChanges {
        let byIdentity = Dictionary(models.map { (Self.plain.identity(of: $0), $0) }) { first, _ in first }
        let named = models.prefix(roots).map { Self.plain.identity(of: $0) }
        var (waiting, seen) = (named, Set(named))
        var after = rows
        while let identity = waiting.popLast() {
            guard let model = byIdentity[identity] else { continue }
            if isLinked {
                for next in model.references where byIdentity[next] != nil && seen.insert(next).inserted {
                    waiting.append(next)
                }
            }
            var others = model.values
            // In a reference, a value that equals the default is nothing.
            if !named.contains(identity), case .integer(7)? = model["votes"] { others["votes"] = nil }
            if others.count > identity.parts.count || (named.contains(identity) && after[identity] == nil) {
                after[identity] = model
            }
        }
        return try commit(after)
    }

    /// Takes rows over unless two have one value of a unique property.
    private mutating func commit(_ after: [PlainIdentity: PlainModel]) throws -> StoreChanges {
        var slugs: Set<[UInt8]> = []
        for model in after.values {
            if case .text(let slug) = model["slug"], !slugs.insert(Array(slug.utf8)).inserted { throw Refused() }
        }
        var changes = StoreChanges()
        for (identity, model) in after {
            guard let before = rows[identity] else {
                changes.inserted += 1
                continue
            }
            if before.picture != model.picture { changes.updated += 1 }
        }
        changes.deleted = rows.keys.filter { after[$0] == nil }.count
        rows = after
        return changes
    }

    mutating func delete(_ plain: PlainQuery) throws -> StoreChanges {
        var after = rows
        var deleted: Set<PlainIdentity> = []
        var next = try query.fetch(plain)
        while !next.isEmpty {
            deleted.formUnion(next)
            for identity in next { after[identity] = nil }
            next = after.filter { refers($1, to: deleted, .cascade) }.map(\.key)
        }
        if after.values.contains(where: { refers($0, to: deleted, .deny) }) { throw Refused() }
        for (identity, var row) in after {
            for (key, value) in row.values where Self.rules[key] == .nullify {
                switch value {
                case .reference(let other)? where deleted.contains(other): row.values[key] = .some(nil)
                case .list(let values)?:
                    row.values[key] = .list(
                        values.filter { if case .reference(let other) = $0 { !deleted.contains(other) } else { true } })
                default: break
                }
            }
            after[identity] = row
        }
        return try commit(after)
    }

    private static let rules: [String: PropertySchema.DeleteRule] = [
        "team": .nullify, "others": .nullify, "boss": .cascade, "lead": .cascade, "origin": .deny,
    ]

    /// Whether a row refers to others by a property with a rule.
    private func refers(
        _ row: PlainModel, to others: Set<PlainIdentity>, _ rule: PropertySchema.DeleteRule
    ) -> Bool {
        Self.rules.contains { key, other in
            guard other == rule, case .reference(let identity)? = row[key] else { return false }
            return others.contains(identity)
        }
    }

    // MARK: Importing

    mutating func importing(_ documents: [PlainDocument]) throws -> StoreChanges {
        var work = Work(before: rows, rows: rows)
        for document in documents { _ = try work.take(document) }
        // What is named by itself becomes a row, even a stub.
        for document in documents {
            let identity = work.identity(of: document)
            work.isRow.insert(identity)
        }
        let (before, isRow) = (rows, work.isRow)
        return try commit(work.rows.filter { before[$0.key] != nil || isRow.contains($0.key) })
    }

    /// The instances of an import.
    private struct Work {
        let before: [PlainIdentity: PlainModel]
        var rows: [PlainIdentity: PlainModel]
        /// New instances that are more than stubs.
        var isRow: Set<PlainIdentity> = []

        func identity(of document: PlainDocument) -> PlainIdentity {
            PlainIdentity(plain.table(document.schema), document.identity.map(\.value))
        }

        mutating func take(_ document: PlainDocument) throws -> PlainIdentity {
            let identity = identity(of: document)
            var model = rows[identity] ?? PlainModel(schema: document.schema)
            let isNew = rows[identity] == nil
            guard plain.lineage(model.schema).contains(document.schema) else { throw Refused(code: nil) }
            for (key, value) in document.identity { model.values[key] = .some(value) }
            let members = merge(document, into: &model, isNew: isNew)
            rows[identity] = model
            // Nulls that are ignored leave a stub.
            let isMore = model.values.count > identity.parts.count
            if isMore, members.contains(where: { $0.key != "votes" || $0.isOther }) { isRow.insert(identity) }
            for document in document.sorted {
                switch document.member {
                case .model(let inner) where !inner.identity.isEmpty: _ = try take(inner)
                case .models(let inner): for inner in inner { _ = try take(inner) }
                default: break
                }
            }
            return identity
        }

        /// Merges the members by their policies. Returns those that count, and whether they differ from a default.
        @discardableResult
        private func merge(
            _ document: PlainDocument, into model: inout PlainModel, isNew: Bool
        ) -> [(key: String, isOther: Bool)] {
            let before = model
            return document.sorted.map { key, member in
                let given = member.map { plainValue($0) }
                let target = before.values[key]
                var isOther = true
                if key == "votes" {
                    if case .integer(7)? = given { isOther = false }
                    if given == nil { isOther = false }
                }
                let declared = plain.lineage(model.schema).first { plain.schemas[$0]?.kinds[key] != nil } ?? ""
                let policy = policies["\(declared).\(key)"] ?? nil
                switch (policy, given) {
                case ("keep", _): if target == nil { model.values[key] = .some(given) }
                case ("skipNull", nil), ("max", nil), ("min", nil), ("union", nil), ("append", nil):
                    if isNew { model.values[key] = .some(nil) }
                case ("newest", _):
                    let (old, new) = (
                        before["stamp"], document.sorted.first { $0.key == "stamp" }?.member.map { plainValue($0) }
                    )
                    let isNewer = old.map { old in new.map { $0.compared(to: old) == 1 } ?? false } ?? true
                    if target == nil || isNewer { model.values[key] = .some(given) }
                case ("max", let given?): model.values[key] = .some(larger(target ?? nil, given, 1))
                case ("min", let given?): model.values[key] = .some(larger(target ?? nil, given, -1))
                case ("append", .list(let new)?): model.values[key] = .some(.list((target ?? nil).elements + new))
                case ("union", .list(let new)?):
                    model.values[key] = .some(.list(united((target ?? nil).elements, new)))
                case ("union", .set(let new)?): model.values[key] = .some(.set(united((target ?? nil).elements, new)))
                case ("byIdentifier", .list(let new)?):
                    model.values[key] = .some(.list(united((target ?? nil).elements, new)))
                case ("recurse", .model(let new)?):
                    if case .model(var old)? = target ?? nil, case .model(let inner)? = member {
                        merge(inner, into: &old, isNew: false)
                        model.values[key] = .some(.model(old))
                    } else {
                        model.values[key] = .some(.model(new))
                    }
                case (_, nil) where key == "votes": model.values[key] = nil
                // It decides over another property, and merges by `max`.
                case (_, _) where key == "stamp":
                    if let given {
                        model.values[key] = .some(larger(target ?? nil, given, 1))
                    } else if isNew {
                        model.values[key] = .some(nil)
                    }
                default: model.values[key] = .some(given)
                }
                return (key, isOther)
            }
        }

        private func plainValue(_ member: PlainDocument.Member) -> PlainValue {
            switch member {
            case .value(let value): return value
            case .model(let inner) where inner.identity.isEmpty:
                var model = PlainModel(schema: inner.schema)
                merge(inner, into: &model, isNew: true)
                return .model(model)
            case .model(let inner): return .reference(identity(of: inner))
            case .models(let inner): return .list(inner.map { .reference(identity(of: $0)) })
            }
        }

        private func larger(_ old: PlainValue?, _ new: PlainValue, _ sign: Int) -> PlainValue {
            old.map { new.compared(to: $0) == sign ? new : $0 } ?? new
        }

        private func united(_ old: [PlainValue], _ new: [PlainValue]) -> [PlainValue] {
            old + new.filter { value in !old.contains { $0.picture == value.picture } }
        }
    }
}

extension PlainDocument {
    /// The members in the order of the schema.
    fileprivate var sorted: [(key: String, member: Member?)] {
        members.sorted { StoreReference.position($0.key) < StoreReference.position($1.key) }
    }
}

extension StoreReference {
    fileprivate static func position(_ key: String) -> Int { order.firstIndex(of: key) ?? 0 }
}

extension PlainModel {
    /// The rows that the model refers to.
    var references: [PlainIdentity] {
        values.values.flatMap { value -> [PlainIdentity] in
            switch value {
            case .reference(let identity): [identity]
            case .list(let values):
                values.compactMap { if case .reference(let identity) = $0 { identity } else { nil } }
            default: []
            }
        }
    }
}

extension PlainValue? {
    fileprivate var elements: [PlainValue] {
        switch self {
        case .list(let values), .set(let values): values
        default: []
        }
    }
}
