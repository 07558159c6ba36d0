public import PalliumJSON

extension PropertySchema {
    private func with(_ change: (inout PropertySchema) -> Void) -> PropertySchema {
        var copy = self
        change(&copy)
        return copy
    }

    /// Present and not null in whatever the model is made from; the accessor is not optional.
    public var required: PropertySchema { with { $0.isRequired = true } }

    /// Null is a value. Only needed beside a default (explicit null then wins over it, as in Mantle) and for elements of
    /// collections, which are not null otherwise.
    public var nullable: PropertySchema { with { $0.isNullableByDeclaration = true } }

    /// The value of a property that was not given; the accessor is not optional unless the property is also `nullable`.
    public func `default`<Value: PropertyValue & Hashable & Sendable>(_ value: Value) -> PropertySchema {
        with { $0.defaultValue = .value(value) }
    }

    /// An empty array, set or dictionary for a property that was not given: `.default([])`, `.default([:])`. The literal
    /// alone does not say what its elements are; the property does.
    @_disfavoredOverload  // As the initialisers of `ModelSchema`: mistakes in long literals stay cheap.
    public func `default`(_ empty: EmptyCollectionLiteral) -> PropertySchema { `default`(json: empty.json) }

    /// The value of a property that was not given, as a schema document writes it.
    public func `default`(json value: JSONValue) -> PropertySchema { with { $0.defaultValue = .json(value) } }

    /// The key path in JSON: `"user.login"` walks objects, `\.` is a dot inside a name, `[0]` steps into an array when
    /// reading.
    public func json(_ path: String) -> PropertySchema { with { $0.json = .path(path) } }

    /// Several key paths: the first that is present is read, the first is written.
    public func json(firstOf paths: [String]) -> PropertySchema { with { $0.json = .firstOf(paths) } }

    /// Several key paths that together make the value: the transformer receives one object of the parts.
    public func json(allOf paths: [String]) -> PropertySchema { with { $0.json = .allOf(paths) } }

    /// Where the property lives in JSON, as a value.
    public func json(_ mapping: JSONMapping) -> PropertySchema { with { $0.json = mapping } }

    /// Not in JSON.
    public var local: PropertySchema { with { $0.json = .none } }

    /// Read from JSON, never written.
    public var readOnly: PropertySchema { with { $0.access = .readOnly } }

    /// Written to JSON, never read.
    public var writeOnly: PropertySchema { with { $0.access = .writeOnly } }

    /// Masked in descriptions and errors.
    public var secret: PropertySchema { with { $0.isSecret = true } }

    /// Does not keep the model alive.
    public var weak: PropertySchema { with { $0.isWeak = true } }

    /// The key of the link back: a weak property of the models that stand in this one, alone or in collections.
    ///
    ///     ModelSchema(Folder.self, ["files": .array(of: .model(File.self)).inverse("folder")])
    ///     ModelSchema(File.self, ["folder": .model(Folder.self).weak])
    ///
    /// The link is set whenever a model comes to stand in the property: when it is decoded, unarchived, assigned, merged
    /// or copied deeply. It is cleared when the model leaves, unless it leads elsewhere by then. A model in two parents
    /// is linked to the one that took it last.
    public func inverse(_ key: String) -> PropertySchema { with { $0.inverse = key } }

    /// Converts between JSON and the property by name; several are applied in order when reading.
    public func transformer(_ names: TransformerName...) -> PropertySchema { with { $0.transformers = names } }

    /// Converts between JSON and the property by name, applied in order when reading.
    public func transformers(_ names: [TransformerName]) -> PropertySchema { with { $0.transformers = names } }

    /// Who sees the property inside the program.
    public func storage(_ storage: PropertyStorage) -> PropertySchema { with { $0.storage = storage } }

    /// Whether the property is archived.
    public func archive(_ behavior: ArchiveBehavior) -> PropertySchema { with { $0.archive = behavior } }

    /// How nil is written.
    public func nilPolicy(_ policy: NilPolicy) -> PropertySchema { with { $0.nilPolicy = policy } }

    /// How a value from another model or document is merged in.
    public func merge(_ policy: MergePolicy) -> PropertySchema { with { $0.merge = policy } }

    /// What the property means, for people.
    public func doc(_ text: String) -> PropertySchema { with { $0.documentation = text } }

    /// Computes the value from the stored model when a model is unarchived, after the upgrades and instead of the value with
    /// the property's own key. `nil` is no value. The hook also runs for properties that archives leave out, which it may
    /// reconstruct (conformance C323, C327).
    ///
    ///     "name": .string.unarchived { stored in stored["name"] ?? stored["mtl_name"] }
    public func unarchived(_ value: @escaping @Sendable (StoredModel) throws -> StoredValue?) -> PropertySchema {
        with { $0.storedValueHook = StoredValueHook(value) }
    }

    /// Adds a check that may also correct the value. It runs after decoding for every property that has one, present or
    /// not, when a model is made from values for the keys given, and in `validate()`.
    ///
    ///     "name": .string.validate { (name: inout String?, _) in
    ///         if let length = name?.utf8.count, length > 10 { throw NameTooLong() }
    ///     }
    ///     "number": .integer.required.validate { (number: inout Int, _) in
    ///         if number < 1 { throw NoNumber() }
    ///     }
    ///
    /// The value is an optional, nil for null and unset. A property that is never null, because it is required or has a
    /// default, can be checked as the plain type; the check then does not run where there is no value.
    public func validate<Value: PropertyValue>(
        _ check: @escaping @Sendable (inout Value, ValidationContext) throws -> Void
    ) -> PropertySchema {
        with { $0.validators.append(PropertyValidator(check)) }
    }
}

/// `[]` or `[:]`, as the default of a property that says what the elements are.
public struct EmptyCollectionLiteral: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable {
    fileprivate let json: JSONValue

    /// Makes the value from the literal `[]`.
    public init(arrayLiteral elements: Never...) { json = [] }

    /// Makes the value from the literal `[:]`.
    public init(dictionaryLiteral elements: (Never, Never)...) { json = [:] }
}
