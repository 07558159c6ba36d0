import Foundation
import Synchronization

extension _Storage {
    /// The compiled description of one value: of a property, or of the elements of a collection.
    ///
    /// Accessors pass it around; it has no public members.
    public final class Descriptor: Sendable {
        /// The form in a slot.
        package let kind: SlotKind
        package let traits: KindTraits
        package let property: PropertySchema
        /// The schema the value belongs to.
        package let schema: String
        /// The key of the property.
        package let key: String
        /// The name in messages: `Issue.labels`, and `Issue.labels[]` for its elements.
        package let path: String
        package let isNullable: Bool
        /// Whether the value may be absent or null.
        package let isOptional: Bool
        /// Whether an accessor of the value is optional: also of one that stubs lack, although it is required.
        package let hasOptionalAccessor: Bool
        /// Whether the value, or the collection that it is in, has a label.
        package let isSensitive: Bool
        package let element: ValueDescriptor?
        package let enumeration: EnumerationDescriptor?
        package let signedRange: ClosedRange<Int64>
        package let unsignedMaximum: UInt64
        /// The natural type of values that are neither models nor collections, computed once.
        private let naturalScalarType: (any PropertyValue.Type)?
        /// The kind, if values of it are read by key as the basic type of their storage; `custom` for others.
        let basicKind: SlotKind
        /// The type that last passed `optionalFits`; 0 for none. Callers mostly ask for the same type again.
        private let fittingType = Atomic<UInt>(0)
        /// The layout of the models that the value may hold.
        ///
        /// Safety of `nonisolated(unsafe)`: written while the layouts of one registration are linked, before any of them is
        /// published, and when their registry ends and nothing refers to them. It is read-only in between, so dynamic checks
        /// for overlapping access could never fail and are off.
        @safe @exclusivity(unchecked) package nonisolated(unsafe) private(set) var model: ModelLayout?

        /// The slots by which the models of a collection are told apart: that of the property that its policy names, or those
        /// of their identity.
        package var identifierSlots: [Int] {
            guard let model = element?.model else { return [] }
            return property.merge?.by.flatMap { model.index(of: $0) }.map { [$0] } ?? model.identitySlots
        }

        /// The descriptor of the elements of nested collections; itself for other values.
        package var innermost: ValueDescriptor { element?.innermost ?? self }

        /// Whether the value is a model or a collection of models, however nested.
        package let holdsModels: Bool
        /// Whether documents may have identities in place of the models in the value.
        package let holdsIdentities: Bool

        /// - Parameter isLackedByStubs: Whether models of the schema may lack the value although it is required.
        package init(
            schema: String, key: String, path: String, property: PropertySchema, isElement: Bool,
            isLackedByStubs: Bool = false
        ) {
            self.schema = schema
            self.key = key
            self.path = path
            self.property = property
            isNullable = isElement ? property.isNullableByDeclaration : property.isNullable
            isOptional = isElement ? isNullable : property.isOptional
            hasOptionalAccessor = isOptional || isLackedByStubs && property.isRequired
            isSensitive = property.isSensitive
            traits = property.kind.traits
            kind = property.isWeak && traits.storage == .model ? .weakModel : traits.storage
            element = property.kind.element.map {
                var element = $0
                element = element.labels(property.labels)
                return ValueDescriptor(schema: schema, key: key, path: path + "[]", property: element, isElement: true)
            }
            if case .enumeration(let schema) = property.kind {
                enumeration = EnumerationDescriptor(schema)
            } else {
                enumeration = nil
            }
            holdsModels = kind == .model || element?.holdsModels == true
            holdsIdentities = property.isByIdentity || element?.holdsIdentities == true
            naturalScalarType = Self.naturalScalarType(property.kind)
            let basicTypes: [any PropertyValue.Type] = [Int.self, String.self, Bool.self, Double.self, Date.self]
            let type = property.kind.traits.type
            basicKind = basicTypes.contains { $0 == type } ? kind : .custom
            switch property.kind {
            case .integer(let width):
                signedRange = (Int64.min >> (64 - width.rawValue))...(Int64.max >> (64 - width.rawValue))
                unsignedMaximum = 0
            case .unsigned(let width):
                signedRange = 0...0
                unsignedMaximum = UInt64.max >> (64 - width.rawValue)
            default:
                signedRange = 0...0
                unsignedMaximum = 0
            }
        }

        /// Makes a descriptor for the models an adapter reads, or for an array of them. No schema holds it.
        package convenience init(
            schema: String, key: String, path: String, property: PropertySchema, models: ModelLayout
        ) {
            self.init(schema: schema, key: key, path: path, property: property, isElement: false)
            link { _ in models }
        }

        /// Connects the descriptor with the layout of its models. The registry calls this while it compiles.
        func link(_ layoutOf: (ModelReference) -> ModelLayout?) {
            if case .model(let reference) = property.kind { model = layoutOf(reference) }
            element?.link(layoutOf)
        }

        /// The descriptor without reference counting.
        ///
        /// Safety: a published layout holds its descriptors, and it lives as long as any model, adapter or registry that
        /// refers to them (see `ModelLayout`). Other descriptors are held by the caller that made them.
        package var reference: Unmanaged<ValueDescriptor> { unsafe Unmanaged.passUnretained(self) }

        package var unowned: Unowned<ValueDescriptor> { unsafe Unowned(self) }

        /// The descriptor of the elements without reference counting. Collections always have one.
        package var unownedElement: Unowned<ValueDescriptor> { unsafe Unowned(elementReference) }

        /// The descriptor of the elements. Collections always have one.
        package var elementReference: Unmanaged<ValueDescriptor> {
            // An invariant, checked for every collection.
            guard let element else { preconditionFailure("\(path) is no collection") }
            return unsafe element.reference
        }

        func elementFits<Element: PropertyValue>(_ type: Element.Type, for use: AccessorUse) -> Bool {
            guard let element else { return false }
            return use == .store ? element.accepts(type) : element.fits(type)
        }

        /// Whether an accessor of the type fits the property, including its nullability.
        package func fits(_ type: any PropertyValue.Type) -> Bool {
            (!hasOptionalAccessor || type._isOptional)
                && type._fits(self, for: type._isOptional ? .readOptional : .read)
        }

        /// Whether values of both descriptors are stored in the same form, so that their slots can be compared.
        package func storesLike(_ other: ValueDescriptor) -> Bool {
            if self === other { return true }
            // The two words of one kind are not those of another.
            guard kind == other.kind, kind != .words || traits === other.traits,
                enumeration?.schema.cases == other.enumeration?.schema.cases
            else { return false }
            guard let element, let otherElement = other.element else { return true }
            return element.storesLike(otherElement)
        }

        /// Whether an optional of the type can read the property.
        @inline(__always)
        package func optionalFits(_ type: any PropertyValue.Type) -> Bool {
            // Relaxed ordering suffices: the word is a fact about the type it names and about nothing else.
            fittingType.load(ordering: .relaxed) == UInt(bitPattern: ObjectIdentifier(type)) || checkOptionalFits(type)
        }

        @inline(never)
        private func checkOptionalFits(_ type: any PropertyValue.Type) -> Bool {
            guard fits(type.optionalType) else { return false }
            fittingType.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .relaxed)
            return true
        }

        /// Whether a value of the type may be stored. Null is checked when it is stored.
        package func accepts(_ type: any PropertyValue.Type) -> Bool { type._fits(self, for: .store) }

        /// The expectation in errors about a number that is too large or too small.
        package var rangeExpectation: String {
            switch property.kind {
            case .integer(let width): "an integer of \(width.rawValue) bits"
            case .unsigned(let width): "an unsigned integer of \(width.rawValue) bits"
            default: expectation
            }
        }

        /// The expectation in errors: "an integer", "one of "open", "closed"".
        package var expectation: String {
            switch property.kind {
            case .enumeration(let schema):
                "one of " + schema.cases.prefix(12).map(\.rawValue.quoted).joined(separator: ", ")
                    + (schema.cases.count > 12 ? ", …" : "")
            case .model(let reference): "a model of \(reference)"
            case .custom(let custom): "a value of \(custom.name)"
            default: traits.expectation
            }
        }

        /// The Swift type of the value where no accessor names one.
        package var naturalType: any PropertyValue.Type {
            if let naturalScalarType { return naturalScalarType }
            guard let elementType else { return model?.modelClass ?? DynamicModel.self }
            return kind == .dictionary ? elementType.dictionaryType : elementType.arrayType
        }

        /// The natural type of the elements of a collection.
        var elementType: (any PropertyValue.Type)? {
            element.map { $0.isNullable ? $0.naturalType.optionalType : $0.naturalType }
        }

        private static func naturalScalarType(_ kind: PropertyKind) -> (any PropertyValue.Type)? {
            switch kind {
            case .enumeration(let schema):
                if schema.unknown != .keep, let type = schema.type { return type.valueType }
                return schema.isNumeric ? Int.self : String.self
            case .custom(let custom): return custom.type
            default: return kind.traits.type
            }
        }
    }
}

extension PropertyValue {
    static var arrayType: any PropertyValue.Type { [Self].self }
    static var dictionaryType: any PropertyValue.Type { [String: Self].self }
    static var optionalType: any PropertyValue.Type { Self?.self }
}
