import PalliumCore

/// The plan for reading one value of an archive into a slot. It combines the type as it was written and the descriptor
/// of the slot now; without a descriptor the value is skipped.
final class ArchiveReadingNode {
    let type: ArchivedType
    let kind: ArchivedKind
    let descriptor: ValueDescriptor?
    let isWeak: Bool
    let isNullable: Bool
    let signedRange: ClosedRange<Int64>
    let element: ArchiveReadingNode?
    let transformers: TransformerRegistry
    /// The present number of each case of an enumeration, or -1.
    let cases: [Int]
    /// Whether models of each schema of the archive fit into a model slot.
    ///
    /// Safety of the missing checks: written once, before the first record is read.
    @safe @exclusivity(unchecked) private(set) var accepts: [Bool] = []

    init(_ type: ArchivedType, _ descriptor: ValueDescriptor?, _ transformers: TransformerRegistry) {
        self.type = type
        kind = type.kind
        self.descriptor = descriptor
        isWeak = descriptor?.kind == .weakModel
        isNullable = descriptor?.isNullable ?? true
        signedRange = descriptor?.signedRange ?? 0...0
        self.transformers = transformers
        // Recursion is bounded by the nesting of kinds in archives.
        element = type.element.map { ArchiveReadingNode($0, descriptor?.element, transformers) }
        cases = type.cases.map { descriptor?.enumeration?.caseNumber(for: $0) ?? -1 }
    }

    /// The node without reference counting.
    ///
    /// Safety: the plan of the archive, which the reader holds, holds it.
    var unowned: Unowned<ArchiveReadingNode> { unsafe Unowned(self) }

    /// Whether values of the type fit into the slot without conversion.
    static func isDirect(_ type: ArchivedType, _ descriptor: ValueDescriptor) -> Bool {
        guard type.traits.archiveNumber == descriptor.traits.archiveNumber else { return false }
        guard let element = type.element else { return true }
        guard let elementDescriptor = descriptor.element else { return false }
        return isDirect(element, elementDescriptor)
    }

    /// Sets which models fit into the slot; called once, when all layouts are known.
    func link(_ accepted: AcceptedSchemas) {
        if type.kind == .model, let model = descriptor?.model {
            accepts = accepted.schemas(for: model)
        }
        element?.link(accepted)
    }
}

/// The schemas of an archive whose models fit where a layout is expected.
///
/// They are computed once for each layout, so that an archive with very many schemas costs no more than its length.
final class AcceptedSchemas {
    private let layouts: [ModelLayout?]
    private var tables: [ObjectIdentifier: [Bool]] = [:]

    /// - Parameter layouts: The layouts of the archive's schemas, in their order; nil for schemas without one.
    init(_ layouts: [ModelLayout?]) { self.layouts = layouts }

    fileprivate func schemas(for model: ModelLayout) -> [Bool] {
        if let table = tables[ObjectIdentifier(model)] { return table }
        let table = layouts.map { $0?.isDescendant(of: model) ?? false }
        tables[ObjectIdentifier(model)] = table
        return table
    }
}
