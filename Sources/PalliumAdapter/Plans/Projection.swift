import PalliumCore
import PalliumJSON

/// The selected properties of the models at one level of a document, and of the models inside, and what is written in
/// place of their values.
struct Projection: Hashable, Sendable {
    /// The selections that must all include a property. None includes everything.
    private(set) var only: [PropertySelection.Tree] = []
    /// The selections of which none may include a whole property.
    private(set) var except: [PropertySelection.Tree] = []
    /// The rules of redaction for labels, the same at every level.
    private(set) var redaction: [UTF8Key: Redaction.Rule] = [:]

    /// Makes the projection of selections by keys and of a redaction; nil if everything is written as it is.
    init?(
        only: [PropertySelection.Tree] = [], except: [PropertySelection.Tree] = [],
        redaction: [UTF8Key: Redaction.Rule] = [:]
    ) {
        if only.isEmpty, except.isEmpty, redaction.isEmpty { return nil }
        self.only = only
        self.except = except
        self.redaction = redaction
    }

    /// The trees of keys, for a check that there are such keys.
    var trees: [PropertySelection.Tree] { only + except }

    /// Whether models keep their unknown members. They do not if the selection names the properties that are written.
    var keepsUnknownMembers: Bool { only.isEmpty }

    /// Whether a property, or something inside it, is selected.
    func includes(_ key: String) -> Bool {
        let key = UTF8Key(key)
        return only.allSatisfy { $0.children[key] != nil } && !except.contains { $0.children[key]?.isWhole ?? false }
    }

    /// Returns the projection of the models inside a property that is included; nil if everything there is written as it is.
    func inside(_ key: String) -> Projection? {
        let key = UTF8Key(key)
        return Projection(
            only: only.compactMap { $0.children[key] }.filter { !$0.isWhole },
            except: except.compactMap { $0.children[key] }, redaction: redaction)
    }

    /// Returns what both projections select. Only one of them may redact.
    func intersected(with other: Projection) -> Projection {
        var result = self
        result.redaction = other.redaction
        result.only += other.only
        result.except += other.except
        return result
    }
}

/// The slots of a model that a plan reads and writes, if they are not all.
struct SelectedSlots {
    /// The number of the projection in its plan set.
    let projection: Int
    let keepsUnknownMembers: Bool
    private let isSelected: [Bool]
    private let redaction: [Redaction.Rule?]

    init(_ projection: Projection, number: Int, of layout: ModelLayout) {
        self.projection = number
        keepsUnknownMembers = projection.keepsUnknownMembers
        let redaction = layout.properties.map { projection.redaction.strongest(for: $0.schema.labels) }
        isSelected = zip(layout.properties, redaction).map { projection.includes($0.key) && $1 != .drop }
        self.redaction = redaction
    }

    /// Selects the identity, and nothing else.
    init(identityOf layout: ModelLayout, number: Int) {
        projection = number
        keepsUnknownMembers = false
        let slots = Set(layout.identitySlots)
        isSelected = layout.properties.indices.map { slots.contains($0) }
        redaction = layout.properties.map { _ in nil }
    }

    /// What is written in place of the values of a slot; nil for the values.
    func redaction(of slot: Int) -> Redaction.Rule? { redaction[slot] }

    func contains(_ slot: Int) -> Bool { isSelected[slot] }
}
