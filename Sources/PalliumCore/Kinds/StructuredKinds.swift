import PalliumJSON

// Enumerations, models, collections, JSON and types of your own, about which the schema says more.
extension KindTraits {
    package static let enumeration = KindTraits(
        "enumeration", "a case", storage: .enumeration, archiveNumber: 12,
        read: { json, slot throws(ModelError) in
            guard let raw = EnumerationSchema.RawValue(json) else { return .refused(.typeMismatch) }
            try slot.storeEnumeration(raw)
            return .stored
        },
        write: { $0.enumerationRawValue.json },
        describe: { slot, length in ModelError.shorten(slot.enumerationRawValue.description, to: length) })

    package static let model = structure("model", "a model", .model, archiveNumber: 13)
    package static let array = structure("array", "an array", .array, archiveNumber: 14)
    static let set = structure("set", "a set", .set, archiveNumber: 15)
    package static let dictionary = structure("dictionary", "a dictionary", .dictionary, archiveNumber: 16)

    private static func structure(
        _ name: String, _ expectation: String, _ storage: SlotKind, archiveNumber: UInt8
    ) -> KindTraits {
        KindTraits(
            name, expectation, storage: storage, archiveNumber: archiveNumber,
            describe: { slot, _ in slot.description.expectation })
    }

    package static let json = KindTraits(
        "json", "a JSON value", type: JSONValue.self, storage: .json, archiveNumber: 17, json: .any,
        read: { json, slot throws(ModelError) in
            try json._store(slot)
            return .stored
        },
        write: { JSONValue._load($0) },
        describe: { slot, length in ModelError.shorten(JSONValue._load(slot).description, to: length) })

    static let custom = KindTraits(
        "custom", "a value", storage: .custom, archiveNumber: 18,
        describe: { slot, length in ModelError.shorten(String(describing: slot.custom), to: length) })

    /// The kinds by their number in archives. All widths of integers have one number.
    package static let byArchiveNumber: [UInt8: KindTraits] = {
        let structures = [enumeration, model, array, set, dictionary, custom]
        let kinds = PropertyKind.plain.map(\.traits) + structures
        return Dictionary(kinds.map { ($0.archiveNumber, $0) }) { first, _ in first }
    }()
}
