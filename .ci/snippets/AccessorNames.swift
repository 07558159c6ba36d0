// Which names accessors may have: names of the base class are refused by the compiler, Mantle's names are free.
import Pallium

/// Mantle's names are unavailable as members of all models and disturb nobody who uses them for properties.
class Archive: DynamicModel {
    var modelVersion: Int { value() }
    var dictionaryValue: [String: JSONValue]? {
        get { value() }
        set { set(newValue) }
    }
    var propertyKeys: [String]? { value() }
    var encode: String? { value() }
    var summary: String? { value("description") }

    convenience init(dictionary: [String: JSONValue]) throws { try self.init(values: ["dictionaryValue": dictionary]) }
    class func jsonKeyPathsByPropertyKey() -> [String: String] { [:] }
    func mergeValuesForKeys(from other: Archive) -> Bool { other === self }
}

/// They can be overridden in turn.
final class OldArchive: Archive {
    override var modelVersion: Int { 0 }
    override var dictionaryValue: [String: JSONValue]? {
        get { nil }
        set {}
    }
    override class func jsonKeyPathsByPropertyKey() -> [String: String] { ["a": "b"] }
    override func mergeValuesForKeys(from other: Archive) -> Bool { true }
}

/// And be what a protocol of the program asks for, by itself or by the protocol's extension.
protocol Versioned {
    var modelVersion: Int { get }
    var dictionaryValue: [String: Any] { get }
    static func modelVersion() -> Int
}
extension Versioned {
    var dictionaryValue: [String: Any] { [:] }
    static func modelVersion() -> Int { 1 }
}
final class VersionedModel: DynamicModel, Versioned {
    var modelVersion: Int { value() }
}

func uses(_ old: OldArchive, _ versioned: VersionedModel) throws {
    let version: Int = old.modelVersion
    let value: [String: JSONValue]? = old.dictionaryValue
    old.dictionaryValue = value
    let path: KeyPath<Archive, Int> = \Archive.modelVersion
    let keys: [String]? = old.propertyKeys
    let text: String? = old.encode ?? old.summary
    let merged: Bool = old.mergeValuesForKeys(from: old)
    let paths: [String: String] = OldArchive.jsonKeyPathsByPropertyKey()
    let all: [String: Any] = versioned.dictionaryValue
    let classVersion: Int = VersionedModel.modelVersion()
    _ = (version, path, keys, text, merged, paths, all, classVersion, try Archive(dictionary: [:]))
}

/// The accessor of a property that is called like a member of the base class has another name, as `summary` above.
final class Wrong: DynamicModel {
    var description: String? { value() }  // expected-error {{overriding non-open property outside of its defining module}} expected-error {{cannot override a property with type}}
    var values: [Int]? { value() }  // expected-error {{overriding non-open property outside of its defining module}} expected-error {{cannot override a property with type}}
    var schema: String? { value() }  // expected-error {{overriding non-open property outside of its defining module}} expected-error {{cannot override a property with type}}
    var hashValue: String? { value() }  // expected-error {{cannot override a property with type}}
}

/// An accessor called `id` is free: of a class that is `Identifiable` it is the ID, and a frozen view has it too.
final class Row: DynamicModel, Identifiable {
    var id: Int { value() }
}
final class KeyedRow: DynamicModel, Identifiable {}
final class PlainRow: DynamicModel {
    var id: String? { value() }
}

func identifies<Item: Identifiable>(_ item: Item) -> Item.ID { item.id }
func uses(_ row: Row, _ keyed: KeyedRow, _ plain: PlainRow) {
    let numbers: [Int] = [row.id, row.frozen().id, identifies(row), identifies(row.frozen())]
    let identities: [ModelIdentity] = [keyed.id, keyed.frozen().id, identifies(keyed), identifies(keyed.frozen())]
    let texts: [String?] = [plain.id, plain.frozen().id]
    _ = (numbers, identities, texts)
}
