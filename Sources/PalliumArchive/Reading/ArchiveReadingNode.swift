import PalliumCore

/// The data for reading one value, as plain bytes at a fixed address.
@unsafe
struct ReadingTable {
    let kind: ArchivedKind
    let isWeak: Bool
    let isNullable: Bool
    /// The descriptor of the slot; nil if the value is skipped.
    let descriptor: Unmanaged<ValueDescriptor>?
    let signedRange: ClosedRange<Int64>
    /// The present number of each case of an enumeration, or -1.
    let cases: UnsafeBufferPointer<Int>
    /// Whether models of each schema of the archive fit into a model slot.
    var accepts: UnsafeBufferPointer<Bool>
    let node: Unmanaged<ArchiveReadingNode>
}

/// The plan for reading one value of an archive into a slot. It combines the type as it was written and the descriptor
/// of the slot now; without a descriptor the value is skipped.
///
/// Safety: the memory of `table` and of what it points at is allocated once, written while the plan is made, and freed
/// in `deinit`; the node's holders may read it.
@safe
final class ArchiveReadingNode {
    let type: ArchivedType
    let descriptor: ValueDescriptor?
    let element: ArchiveReadingNode?
    let transformers: TransformerRegistry
    private let memory: UnsafeMutablePointer<ReadingTable>
    var table: UnsafePointer<ReadingTable> { unsafe UnsafePointer(memory) }

    init(_ type: ArchivedType, _ descriptor: ValueDescriptor?, _ transformers: TransformerRegistry) {
        self.type = type
        self.descriptor = descriptor
        self.transformers = transformers
        // Recursion is bounded by the nesting of kinds in archives.
        element = type.element.map { ArchiveReadingNode($0, descriptor?.element, transformers) }
        let cases = UnsafeMutableBufferPointer<Int>.allocate(capacity: type.cases.count)
        _ = unsafe cases.initialize(from: type.cases.map { descriptor?.enumeration?.caseNumber(for: $0) ?? -1 })
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(
            to: ReadingTable(
                kind: type.kind, isWeak: descriptor?.kind == .weakModel, isNullable: descriptor?.isNullable ?? true,
                descriptor: descriptor?.reference, signedRange: descriptor?.signedRange ?? 0...0,
                cases: UnsafeBufferPointer(cases), accepts: UnsafeBufferPointer(start: nil, count: 0),
                node: Unmanaged.passUnretained(self)))
    }

    deinit {
        unsafe memory.pointee.cases.deallocate()
        unsafe memory.deallocate()
    }

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
            unsafe memory.pointee.accepts = accepted.schemas(for: model)
        }
        element?.link(accepted)
    }
}

/// The schemas of an archive whose models fit where a layout is expected.
///
/// They are computed once for each layout, so that an archive with very many schemas costs no more than its length.
///
/// Safety: the memory of `tables` lives as long as this object, which every reader with these plans holds.
@safe
final class AcceptedSchemas {
    private let layouts: [ModelLayout?]
    private var tables: [ObjectIdentifier: UnsafeMutableBufferPointer<Bool>] = unsafe [:]

    /// - Parameter layouts: The layouts of the archive's schemas, in their order; nil for schemas without one.
    init(_ layouts: [ModelLayout?]) { self.layouts = layouts }

    deinit {
        unsafe tables.values.forEach { unsafe $0.deallocate() }
    }

    fileprivate func schemas(for model: ModelLayout) -> UnsafeBufferPointer<Bool> {
        if let table = unsafe tables[ObjectIdentifier(model)] { return UnsafeBufferPointer(table) }
        let table = UnsafeMutableBufferPointer<Bool>.allocate(capacity: layouts.count)
        _ = unsafe table.initialize(from: layouts.map { $0?.isDescendant(of: model) ?? false })
        unsafe tables[ObjectIdentifier(model)] = table
        return UnsafeBufferPointer(table)
    }
}
