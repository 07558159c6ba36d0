import PalliumCore

/// What reading a value needs on the way, as plain bytes at a fixed address.
@unsafe
struct ReadingTable {
    let kind: ArchivedKind
    let isWeak: Bool
    let isNullable: Bool
    /// The description of the slot; nil where the value is passed over, and never read into a slot.
    let descriptor: Unmanaged<ValueDescriptor>?
    let signedRange: ClosedRange<Int64>
    /// The number that each case of an enumeration has now, or -1.
    let cases: UnsafeBufferPointer<Int>
    /// Whether models of each schema of the archive can stand in a model slot.
    var accepts: UnsafeBufferPointer<Bool>
    let node: Unmanaged<ArchiveReadingNode>
}

/// How a value of an archive becomes the value of a slot: the type as it was written, and the description of the slot as
/// it is now. Without a description the value is passed over.
///
/// Safety: the memory of `table` and of what it points at is allocated once, written while the program is made, and freed
/// in `deinit`; whoever holds the node may read it.
@safe
final class ArchiveReadingNode {
    let type: ArchivedType
    let descriptor: ValueDescriptor?
    let element: ArchiveReadingNode?
    let transformers: TransformerRegistry
    private let place: UnsafeMutablePointer<ReadingTable>
    var table: UnsafePointer<ReadingTable> { unsafe UnsafePointer(place) }

    init(_ type: ArchivedType, _ descriptor: ValueDescriptor?, _ transformers: TransformerRegistry) {
        self.type = type
        self.descriptor = descriptor
        self.transformers = transformers
        // As deep as an archive may nest kinds.
        element = type.element.map { ArchiveReadingNode($0, descriptor?.element, transformers) }
        let cases = UnsafeMutableBufferPointer<Int>.allocate(capacity: type.cases.count)
        _ = unsafe cases.initialize(from: type.cases.map { descriptor?.enumeration?.caseNumber(for: $0) ?? -1 })
        unsafe place = .allocate(capacity: 1)
        unsafe place.initialize(
            to: ReadingTable(
                kind: type.kind, isWeak: descriptor?.kind == .weakModel, isNullable: descriptor?.isNullable ?? true,
                descriptor: descriptor?.reference, signedRange: descriptor?.signedRange ?? 0...0,
                cases: UnsafeBufferPointer(cases), accepts: UnsafeBufferPointer(start: nil, count: 0),
                node: Unmanaged.passUnretained(self)))
    }

    deinit {
        unsafe place.pointee.cases.deallocate()
        unsafe place.deallocate()
    }

    /// Whether values of the type can go into the slot as they are.
    static func isDirect(_ type: ArchivedType, _ descriptor: ValueDescriptor) -> Bool {
        guard type.kind == ArchivedKind(descriptor) else { return false }
        guard let element = type.element else { return true }
        guard let elementDescriptor = descriptor.element else { return false }
        return isDirect(element, elementDescriptor)
    }

    /// Finds out which models can stand in the slot; called once, when all layouts are known.
    func link(_ accepted: AcceptedSchemas) {
        if type.kind == .model, let model = descriptor?.model {
            unsafe place.pointee.accepts = accepted.schemas(for: model)
        }
        element?.link(accepted)
    }
}

/// Which schemas of an archive have models that can stand where models of a layout are asked for. Made once for each
/// layout, so that an archive with very many schemas costs no more than its length.
///
/// Safety: the memory of `tables` lives as long as this object, which whoever reads by the programs holds.
@safe
final class AcceptedSchemas {
    private let layouts: [ModelLayout?]
    private var tables: [ObjectIdentifier: UnsafeMutableBufferPointer<Bool>] = unsafe [:]

    /// - Parameter layouts: The layouts of the archive's schemas, in their order; nil where there is none.
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
