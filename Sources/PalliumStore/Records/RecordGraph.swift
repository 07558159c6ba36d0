import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The models of a graph that have an identity, and the records that exist for them.
struct RecordGraph {
    /// The models of one identity.
    struct Row {
        fileprivate(set) var model: DynamicModel
        fileprivate(set) var path: Int
        /// Whether the model has nothing but its identity, and so only refers to a record.
        fileprivate(set) var isStub: Bool
        fileprivate(set) var record: (any ModelRecord)?
    }

    private(set) var rows: [Row] = []
    private(set) var paths = GraphPaths()
    /// The paths of the roots.
    private(set) var roots: [Int] = []
    private var numbers: [ModelIdentity: Int] = [:]
    private let plans: RecordPlans

    /// Walks through a graph.
    ///
    /// - Throws: ``ModelError`` with the path of a model that lacks a value of its identity, and for two different models of
    ///   one identity.
    init(_ models: [DynamicModel], _ plans: RecordPlans) throws(ModelError) {
        self.plans = plans
        var visited: Set<ObjectIdentifier> = []
        for (index, root) in models.enumerated() {
            roots.append(paths.path(.position(index)))
            var pending = [(model: root, path: roots[index])]
            while let (model, path) = pending.popLast() {
                guard visited.insert(ObjectIdentifier(model)).inserted else { continue }
                do throws(ModelError) {
                    if !model.layout.identitySlots.isEmpty { try add(model, path) }
                    for relationship in try plans.plan(of: model.layout).relationships {
                        pending += try elements(of: relationship, in: model, path).map { ($0.model, $0.path) }
                    }
                } catch { throw error.at(paths.tokens(path)) }
            }
        }
    }

    private mutating func add(_ model: DynamicModel, _ path: Int) throws(ModelError) {
        guard let identity = ModelIdentity(model) else {
            let error = model.missingIdentity
            throw error.property.map { error.under(key: $0) } ?? error
        }
        let row = Row(model: model, path: path, isStub: model.isStub)
        guard let number = numbers[identity] else {
            numbers[identity] = rows.count
            rows.append(row)
            return
        }
        if row.isStub || rows[number].model == model { return }
        guard rows[number].isStub else {
            throw ModelError(
                .conflict, expected: "one model of each identity", found: "two different ones of \(identity)",
                schema: model.layout.schema.name)
        }
        rows[number] = row
    }

    /// Returns the number of the row with the identity of a model; nil if it has none or is not in the graph.
    func number(of model: DynamicModel) -> Int? { ModelIdentity(model).flatMap { numbers[$0] } }

    /// Returns the models of a relationship with their paths, and their keys in a dictionary.
    ///
    /// - Throws: ``ModelError`` with the path in the model for an element that is null.
    mutating func elements(
        of relationship: RecordPlan.Relationship, in model: DynamicModel, _ path: Int
    ) throws(ModelError) -> [(model: DynamicModel, path: Int, key: String?)] {
        let slot = model.slot(at: relationship.slot)
        guard slot.hasValue else { return [] }
        let path = paths.path(.key(relationship.property.key), from: path)
        if slot.description.kind == .model { return [(slot.model, path, nil)] }
        let keys = slot.description.kind == .dictionary ? slot.dictionary.keys : nil
        let list = slot.list
        var result: [(model: DynamicModel, path: Int, key: String?)] = []
        for index in 0..<list.count {
            let key = keys?[index]
            guard list.slot(at: index).hasValue else {
                throw ModelError(
                    .notConvertible, slot.description, expected: "models, as a relationship has them", found: "null"
                ).at([relationship.property.key, key ?? String(index)])
            }
            let step = key.map { GraphPaths.Step.key($0) } ?? .position(index)
            result.append((list.slot(at: index).model, paths.path(step, from: path), key))
        }
        return result
    }

    /// Finds the records of all rows, by one request for each entity.
    ///
    /// - Throws: ``ModelError`` with the path of a model for which there are two records.
    mutating func findRecords(in context: any ModelRecordContext) throws(ModelError) {
        var numbersByLayout: [ObjectIdentifier: [Int]] = [:]
        var layouts: [ModelLayout] = []
        for (number, row) in rows.enumerated() {
            guard let layout = row.model.layout.rowLayout else { continue }
            if numbersByLayout[ObjectIdentifier(layout)] == nil { layouts.append(layout) }
            numbersByLayout[ObjectIdentifier(layout), default: []].append(number)
        }
        for layout in layouts {
            let plan = try plans.plan(of: layout)
            var values: [[RecordValue]] = []
            for number in numbersByLayout[ObjectIdentifier(layout)] ?? [] {
                do throws(ModelError) { values.append(try plan.identityValues(of: rows[number].model)) } catch {
                    throw error.at(paths.tokens(rows[number].path))
                }
            }
            let found = try withRecords(
                .hookFailed, expected: "the records of the entity \(ModelError.quote(plan.entity))"
            ) {
                try context.findRecords(
                    of: plan.entity, where: plan.identity.map(\.key), in: values,
                    relationships: plan.relationships.map(\.key))
            }
            for record in found { try take(record, plan) }
        }
    }

    private mutating func take(_ record: any ModelRecord, _ plan: RecordPlan) throws(ModelError) {
        let probe = plan.layout.makeEmptyModel()
        for attribute in plan.identity {
            try plan.store(record.value(of: attribute), attribute, in: probe, storesNull: false)
        }
        guard let number = number(of: probe) else { return }
        if let other = rows[number].record, other !== record {
            throw ModelError(
                .conflict, expected: "one record of \(ModelIdentity(probe)?.description ?? "")", found: "two",
                schema: plan.layout.schema.name
            ).at(paths.tokens(rows[number].path))
        }
        rows[number].record = record
    }
}

extension RecordPlan {
    /// Returns the values by which the record of a model is found.
    ///
    /// - Throws: ``ModelError`` with the key of a value that a transformer makes nil.
    fileprivate func identityValues(of model: DynamicModel) throws(ModelError) -> [RecordValue] {
        var values: [RecordValue] = []
        for attribute in identity {
            guard let value = try value(of: attribute, in: model) else {
                throw ModelError(
                    .missingProperty, expected: "a value by which a record can be found", found: "none",
                    schema: layout.schema.name, property: attribute.property.key
                ).under(attribute.property)
            }
            values.append(value)
        }
        return values
    }
}
