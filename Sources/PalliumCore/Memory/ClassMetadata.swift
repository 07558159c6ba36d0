#if canImport(ObjectiveC)
    import ObjectiveC
#endif

/// Facts about a class that only the runtime knows.
///
/// Safety: the metadata of a class lives as long as the process. Its layout is that of `TargetClassMetadata` in the
/// runtime's `Metadata.h`, which is stable on Apple platforms and comes with the toolchain elsewhere. Only words between
/// the header and the end of the metadata of `DynamicModel` are read, which that of every subclass contains.
@safe
struct ClassMetadata {
    private let modelClass: AnyClass
    private var start: UnsafeRawPointer { unsafe SlotMemory.metadata(of: modelClass) }

    init(_ modelClass: AnyClass) { self.modelClass = modelClass }

    /// The size of an instance in bytes.
    var instanceSize: Int {
        #if canImport(ObjectiveC)
            return class_getInstanceSize(modelClass)
        #else
            return Int(unsafe start.load(fromByteOffset: Self.fields + 8, as: UInt32.self))
        #endif
    }

    /// Whether the class or a superclass overrides ``DynamicModel/validateModel()``; also true if that is unknown.
    var overridesValidateModel: Bool { overridesMethod(at: Self.offsetOfValidateModel) }

    /// Whether the class or a superclass overrides ``DynamicModel/didDecode()``; also true if that is unknown.
    var overridesDidDecode: Bool { overridesMethod(at: Self.offsetOfDidDecode) }

    /// Whether the methods that classes override are found, or known to be unknown.
    static var findsMethods: Bool {
        let (plain, rule, hook) = (
            ClassMetadata(Plain.self), ClassMetadata(WithRule.self), ClassMetadata(WithHook.self)
        )
        return rule.overridesValidateModel && hook.overridesDidDecode
            && (offsetOfValidateModel == nil || !plain.overridesValidateModel && !hook.overridesValidateModel)
            && (offsetOfDidDecode == nil || !plain.overridesDidDecode && !rule.overridesDidDecode)
    }

    // MARK: Methods

    private final class Plain: DynamicModel {}

    private final class WithRule: DynamicModel {
        override func validateModel() throws { throw CancellationError() }
    }

    private final class WithHook: DynamicModel {
        override func didDecode() throws { throw CancellationError() }
    }

    private static let offsetOfValidateModel = offset(ofMethodOf: WithRule.self)
    private static let offsetOfDidDecode = offset(ofMethodOf: WithHook.self)

    /// The offset of the word that changes when a class overrides nothing but one method.
    ///
    /// Initialisers change in every class. Where pointers to methods are signed with their address, all of them change,
    /// and the offset is unknown.
    private static func offset(ofMethodOf modelClass: DynamicModel.Type) -> Int? {
        let model = ClassMetadata(DynamicModel.self)
        let (same, other) = (ClassMetadata(Plain.self), ClassMetadata(modelClass))
        let offsets = stride(from: membersStart, to: model.end, by: wordSize).filter { offset in
            same.method(at: offset) == model.method(at: offset) && other.method(at: offset) != model.method(at: offset)
        }
        return offsets.count == 1 ? offsets[0] : nil
    }

    private func overridesMethod(at offset: Int?) -> Bool {
        guard let offset else { return true }
        return method(at: offset) != ClassMetadata(DynamicModel.self).method(at: offset)
    }

    private func method(at offset: Int) -> UInt { unsafe start.load(fromByteOffset: offset, as: UInt.self) }

    // MARK: Layout

    private static let wordSize = MemoryLayout<UInt>.size

    /// The offset of Swift's fields: behind the kind and the superclass, and three words for Objective-C.
    private static var fields: Int {
        #if canImport(ObjectiveC)
            return 5 * wordSize
        #else
            return 2 * wordSize
        #endif
    }

    /// The offset of the members: behind 24 bytes of flags and sizes, the description and the destructor.
    private static var membersStart: Int { fields + 24 + 2 * wordSize }

    /// The offset of the end: the size of the metadata without the part in front of its address.
    private var end: Int {
        unsafe Int(start.load(fromByteOffset: Self.fields + 16, as: UInt32.self))
            - Int(start.load(fromByteOffset: Self.fields + 20, as: UInt32.self))
    }
}
