import Pallium

/// A document that the articles refuse.
enum PlainRefusal: Error {
    case missing(String)
    case nullNotAllowed(String)
    case anotherClass(String)
    case unknownClass
    case twins(String)
    case withoutIdentifier(String)
    case unexpected(JSONValue)
    case anotherIdentity
}

/// Decodes complete documents by the articles *Schemas* and *Clusters*.
struct PlainReading {
    let schemas: PlainSchemas
    /// Whether null entries of dictionaries whose values cannot be null are left out, as in partial documents.
    var isPartial = false

    /// Finds the instance that an object mentions in an import; nil for values.
    var instance: ((JSONObject, String) throws -> PlainModel?)?

    var equality: PlainEquality { PlainEquality(schemas: schemas, comparesInstances: instance != nil) }

    /// The class that an object says it has; nil if it says nothing.
    func saidClass(of object: JSONObject, declared: String) -> String? {
        guard let text = object[PlainSchemas.discriminator]?.stringValue, !schemas[declared].choices.isEmpty else {
            return nil
        }
        return schemas[declared].choices[text] ?? schemas[declared].standardChoice ?? ""
    }

    /// A complete model; in an import, other mentions may complete it.
    func model(_ said: JSONValue, declared: String) throws -> PlainModel {
        guard let object = said.objectValue else { throw PlainRefusal.unexpected(said) }
        if let instance = try instance?(object, declared) { return instance }
        var name = declared
        if !schemas[declared].choices.isEmpty {
            name = saidClass(of: object, declared: declared) ?? schemas[declared].standardChoice ?? ""
            if name.isEmpty { throw PlainRefusal.unknownClass }
        }
        let model = PlainModel(name)
        model.isNew = true
        for property in schemas.properties(of: name) {
            if let said = object[property.key] {
                model[property.key] = try state(said, of: property)
            } else if instance == nil {
                model[property.key] = try absent(property)
            }
        }
        return model
    }

    /// The state of a property that a complete document does not name.
    func absent(_ property: PlainProperty) throws -> PlainState {
        if let standard = property.standard { return .standard(try value(standard, property.kind)) }
        if property.isRequired { throw PlainRefusal.missing(property.key) }
        return .unset
    }

    /// The state that a member gives where nothing is merged.
    func state(_ said: JSONValue, of property: PlainProperty) throws -> PlainState {
        if !said.isNull { return .value(try value(said, property.kind)) }
        if property.takesNull { return .null }
        guard let standard = property.standard else { throw PlainRefusal.nullNotAllowed(property.key) }
        return .standard(try value(standard, property.kind))
    }

    func value(_ said: JSONValue, _ kind: PlainKind) throws -> PlainValue {
        switch kind {
        case .integer, .double, .text, .json: return .scalar(said)
        case .model(let name): return .model(try model(said, declared: name))
        case .list(let element):
            guard let elements = said.arrayValue else { throw PlainRefusal.unexpected(said) }
            return .elements(try elements.map { try notNull($0, element) })
        case .set(let element):
            guard let elements = said.arrayValue else { throw PlainRefusal.unexpected(said) }
            return .elements(distinct(try elements.map { try notNull($0, element) }, element))
        case .dictionary(let value, let hasNull):
            guard let object = said.objectValue else { throw PlainRefusal.unexpected(said) }
            return .entries(
                try object.compactMap { key, said -> (key: String, value: PlainValue?)? in
                    if !said.isNull { return (key, try self.value(said, value)) }
                    if hasNull { return (key, nil) }
                    guard isPartial else { throw PlainRefusal.nullNotAllowed(key) }
                    return nil
                })
        }
    }

    private func notNull(_ said: JSONValue, _ kind: PlainKind) throws -> PlainValue {
        if said.isNull { throw PlainRefusal.nullNotAllowed("an element") }
        return try value(said, kind)
    }

    /// The elements without those that are there already, in the order of first appearance.
    func distinct(_ elements: [PlainValue], _ kind: PlainKind) -> [PlainValue] {
        elements.reduce(into: []) { distinct, element in
            if !distinct.contains(where: { equality.areEqual($0, element, kind) }) { distinct.append(element) }
        }
    }
}
