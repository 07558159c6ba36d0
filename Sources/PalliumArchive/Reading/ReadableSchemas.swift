import PalliumCore
import PalliumJSON

/// The schemas that models of an archive may have, by their present and former names.
struct ReadableSchemas {
    private var layouts: [ModelLayout] = []
    private var byName: [UTF8Key: ModelLayout] = [:]
    /// The schemas with former names; there are few.
    private var renamed: [ModelLayout] = []
    private let isGiven: Bool
    private let registry: SchemaRegistry

    /// Collects the schemas.
    ///
    /// - Parameter allowed: The schemas that the caller lists; nil for everything that the root reaches.
    /// - Throws: ``ModelError`` if the list names a schema that is not registered.
    init(root: ModelLayout?, allowed: [ModelReference]?, registry: SchemaRegistry) throws(ModelError) {
        isGiven = allowed != nil
        self.registry = registry
        for reference in allowed ?? [] { add(try registry.layout(reference)) }
        guard allowed == nil, let root else { return }
        add(root)
        var next = 0
        while next < layouts.count {
            let layout = layouts[next]
            next += 1
            for child in registry.children(of: layout) { add(child) }
            for property in layout.properties {
                if let model = property.descriptor.innermost.model { add(model) }
            }
        }
    }

    private mutating func add(_ layout: ModelLayout) {
        guard byName.updateValue(layout, forKey: UTF8Key(layout.schema.name)) == nil else { return }
        layouts.append(layout)
        if layout.schema.upgrades.contains(where: { $0.oldSchemaName != nil }) { renamed.append(layout) }
    }

    /// Returns the layouts for models that were stored with a schema.
    ///
    /// - Throws: ``ModelError`` with the code `unknownModel` if there is none.
    func choice(_ name: String, version: Int) throws(ModelError) -> SchemaChoice {
        // Another schema may use a former name now, so versions decide too.
        var candidates = renamed.filter { $0.schema.isCalled(name, atVersion: version) }
        if let layout = byName[UTF8Key(name)], layout.schema.isCalled(name, atVersion: version),
            !candidates.contains(where: { $0 === layout })
        {
            candidates.append(layout)
        }
        guard !candidates.isEmpty else {
            throw ModelError(
                .unknownModel,
                expected: isGiven ? "models of the allowed schemas" : "models that \(layouts[0].schema.name) can hold",
                found: "the schema \(ModelError.quote(name))", schema: name
            ).suggesting(ModelError.nearest(to: name, among: layouts.map(\.schema.name)))
        }
        return SchemaChoice(name, version, candidates, registry)
    }
}
