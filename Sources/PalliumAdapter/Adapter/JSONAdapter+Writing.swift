public import Foundation
public import PalliumCore
public import PalliumJSON

// Encodes models.
extension JSONAdapter {
    /// Writes a model as JSON text.
    ///
    /// The same adapter can decode the result as a model of the same class, unless a required property that is only
    /// read is missing, or `only:`, `except:` and `redacting:` leave something out.
    ///
    /// - Parameters:
    ///   - model: The model; a model of a subclass is written by its own schema.
    ///   - only: The properties to write; all that are mapped unless given.
    ///   - except: The properties not to write.
    ///   - redaction: What is written in place of values with labels; the values unless given.
    /// - Throws: ``ModelError`` with the JSON Pointer of the value that cannot be written: a required property without
    ///   a value, a value that JSON does not have, a transformer without a reverse, a model that its cluster would read
    ///   as another one, a cycle, nesting beyond the limit, an unknown key or label.
    /// - Complexity: O(*n*) in the size of the text.
    public func data(
        from model: Model, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> Data {
        try write(only, except, redaction) { encoder throws(ModelError) in try encoder.encode(model) }
    }

    /// Writes models as a JSON array.
    ///
    /// - Throws: ``ModelError`` as for one model; the pointer begins with the position in the array.
    public func data(
        from models: [Model], only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> Data {
        try write(only, except, redaction) { encoder throws(ModelError) in try encoder.encode(models) }
    }

    /// Writes a model as a tree.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``.
    public func jsonValue(
        from model: Model, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> JSONValue {
        var encoder = ModelEncoder(
            plans: try plans(only: only, except: except, redacting: redaction), options: options,
            filter: PropertyFilter(only: only, except: except), redaction: redaction, capacity: 1024)
        try encoder.encode(model)
        return try encoder.written(from: 0)
    }

    /// Writes a model as a dictionary of Foundation's JSON types: `String`, `NSNumber`, `NSNull`, arrays and dictionaries.
    ///
    /// - Throws: ``ModelError`` as ``data(from:only:except:redacting:)-(Model,_,_,_)``, and with the code `notConvertible` for
    ///   values that these types cannot hold: a number beyond `Double` and `Decimal`, two names that are equal Swift
    ///   strings.
    public func jsonObject(
        from model: Model, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> [String: Any] {
        try members(of: model, only: only, except: except, redacting: redaction).foundationDictionary()
    }

    /// Writes models as dictionaries of Foundation's JSON types.
    ///
    /// - Throws: ``ModelError`` as for one model; the pointer begins with the position in the array.
    public func jsonObjects(
        from models: [Model], only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> [[String: Any]] {
        var objects: [[String: Any]] = []
        objects.reserveCapacity(models.count)
        for index in models.indices {
            let model = models[index]
            do throws(ModelError) {
                objects.append(try jsonObject(from: model, only: only, except: except, redacting: redaction))
            } catch {
                throw error.under(index: index)
            }
        }
        return objects
    }

    // MARK: How

    /// Returns the projection for selections by keys and a redaction, within that of the adapter; nil if everything is
    /// written as it is.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key with a meaningless backslash.
    func projection(
        only: PropertySelection?, except: PropertySelection?, redacting redaction: Redaction? = nil
    ) throws(ModelError) -> Projection? {
        if let key = only?.malformed ?? except?.malformed {
            throw ModelError(
                .unknownKey, expected: "a backslash only in front of a dot or a backslash",
                found: ModelError.quote(key),
                schema: schema.name)
        }
        let own = plans.projection?.to
        let asked = Projection(
            only: [only?.tree].compactMap(\.self), except: [except?.tree].compactMap(\.self),
            redaction: redaction?.rules ?? [:])
        guard let asked else { return own }
        return own?.intersected(with: asked) ?? asked
    }

    /// Returns the plans for the selections by keys and the redaction of a call.
    func plans(
        only: PropertySelection?, except: PropertySelection?, redacting redaction: Redaction?
    ) throws(ModelError) -> JSONPlanSet {
        if only == nil, except == nil, redaction == nil { return plans }
        guard let projection = try projection(only: only, except: except, redacting: redaction) else { return plans }
        return try projections.plans(for: projection)
    }

    /// Encodes a model that may lack required properties, and marks which arrays are sets.
    package func document(of model: Model) throws(ModelError) -> MarkedDocument {
        try document(of: model, isPartial: true, marking: .sets)
    }

    /// Encodes a model, and marks what its schema knows about the values.
    package func document(
        of model: Model, isPartial: Bool, marking markedValues: MarkedValues
    ) throws(ModelError) -> MarkedDocument {
        var encoder = ModelEncoder(
            plans: plans, options: options, isPartial: isPartial, markedValues: markedValues, capacity: 1024)
        try encoder.encode(model)
        return MarkedDocument(try encoder.written(from: 0), marks: encoder.marks)
    }

    /// The members of a model's document, which is always an object.
    func members(
        of model: Model, only: PropertySelection? = nil, except: PropertySelection? = nil,
        redacting redaction: Redaction? = nil
    ) throws(ModelError) -> JSONObject {
        try jsonValue(from: model, only: only, except: except, redacting: redaction).objectValue ?? JSONObject()
    }

    private func write(
        _ only: PropertySelection?, _ except: PropertySelection?, _ redaction: Redaction?,
        _ body: (inout ModelEncoder) throws(ModelError) -> Void
    ) throws(ModelError) -> Data {
        var encoder = ModelEncoder(
            plans: try plans(only: only, except: except, redacting: redaction), options: options,
            filter: PropertyFilter(only: only, except: except), redaction: redaction, capacity: 4096)
        try body(&encoder)
        try encoder.applyStyle(from: 0)
        return encoder.takeData()
    }
}
