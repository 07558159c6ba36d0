public import PalliumJSON

/// The modifiers of properties, which are chained after the kind.
extension PropertySchema {
    private func with(_ change: (inout PropertySchema) -> Void) -> PropertySchema {
        var copy = self
        change(&copy)
        return copy
    }

    /// Requires the property to be present, and not null unless it is also `nullable`. The accessor is not optional.
    public var required: PropertySchema { with { $0.isRequired = true } }

    /// Allows null. Needed only beside `required`, beside a default, where an explicit null then wins as in Mantle, and for
    /// elements of collections.
    public var nullable: PropertySchema { with { $0.nullability = .allowed } }

    /// Refuses null for a property that may be absent. Setting nil unsets the property.
    ///
    ///     "nickname": .string.notNull,
    public var notNull: PropertySchema { with { $0.nullability = .refused } }

    /// Sets the value of a property that was not given. The accessor is not optional unless the property is also
    /// `nullable`.
    public func `default`<Value: PropertyValue & Hashable & Sendable>(_ value: Value) -> PropertySchema {
        with { $0.defaultValue = .value(value) }
    }

    /// Sets an empty array, set or dictionary as the default: `.default([])`, `.default([:])`.
    ///
    /// The kind of the property decides the type of the elements.
    @_disfavoredOverload  // As the initialisers of `ModelSchema`: mistakes in long literals stay cheap.
    public func `default`(_ empty: EmptyCollection) -> PropertySchema { `default`(json: empty.json) }

    /// Sets the value of a property that was not given, as a JSON value.
    public func `default`(json value: JSONValue) -> PropertySchema { with { $0.defaultValue = .json(value) } }

    /// Sets the key path in JSON, such as `"user.login"`.
    ///
    /// A dot steps into an object, `\.` is a dot inside a name, and `[0]` steps into an array when reading.
    public func json(_ path: String) -> PropertySchema { with { $0.json = .path(path) } }

    /// Sets several key paths. The first that is present is read, the first in the list is written.
    public func json(firstOf paths: [String]) -> PropertySchema { with { $0.json = .firstOf(paths) } }

    /// Sets several key paths that together make the value. The transformer receives one object with all their values.
    public func json(allOf paths: [String]) -> PropertySchema { with { $0.json = .allOf(paths) } }

    /// Sets the mapping to JSON as a value.
    package func json(_ mapping: JSONMapping) -> PropertySchema { with { $0.json = mapping } }

    /// Keeps the property out of JSON.
    public var local: PropertySchema { with { $0.json = .none } }

    /// Makes the property read from JSON and never written.
    public var readOnly: PropertySchema { with { $0.access = .readOnly } }

    /// Makes the property written to JSON and never read.
    public var writeOnly: PropertySchema { with { $0.access = .writeOnly } }

    /// Says that only documents of a direction have the property:
    ///
    ///     "id": .integer.required.only(.output),  // the service chooses it
    ///     "password": .string.only(.input),
    ///
    /// In a contract these are `readOnly` and `writeOnly`. An adapter reads and writes the property unless its
    /// ``JSONAdapterOptions/mode`` is the other direction.
    public func only(_ direction: Direction) -> PropertySchema { with { $0.only = direction } }

    /// Adds labels, which say what the values are:
    ///
    ///     "email": .string.labels("pii", "contact")
    ///
    /// Values of a property with a label are masked in descriptions and errors, and a ``Redaction`` writes documents
    /// without them. A label begins with an ASCII letter and has letters, digits, `-`, `_` and `.`, at most 64 in all.
    public func labels(_ labels: String...) -> PropertySchema { self.labels(labels) }

    /// Adds labels.
    package func labels(_ labels: [String]) -> PropertySchema {
        with { $0.labels = Set(($0.labels + labels).map { UTF8Key($0) }).map(\.text).sorted(by: UTF8Text.precedes) }
    }

    /// Adds the label `secret`.
    public var secret: PropertySchema { labels("secret") }

    /// Lets a store find models by the property without reading all of them.
    ///
    ///     "state": .enumeration("open", "closed").indexed(),
    ///     "slug": .string.indexed(.unique),
    ///     "title": .string.indexed(.caseInsensitive),
    ///
    /// Values must have a size and an order: bools, integers of up to 64 bits with and 32 bits without a sign, floating
    /// point, text, dates, URLs, UUIDs and enumerations have both. Of a property that holds models with an identity, alone or
    /// in collections, the store then knows which rows refer to a row.
    public func indexed(_ index: Index = .ordinary) -> PropertySchema { with { $0.index = index } }

    /// Lets documents have the identity of a model in place of the model.
    ///
    ///     "customer": .model("Customer").byIdentity,           // "cus_1", or {"id": "cus_1", …}
    ///     "owners": .array(of: .model("User").byIdentity),     // [7, {"id": 8, …}]
    ///
    /// The identity stands for a stub: a model that has nothing else. A stub is written as its identity, whatever it was
    /// read from. In a merge it refers to the model with its identity, and changes nothing in it.
    ///
    /// The identity of the model's schema must be one property, which is a text or a number in documents. If the schema
    /// requires others, it must allow stubs: see ``ModelSchema/allowsStubs``.
    public var byIdentity: PropertySchema { with { $0.isByIdentity = true } }

    /// Chooses what a store does with a row when a row that it refers to by the property is deleted.
    ///
    ///     "assignee": .model("User").indexed().deleteRule(.nullify),
    ///
    /// The property must be ``indexed(_:)``, unless the rule is ``DeleteRule/keep``, which properties without one have.
    public func deleteRule(_ rule: DeleteRule) -> PropertySchema { with { $0.deleteRule = rule } }

    /// Makes the property a weak reference, which does not keep its model alive.
    public var weak: PropertySchema { with { $0.isWeak = true } }

    /// Names the parent reference: a weak property of the models in this one, alone or in collections.
    ///
    ///     ModelSchema(Folder.self, ["files": .array(of: .model(File.self)).inverse("folder")])
    ///     ModelSchema(File.self, ["folder": .model(Folder.self).weak])
    ///
    /// The parent reference is set whenever a model is attached: when it is decoded, unarchived, assigned, merged or
    /// copied deeply. It is cleared when the model is detached, unless it refers to another parent by then. A model in
    /// two parents refers to the one it was attached to last.
    public func inverse(_ key: String) -> PropertySchema { with { $0.inverse = key } }

    /// Converts between JSON and the property by named transformers, applied in order when reading.
    public func transformer(_ names: TransformerName...) -> PropertySchema { with { $0.transformers = names } }

    /// Converts between JSON and the property by named transformers, applied in order when reading.
    package func transformers(_ names: [TransformerName]) -> PropertySchema { with { $0.transformers = names } }

    /// Sets the part the property plays in equality, descriptions and archives.
    public func storage(_ storage: Storage) -> PropertySchema { with { $0.storage = storage } }

    /// Sets whether the property is archived.
    public func archive(_ behavior: ArchiveBehavior) -> PropertySchema { with { $0.archive = behavior } }

    /// Sets the way nil is written.
    public func nilPolicy(_ policy: NilPolicy) -> PropertySchema { with { $0.nilPolicy = policy } }

    /// Sets the policy for merging a value from another model or document.
    public func merge(_ policy: MergePolicy) -> PropertySchema { with { $0.merge = policy } }

    /// Documents the property, for people.
    public func doc(_ text: String) -> PropertySchema { with { $0.documentation = text } }

    /// Computes the value from the stored model when a model is unarchived.
    ///
    /// The hook runs after the upgrades, and its result replaces the stored value of the property; `nil` means no
    /// value. It also runs for properties that archives leave out, which it may reconstruct (conformance C323, C327).
    ///
    ///     "name": .string.unarchived { stored in stored["name"] ?? stored["mtl_name"] }
    public func unarchived(_ value: @escaping @Sendable (FormerModel) throws -> FormerModel.Value?) -> PropertySchema {
        with { $0.storedValueHook = StoredValueHook(value) }
    }

    /// Adds limits on the values.
    ///
    ///     "title": .string.rules(.minLength(1), .maxLength(256)),
    ///     "priority": .integer.rules(.minimum(1), .maximum(5)),
    ///     "tags": .array(of: .string.rules(.pattern("^[a-z-]+$"))).rules(.maxCount(100), .unique),
    ///
    /// They are checked whenever ``validate(_:)`` would run, after the checks in Swift. A value that breaks one is an error
    /// with the code `ruleBroken`. A redeclared property keeps the rules that it inherits.
    public func rules(_ rules: Rule...) -> PropertySchema { self.rules(rules) }

    /// Adds limits on the values. They are kept in one order, because the order means nothing.
    package func rules(_ rules: [Rule]) -> PropertySchema {
        with { property in
            let all = property.rules + rules
            property.rules = Rule.names.flatMap { name in all.filter { $0.name == name } }
        }
    }

    /// Gives rules a text for people, by the names of the rules.
    ///
    ///     "title": .string.rules(.minLength(3)).messages(["minLength": "Please choose a longer title."])
    ///
    /// An error has it as ``ModelError/ruleMessage``. The rules are those of the property, also inherited ones.
    public func messages(_ texts: [String: String]) -> PropertySchema {
        with { $0.messages.merge(texts) { $1 } }
    }

    /// Adds a check that may also correct the value.
    ///
    /// It runs after decoding for every property, present or not. It also runs for the keys given when a model is made
    /// from values, and in `validate()`.
    ///
    ///     "name": .string.validate { (name: inout String?, _) in
    ///         if let length = name?.utf8.count, length > 10 { throw NameTooLong() }
    ///     }
    ///     "number": .integer.required.validate { (number: inout Int, _) in
    ///         if number < 1 { throw NoNumber() }
    ///     }
    ///
    /// The value is an optional, nil for null and unset. A property that is never null, because it is required or has a
    /// default, can be checked as the plain type; the check then runs only when there is a value.
    public func validate<Value: PropertyValue>(
        _ check: @escaping @Sendable (inout Value, ValidationContext) throws -> Void
    ) -> PropertySchema {
        with { $0.validators.append(ComparedByIdentity(PropertyValidator(check))) }
    }
}

extension PropertySchema {
    /// The literal `[]` or `[:]` as the default of a collection property.
    public struct EmptyCollection: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable {
        fileprivate let json: JSONValue

        /// Makes the value from the literal `[]`.
        public init(arrayLiteral elements: Never...) { json = [] }

        /// Makes the value from the literal `[:]`.
        public init(dictionaryLiteral elements: (Never, Never)...) { json = [:] }
    }
}
