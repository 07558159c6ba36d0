import PalliumCore
import PalliumJSON

/// The selected properties of the models at one level of a document, and of the models inside.
struct Projection: Hashable, Sendable {
    /// The selections that must all include a property. None includes everything.
    private(set) var only: [PropertySelection.Tree] = []
    /// The selections of which none may include a whole property.
    private(set) var except: [PropertySelection.Tree] = []

    /// Makes the projection of selections by keys; nil if everything is selected.
    init?(only: [PropertySelection.Tree] = [], except: [PropertySelection.Tree] = []) {
        if only.isEmpty, except.isEmpty { return nil }
        self.only = only
        self.except = except
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

    /// Returns the projection of the models inside a property that is included; nil if everything there is selected.
    func inside(_ key: String) -> Projection? {
        let key = UTF8Key(key)
        return Projection(
            only: only.compactMap { $0.children[key] }.filter { !$0.isWhole },
            except: except.compactMap { $0.children[key] })
    }

    /// Returns what both projections select.
    func intersected(with other: Projection) -> Projection {
        var result = self
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

    init(_ projection: Projection, number: Int, of layout: ModelLayout) {
        self.projection = number
        keepsUnknownMembers = projection.keepsUnknownMembers
        isSelected = layout.properties.map { projection.includes($0.key) }
    }

    func contains(_ slot: Int) -> Bool { isSelected[slot] }
}
