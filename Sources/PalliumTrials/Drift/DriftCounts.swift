import PalliumCore
import PalliumJSON

/// Everything that a monitor has counted.
struct DriftCounts: Sendable {
    /// A property, or the elements of the collections in it.
    struct Key: Sendable, Hashable {
        let schema: UTF8Key
        let key: UTF8Key
        /// How many collections are entered.
        let level: Int

        init(_ descriptor: ValueDescriptor, level: Int) {
            schema = UTF8Key(descriptor.schema)
            key = UTF8Key(descriptor.key)
            self.level = level
        }
    }

    var documents = 0
    /// The number of objects by the names of their schemas and those of the ancestors.
    var objects: [UTF8Key: Int] = [:]
    var figures: [Key: ValueFigures] = [:]
    var evidences = DriftEvidences()

    /// Adds other counts, which come after the own.
    mutating func merge(_ other: DriftCounts) {
        documents += other.documents
        objects.merge(other.objects, uniquingKeysWith: +)
        for (key, figures) in other.figures { self.figures[key, default: ValueFigures()].merge(figures) }
        evidences.merge(other.evidences)
    }
}
