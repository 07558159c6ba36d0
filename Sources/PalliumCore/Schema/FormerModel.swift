public import Foundation
public import PalliumJSON

extension FormerModel {
    /// A value of a stored model, as an archive or document holds it, without a schema.
    ///
    /// Upgrades work on stored values, never on current models.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public indirect enum Value: Sendable, Hashable {
        case null
        case bool(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case double(Double)
        case decimal(Decimal)
        case string(String)
        case date(Date)
        case duration(Duration)
        /// The text of a URL.
        case url(String)
        case uuid(UUID)
        case data(Data)
        /// The raw text or number of an enumeration case.
        case enumeration(EnumerationSchema.RawValue)
        /// A JSON value, or a value of a custom kind as its transformer wrote it.
        case json(JSONValue)
        /// The elements of an array or a set.
        case array([Value])
        /// The elements of a dictionary and their keys, in order.
        case dictionary([Entry])
        /// Another stored model: one in the archive, or one that an upgrade step made.
        case model(Reference)

        /// An element of a dictionary.
        public struct Entry: Sendable, Hashable {
            /// The key.
            public var key: String
            /// The element.
            public var value: Value

            /// Pairs a key with an element.
            public init(_ key: String, _ value: Value) {
                self.key = key
                self.value = value
            }
        }
    }
}

extension FormerModel {
    /// A reference to a stored model.
    ///
    /// Two references are equal when they refer to the same object. References from two openings of an archive are
    /// never equal. A reference may be moved to another property or another model; it still refers to the same object.
    public struct Reference: Sendable, Hashable {
        /// The number of the object in its archive; -1 for a model that an upgrade step made.
        package let number: Int
        /// The model that an upgrade step made; nil for others.
        package let made: MadeModel?
        private let source: (any FormerModelSource)?

        package init(_ number: Int, in source: (any FormerModelSource)? = nil) {
            self.number = number
            self.source = source
            made = nil
        }

        /// Refers to a model that an upgrade step makes: a new object each time.
        package init(_ model: FormerModel) {
            number = -1
            made = MadeModel(model)
            source = nil
        }

        /// Whether the reference belongs to this source; nil means none.
        package func leads(to source: (any FormerModelSource)?) -> Bool { self.source === source }

        /// The model as it was stored, before its own upgrade steps; nil when there is no source to read it from.
        ///
        /// - Complexity: O(*n*) in the number of its properties, at the first access.
        package var model: FormerModel? { made?.model ?? source?.model(number) }

        /// Returns the model for a conversion that visits all its values.
        ///
        /// - Throws: ``ModelError`` when a conversion would become much larger than the archive.
        package func expanded() throws(ModelError) -> FormerModel? {
            guard let model else { return nil }
            try source?.charge(model.keys.count + 1)
            return model
        }

        /// Whether both refer to the same object.
        public static func == (left: Reference, right: Reference) -> Bool {
            left.number == right.number && left.made === right.made && left.source === right.source
        }

        /// Hashes what `==` compares, within one archive.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(number)
            hasher.combine(made.map { ObjectIdentifier($0) })
        }
    }
}

/// A model that an upgrade step made, as an object with an identity.
package final class MadeModel: Sendable {
    package let model: FormerModel

    init(_ model: FormerModel) { self.model = model }
}

/// The archive that resolves references to models.
package protocol FormerModelSource: AnyObject, Sendable {
    /// Returns the model of the object with this number.
    func model(_ number: Int) -> FormerModel
    /// Counts values that conversions copy.
    ///
    /// - Throws: ``ModelError`` when there are too many: models that share others could make exponentially many.
    func charge(_ values: Int) throws(ModelError)
}

/// A model as it was stored: values by key, which upgrade steps change.
///
///     SchemaUpgrade(from: 2) { person in
///         var address = FormerModel("Address", version: 1)
///         address["city"] = person["city"]
///         person["address"] = .model(address)
///         person["city"] = nil
///     }
public struct FormerModel: Sendable {
    /// An ancestor schema and its version at that time.
    package struct Level: Sendable {
        package let name: String
        package let version: Int

        package init(name: String, version: Int) {
            self.name = name
            self.version = version
        }
    }

    /// The name of the schema that the model was stored with.
    public var schema: String { levels[0].name }
    /// The version of the schema that the model was stored with.
    public var version: Int { levels[0].version }
    /// The schema, its parent and so on, as far as the archive names them.
    package let levels: [Level]
    /// The keys, in the order in which they were stored or added. A step adds its defaults in the order of their keys.
    public private(set) var keys: [String] = []
    private var values: [UTF8Key: Entry] = [:]
    /// Whether errors must not tell some of the values.
    package private(set) var hasSensitiveValues = false
    /// Whether dates are numbers of seconds since 2001, as in rows.
    package var datesAreNumbers = false
    /// The strategy by which keys stand for members of a document that nothing maps. All keys of one member are the same.
    package var keyStrategy = ModelSchema.KeyStrategy.identity

    /// A value with what belongs to it when it moves to another key.
    package struct Entry: Sendable {
        package let value: Value
        /// Whether it is the schema's default.
        package let isDefaulted: Bool
        /// Whether it comes from a property with a label, so that no error tells it.
        package let isSensitive: Bool

        package init(_ value: Value, isDefaulted: Bool = false, isSensitive: Bool = false) {
            self.value = value
            self.isDefaulted = isDefaulted
            self.isSensitive = isSensitive
        }
    }

    /// Makes a model without values, which an upgrade step fills and stores with
    /// ``FormerModel/Value/model(_:)-(FormerModel)``.
    ///
    /// The upgrade steps of its schema from `version` on are applied to it, those of the schema's ancestors are not.
    /// Give the version that is current when you write the step, so that the step stays correct when the schema changes
    /// later.
    public init(_ schema: String, version: Int) { self.init([Level(name: schema, version: version)]) }

    /// Makes a model without values. `levels` must not be empty.
    package init(_ levels: [Level]) { self.levels = levels }

    /// The value with a key; nil means no value, `.null` an explicit null. Keys are compared as bytes.
    public subscript(key: String) -> Value? {
        get { values[stored(key)]?.value }
        set { set(newValue.map { Entry($0) }, forKey: key) }
    }

    package func entry(forKey key: String) -> Entry? { values[stored(key)] }

    /// Returns the key under which a value is stored.
    private func stored(_ key: String) -> UTF8Key {
        let name = UTF8Key(key)
        guard keyStrategy == .snakeCase, values[name] == nil,
            let other = keyStrategy.memberName(for: key).flatMap(keyStrategy.key(forMember:)).map(UTF8Key.init),
            values[other] != nil
        else { return name }
        return other
    }

    /// Whether a value is the schema's default.
    package func isDefaulted(_ key: String) -> Bool { values[stored(key)]?.isDefaulted == true }

    /// Whether errors must not tell a value.
    package func isSensitive(_ key: String) -> Bool { values[stored(key)]?.isSensitive == true }

    /// Lets no error tell the values of some keys.
    package mutating func hideValues(where isHidden: (String) -> Bool) {
        for key in keys where isHidden(key) {
            guard let entry = entry(forKey: key) else { continue }
            set(Entry(entry.value, isDefaulted: entry.isDefaulted, isSensitive: true), forKey: key)
        }
    }

    package mutating func set(_ entry: Entry?, forKey key: String) {
        let name = stored(key)
        if let entry {
            if entry.isSensitive { hasSensitiveValues = true }
            if values.updateValue(entry, forKey: name) == nil { keys.append(key) }
        } else if values.removeValue(forKey: name) != nil {
            keys.removeAll { UTF8Key($0) == name }
        }
    }
}

extension FormerModel.Value {
    /// A model that an upgrade step makes. It is a new object each time, even for a changed copy of an archived model.
    public static func model(_ model: FormerModel) -> FormerModel.Value { .model(FormerModel.Reference(model)) }

    /// The model of a reference as it was stored, before its own upgrade steps. The members of a JSON object are
    /// returned as a model without a name.
    public var model: FormerModel? {
        switch self {
        case .model(let reference): return reference.model
        case .json(.object(let members)):
            var model = FormerModel("", version: 1)
            for (name, value) in members { model[name] = FormerModel.Value(json: value) }
            return model
        default: return nil
        }
    }

    /// Converts a JSON value. Arrays, objects and numbers that are not exactly an Int64 stay JSON.
    package init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            if let integer = number.int64 { self = .integer(integer) } else { self = .json(json) }
        case .string(let text): self = .string(text)
        case .array, .object: self = .json(json)
        }
    }

    /// The Swift value of the kinds that need nothing besides their name, and of a case; nil for the other kinds.
    package var scalar: (any PropertyValue)? {
        switch self {
        case .bool(let value): value
        case .integer(let value), .enumeration(.number(let value)): value
        case .unsigned(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .string(let value), .enumeration(.text(let value)): value
        case .date(let value): value
        case .duration(let value): value
        case .uuid(let value): value
        case .data(let value): value
        case .null, .url, .json, .array, .dictionary, .model: nil
        }
    }

    /// The text of a string, a URL or an enumeration case of text.
    public var text: String? {
        switch self {
        case .string(let text), .url(let text), .enumeration(.text(let text)): text
        case .json(let json): json.stringValue
        default: nil
        }
    }

    /// The value of any kind of integer.
    public var integer: Int64? {
        switch self {
        case .integer(let value), .enumeration(.number(let value)): value
        case .unsigned(let value): Int64(exactly: value)
        case .json(let json): json.numberValue?.int64
        default: nil
        }
    }
}
