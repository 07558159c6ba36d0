import PalliumCore
import PalliumJSON

/// The operation that decodes and encodes one value: of a property, or of an element of a collection.
enum ValueOperation: UInt8 {
    case bool, integer, double, string, enumeration
    case url, iso8601Date
    // One model, or a collection of values.
    case model, array, set, dictionary
    // Rarer values, which the decoder handles out of line: numbers as their kind reads them, text by its codec.
    case number, text, unixSeconds, unixMilliseconds, storedDate, json
    // Converted by one or several of your transformers.
    case transformed
    // In no document: weak references to parents, and types without a transformer.
    case absent
    // A model, or its identity in its place.
    case modelOrIdentity

    /// Whether the value is decoded at once, without a frame.
    var isScalar: Bool {
        switch self {
        case .model, .modelOrIdentity, .array, .set, .dictionary, .transformed, .absent: false
        default: true
        }
    }
}

/// A value's operation and its data, as plain bytes: the decoder follows pointers without counting references.
///
/// Tables and everything they point to belong to the plans of an adapter, which keeps them alive.
@unsafe
struct ValueTable {
    let operation: ValueOperation
    let isNullable: Bool
    let takesNullForDefault: Bool
    let isRequired: Bool
    /// Whether a transformer handles null.
    let convertsNull: Bool
    let signedRange: ClosedRange<Int64>
    let descriptor: Unowned<ValueDescriptor>
    let enumeration: Unowned<EnumerationDescriptor>?
    /// The full plan of the value, for everything out of line.
    let value: Unowned<ValuePlan>
    let element: ValueHandle?
    /// The quoted texts of an enumeration's cases.
    let cases: UnsafePointer<PaddedText>?
    let caseCount: Int
    /// The plan of the value's models; set while the plan is compiled.
    var model: Unowned<JSONPlan>?
}

/// The full plan of one value.
///
/// Safety: the memory of `table` and of `cases` belongs to the plan, is written while the plan is compiled, and is
/// freed in `deinit`.
@safe
final class ValuePlan {
    let descriptor: ValueDescriptor
    let operation: ValueOperation
    /// The codec of a value that JSON spells as text.
    let codec: TextCodec?
    let element: ValuePlan?
    /// The transformers in reading order; empty for values that the library converts itself. A value with transformers
    /// has an input.
    let transformers: [Transformer]
    /// The plan of the first transformer's input.
    let input: ValuePlan?
    /// The conversion of a single transformer whose result is stored unchanged; nil in all other cases.
    let conversion: Transformer.SlotConversion?
    let table: UnsafeMutablePointer<ValueTable>
    private let cases: UnsafeMutableBufferPointer<PaddedText>?

    init(
        _ descriptor: ValueDescriptor, operation: ValueOperation, codec: TextCodec? = nil, element: ValuePlan? = nil,
        transformers: [Transformer] = [], input: ValuePlan? = nil
    ) {
        self.descriptor = descriptor
        self.operation = operation
        self.codec = codec
        self.element = element
        self.transformers = transformers
        self.input = input
        if transformers.count == 1, let only = transformers.first, descriptor.accepts(only.outputType),
            input?.operation.isScalar == true
        {
            conversion = only.forwardBetweenSlots
        } else {
            conversion = nil
        }
        unsafe cases = Self.quotedCases(descriptor.enumeration)
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(
            to: ValueTable(
                operation: operation, isNullable: descriptor.isNullable,
                takesNullForDefault: descriptor.property.defaultValue != nil && descriptor.property.readsNull,
                isRequired: descriptor.property.isRequired,
                convertsNull: transformers.first?.handlesNull ?? false, signedRange: descriptor.signedRange,
                descriptor: Unowned(descriptor), enumeration: descriptor.enumeration.map { unsafe Unowned($0) },
                value: Unowned(self), element: element.map { unsafe $0.handle },
                cases: cases.map { unsafe UnsafePointer($0.baseAddress!) }, caseCount: cases?.count ?? 0))
    }

    /// Returns the plan with other plans of its parts.
    func replacing(element: ValuePlan?, input: ValuePlan?) -> ValuePlan {
        ValuePlan(
            descriptor, operation: operation, codec: codec, element: element, transformers: transformers, input: input)
    }

    /// The plan of the value's own models; nil if it is none.
    var ownModel: JSONPlan? { unsafe table.pointee.model?.object }

    /// The plan of the models in the value; nil if there are none.
    ///
    /// Recursion is as deep as the nesting of kinds.
    var model: JSONPlan? {
        ownModel ?? element?.model ?? input?.model
    }

    /// Sets the plan of the value's own models, which the owner of this plan holds.
    @unsafe
    func link(_ model: JSONPlan?) { unsafe table.pointee.model = model.map { unsafe Unowned($0) } }

    /// Whether everything is selected of the models in the value.
    var isUnprojected: Bool { model?.isUnprojected ?? true }

    deinit {
        unsafe table.deallocate()
        unsafe cases?.forEach { unsafe $0.deallocate() }
        unsafe cases?.deallocate()
    }

    /// Returns the JSON text of each case; nil if there are no cases.
    private static func quotedCases(
        _ enumeration: EnumerationDescriptor?
    ) -> UnsafeMutableBufferPointer<PaddedText>? {
        guard let enumeration, !enumeration.schema.cases.isEmpty else { return nil }
        let result = UnsafeMutableBufferPointer<PaddedText>.allocate(capacity: enumeration.schema.cases.count)
        for (index, item) in enumeration.schema.cases.enumerated() {
            var quoted = JSONByteBuffer()
            switch item.rawValue {
            case .text(let text): quoted.append(quoted: text)
            case .number(let number): quoted.append(integer: number)
            }
            unsafe result.initializeElement(at: index, to: PaddedText(copying: quoted.bytes))
        }
        return unsafe result
    }
}
