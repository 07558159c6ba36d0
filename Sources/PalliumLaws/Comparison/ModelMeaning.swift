import PalliumCore
import PalliumJSON

/// Compares a model with what another version of its schema read from its data.
struct ModelMeaning {
    /// A value that is lost or different.
    struct Difference {
        let severity: SchemaChange.Severity
        let schema: String
        let property: String
        let problem: String
    }

    /// The form in which the data was read.
    let format: SchemaChange.Format

    /// Returns the properties that mean something else to the reader.
    ///
    /// A property that both versions have must have the same value. A value is lost if the reader has no property with
    /// the key, none that reads the same place of a document, and no upgrade that uses the key of an archive.
    ///
    /// Recursion is bounded by the depth of samples, because weak references are not followed.
    func differences(_ written: DynamicModel, _ read: DynamicModel) -> [Difference] {
        var differences: [Difference] = []
        for (index, property) in written.layout.properties.enumerated() where isData(property, written, read) {
            let slot = written.slot(at: index)
            let name = "\(written.schema.name).\(ModelError.shorten(property.key, to: 64))"
            func add(_ severity: SchemaChange.Severity, _ problem: String) {
                differences.append(
                    Difference(
                        severity: severity, schema: written.schema.name, property: property.key, problem: problem))
            }
            if let other = read.layout.index(of: property.key) {
                if property.schema.holdsModels || read.layout.properties[other].schema.holdsModels {
                    let (old, new) = (models(of: written, property.key), models(of: read, property.key))
                    if old.count == new.count {
                        for (old, new) in zip(old, new) { differences += self.differences(old, new) }
                    } else {
                        add(.breaking, "\(name) is read as \(new.count) models, and was \(old.count)")
                    }
                } else if let before = try? slot.naturalJSON(), let after = try? read.slot(at: other).naturalJSON(),
                    before != after
                {
                    add(.breaking, "\(name) is read as \(after.summary), and was \(before.summary)")
                }
            } else if slot.hasValue, format == .archive || !isRead(property, of: written, by: read) {
                add(.lossy, "the value of \(name) is lost")
            }
        }
        return differences
    }

    /// The models of a property, those of a dictionary in the order of their keys. Models in sets and in nested lists are
    /// not compared.
    private func models(of model: DynamicModel, _ key: String) -> [DynamicModel] {
        switch try? model.value(forKey: key) {
        case let model as DynamicModel: [model]
        case let models as [DynamicModel]: models
        case let models as [String: DynamicModel]:
            models.sorted { UTF8Text.precedes($0.key, $1.key) }.map(\.value)
        default: []
        }
    }

    /// Whether the data has the property, and the reader takes it as it is.
    private func isData(_ property: ModelLayout.Property, _ written: DynamicModel, _ read: DynamicModel) -> Bool {
        if property.schema.isWeak { return false }
        if format == .document { return true }
        return property.schema.archiving != .excluded && !isUpgraded(property.key, from: written, to: read)
    }

    /// Whether a step from the version of one model to that of another uses a key.
    private func isUpgraded(_ key: String, from written: DynamicModel, to read: DynamicModel) -> Bool {
        let version = written.schema.version
        let steps = read.layout.lineage.flatMap { layout in
            layout.schema.upgrades.filter { layout !== read.layout || $0.from >= version }
        }
        return steps.contains { step in
            step.conversion != nil || step.renamed[key] != nil || step.renamed.values.contains(key)
                || step.removed.contains(key) || step.transformed[key] != nil
        }
    }

    /// Whether a property of the reader reads the place of a document that a property writes.
    private func isRead(_ property: ModelLayout.Property, of written: DynamicModel, by read: DynamicModel) -> Bool {
        let texts = ResolvedMapping(property.schema, key: property.key, keys: property.keys).texts
        return read.layout.mappings(profile: nil).contains { !$0.texts.allSatisfy { !texts.contains($0) } }
    }
}
