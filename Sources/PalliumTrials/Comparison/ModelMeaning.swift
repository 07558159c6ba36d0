import PalliumCore
import PalliumJSON

/// Compares a model with what another version of its schema read from its data.
struct ModelMeaning {
    /// A value that is lost or different.
    struct Difference {
        let severity: SchemaChange.Severity
        let schema: String
        let property: String?
        let problem: String
    }

    /// The form in which the data was read.
    let format: SchemaChange.Format

    /// Returns what the models mean differently.
    ///
    /// Both must have the same schema, or versions of one. A property that both have must have the same value. A value is
    /// lost if the reader has no property with the key, none that reads the same place of a document, and no upgrade that
    /// uses the key of an archive.
    ///
    /// Recursion is bounded by the depth of samples, because weak references are not followed.
    func differences(_ written: DynamicModel, _ read: DynamicModel) -> [Difference] {
        if !Self.isVersion(read.schema, of: written.schema), !Self.isVersion(written.schema, of: read.schema) {
            let problem = "a \(written.schema.name) is read as a \(read.schema.name)"
            return [Difference(severity: .breaking, schema: written.schema.name, property: nil, problem: problem)]
        }
        var differences: [Difference] = []
        for (index, property) in written.layout.properties.enumerated() where !property.schema.isWeak {
            if format == .archive, isUpgraded(property.key, from: written, to: read) { continue }
            let slot = written.slot(at: index)
            let name = "\(written.schema.name).\(ModelError.shorten(property.key, to: 64))"
            func add(_ severity: SchemaChange.Severity, _ problem: String) {
                differences.append(
                    Difference(
                        severity: severity, schema: written.schema.name, property: property.key, problem: problem))
            }
            if let other = read.layout.index(of: property.key) {
                let result = read.slot(at: other)
                if property.schema.holdsModels, read.layout.properties[other].schema.holdsModels {
                    let (old, new) = (Self.models(in: slot), Self.models(in: result))
                    if old.count == new.count {
                        for (old, new) in zip(old, new) { differences += self.differences(old, new) }
                    } else {
                        add(.breaking, "\(name) is read as \(new.count.counted("model")), and was \(old.count)")
                    }
                } else if let before = try? slot.naturalJSON(), let after = try? result.naturalJSON(), before != after {
                    add(.breaking, "\(name) is read as \(after.summary), and was \(before.summary)")
                }
            } else if slot.hasValue, format == .archive || !isRead(property, by: read) {
                add(.lossy, "the value of \(name) is lost")
            }
        }
        return differences
    }

    /// Whether a schema has the name that another one had at its version.
    private static func isVersion(_ schema: ModelSchema, of other: ModelSchema) -> Bool {
        schema.isCalled(other.name, atVersion: other.version)
    }

    private static func models(in slot: PropertySlot) -> [DynamicModel] {
        var models: [DynamicModel] = []
        slot.forEachModel { models.append($0) }
        return models
    }

    /// Whether a step from the version of one model to that of another uses a key.
    private func isUpgraded(_ key: String, from written: DynamicModel, to read: DynamicModel) -> Bool {
        read.layout.lineage.contains { layout in
            let level = written.layout.lineage.first { Self.isVersion(layout.schema, of: $0.schema) }
            return layout.schema.upgrades.contains { step in
                step.from >= level?.schema.version ?? 1 && step.keys.contains { UTF8Text.equal($0, key) }
            }
        }
    }

    /// Whether a property of the reader reads the place of a document that a property reads.
    private func isRead(_ property: ModelLayout.Property, by read: DynamicModel) -> Bool {
        let paths = DocumentShape.Property(property).paths
        return DocumentShape(read.layout).properties.contains { !Set($0.paths).isDisjoint(with: paths) }
    }
}
