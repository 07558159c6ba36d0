import Pallium

/// Merges partial documents into models by the article *Merging*, slowly.
struct PlainMerge {
    let schemas: PlainSchemas

    /// Finds the instance that an object mentions in an import; nil for values.
    var instance: ((JSONObject, String) throws -> PlainModel?)?

    var reading: PlainReading { PlainReading(schemas: schemas, isPartial: true, instance: instance) }
    private var equality: PlainEquality { reading.equality }

    /// Merges a document into a root, which keeps its class.
    func merge(_ document: JSONValue, into model: PlainModel) throws {
        guard let object = document.objectValue else { throw PlainRefusal.unexpected(document) }
        if let said = reading.saidClass(of: object, declared: schemas.root), said != model.name {
            throw said.isEmpty ? PlainRefusal.unknownClass : .anotherClass(said)
        }
        try merge(object, into: model)
    }

    /// Merges an object into a model that takes it.
    func merge(_ object: JSONObject, into model: PlainModel) throws {
        let former = model.states
        for property in schemas.mergedProperties(of: model.name) {
            guard let said = object[property.key] else { continue }
            let own = model[property.key]
            model[property.key] = try merged(said, into: own, property, Stamps(former, object, property.policy))
        }
    }

    /// Whether an object is merged into a model, or says that it is another one.
    func takes(_ model: PlainModel, _ object: JSONObject, declared: String) throws -> Bool {
        if let said = reading.saidClass(of: object, declared: declared), said != model.name {
            if said.isEmpty { throw PlainRefusal.unknownClass }
            return false
        }
        guard let key = schemas.identity(of: model.name), let id = object[key], !id.isNull,
            case .scalar(let own)? = model[key].value
        else { return true }
        return id == own
    }

    /// The times of both sides that `newest` goes by.
    struct Stamps {
        var target: Int?
        var source: Int?

        init(_ target: [String: PlainState], _ source: JSONObject, _ policy: PlainPolicy) {
            guard case .newest(let key) = policy else { return }
            if case .scalar(let value)? = target[key]?.value { self.target = value.intValue }
            self.source = source[key]?.intValue
        }

        /// Whether the source is newer; what has no time is older.
        var takesSource: Bool {
            guard let target else { return true }
            return source.map { $0 > target } ?? false
        }
    }

    // MARK: Policies

    func merged(
        _ said: JSONValue, into own: PlainState, _ property: PlainProperty, _ stamps: Stamps
    ) throws -> PlainState {
        let policy = property.policy
        if said.isNull, policy.ignoresNull { return own }
        switch policy {
        case .none, .replace, .skipNull: return try taken(said, own, property)
        case .keep, .newest:
            let isFree = own.isUnset || own.isStandard
            if isFree || policy != .keep && stamps.takesSource { return try taken(said, own, property) }
            // A value that is not taken must be right, too.
            if !said.isNull { _ = try reading.value(said, property.kind) }
            return own
        case .max, .min:
            guard case .scalar(let target)? = own.value else { return try taken(said, own, property) }
            return (policy == .max) == isLess(target, said) && target != said ? .value(.scalar(said)) : own
        case .sum:
            guard case .scalar(let target)? = own.value else { return .value(.scalar(sum(nil, said, nil))) }
            let result = sum(target, said, nil)
            return result == target ? own : .value(.scalar(result))
        case .union, .append:
            guard let value = own.value else { return try taken(said, own, property) }
            let all = try combined(value, with: said, property, isUnion: policy == .union)
            return equality.areEqual(value, all, property.kind) ? own : .value(all)
        case .recurse(let removesMissing):
            guard !said.isNull, let value = own.value else { return try taken(said, own, property) }
            if let entries = value.entries {
                return .value(.entries(try merged(said, into: entries, property, removesMissing)))
            }
            if let object = said.objectValue, let declared = property.kind.modelName,
                let instance = try instance?(object, declared)
            {
                return .value(.model(instance))
            }
            guard let model = value.model, let object = said.objectValue,
                try takes(model, object, declared: property.kind.modelName ?? "")
            else { return try taken(said, own, property) }
            if instance != nil, schemas.identity(of: model.name) != nil {
                throw OpenQuestion("an object without an identifier that describes an instance")
            }
            try merge(object, into: model)
            return .value(value)
        case .byIdentifier:
            guard !said.isNull else { return try taken(said, own, property) }
            let elements = own.value?.elements?.compactMap(\.model) ?? []
            return .value(.elements(try merged(said, into: elements, property).map { .model($0) }))
        }
    }

    /// What the source says, in place of the own value; an equal value stays the same object.
    func taken(_ said: JSONValue, _ own: PlainState, _ property: PlainProperty) throws -> PlainState {
        let state = try reading.state(said, of: property)
        guard case .value(let new) = state, let value = own.value, equality.areEqual(value, new, property.kind) else {
            return state
        }
        return .value(value)
    }

    /// Numbers by value, text by its bytes.
    func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let left = left.intValue, let right = right.intValue { return left < right }
        return (left.stringValue ?? "").utf8.lexicographicallyPrecedes((right.stringValue ?? "").utf8)
    }

    func sum(_ target: JSONValue?, _ source: JSONValue?, _ base: JSONValue?) -> JSONValue {
        func number(_ value: JSONValue?) -> Int { value?.intValue ?? 0 }
        return .number(JSONNumber(number(target) + number(source) - number(base)))
    }

    private func combined(
        _ own: PlainValue, with said: JSONValue, _ property: PlainProperty, isUnion: Bool
    ) throws -> PlainValue {
        switch (property.kind, own) {
        case (.list(let element), .elements(let elements)), (.set(let element), .elements(let elements)):
            let other = try reading.value(said, property.kind).elements ?? []
            guard isUnion else { return .elements(elements + other) }
            return .elements(
                reading.distinct(other, element).reduce(into: elements) { all, value in
                    if !all.contains(where: { equality.areEqual($0, value, element) }) { all.append(value) }
                })
        case (.dictionary(let kind, let hasNull), .entries(let entries)):
            var entries = entries
            for (key, said) in said.objectValue ?? [:] {
                let index = entries.firstIndex { $0.key == key }
                if said.isNull, !hasNull {
                    if let index { entries.remove(at: index) }
                } else {
                    let value = said.isNull ? nil : try reading.value(said, kind)
                    guard let index else {
                        entries.append((key, value))
                        continue
                    }
                    if !equality.areEqual(entries[index].value, value, kind) { entries[index].value = value }
                }
            }
            return .entries(entries)
        default: return own
        }
    }

    // MARK: Models in collections

    private func merged(
        _ said: JSONValue, into entries: [(key: String, value: PlainValue?)], _ property: PlainProperty,
        _ removesMissing: Bool
    ) throws -> [(key: String, value: PlainValue?)] {
        guard let object = said.objectValue, case .dictionary(_, let hasNull) = property.kind,
            let declared = property.kind.modelName
        else { throw PlainRefusal.unexpected(said) }
        var entries = removesMissing ? entries.filter { object[$0.key] != nil } : entries
        for (key, said) in object {
            let index = entries.firstIndex { $0.key == key }
            guard !said.isNull else {
                switch (index, hasNull) {
                case (let index?, true): entries[index].value = nil
                case (let index?, false): entries.remove(at: index)
                case (nil, true): entries.append((key, nil))
                case (nil, false): break
                }
                continue
            }
            guard let part = said.objectValue else { throw PlainRefusal.unexpected(said) }
            let instance = try instance?(part, declared)
            if instance == nil, let model = index.flatMap({ entries[$0].value?.model }),
                try takes(model, part, declared: declared)
            {
                try merge(part, into: model)
            } else {
                let new = PlainValue.model(try instance ?? reading.model(said, declared: declared))
                if let index { entries[index].value = new } else { entries.append((key, new)) }
            }
        }
        return entries
    }

    /// The elements of a list after a merge by identifiers.
    func merged(_ said: JSONValue, into own: [PlainModel], _ property: PlainProperty) throws -> [PlainModel] {
        guard case .byIdentifier(_, let removesMissing, _) = property.policy, let declared = property.kind.modelName
        else { return own }
        let elements = try identified(said, property)
        var free: [PlainModel] = own
        let loose = own.filter { identifier(of: $0, property) == nil }
        var looseCount = 0
        var pairs: [(own: PlainModel?, result: PlainModel)] = []
        for element in elements {
            if let instance = try instance?(element.object, declared) {
                let isOwn = free.contains { $0 === instance }
                free.removeAll { $0 === instance }
                pairs.append((isOwn ? instance : nil, instance))
                continue
            }
            var match: PlainModel?
            if element.identifier != nil {
                match = free.first { identifier(of: $0, property) == element.identifier }
            } else {
                let new = try reading.model(.object(element.object), declared: declared)
                // A set has no positions.
                let candidates = property.kind.isSet ? free : Array(loose.dropFirst(looseCount).prefix(1))
                match = candidates.first { equality.areEqual($0, new) }
                looseCount += 1
            }
            free.removeAll { $0 === match }
            guard let match else {
                pairs.append((nil, try reading.model(.object(element.object), declared: declared)))
                continue
            }
            if element.identifier == nil {
                pairs.append((match, match))
            } else if try takes(match, element.object, declared: declared) {
                try merge(element.object, into: match)
                pairs.append((match, match))
            } else {
                pairs.append((match, try reading.model(.object(element.object), declared: declared)))
            }
        }
        if property.kind.isSet {
            let all = removesMissing ? [] : free
            return distinct(all + pairs.map(\.result), declared)
        }
        guard !removesMissing else { return pairs.map(\.result) }
        return own.map { model in pairs.first { $0.own === model }?.result ?? model }
            + pairs.filter { $0.own == nil }.map(\.result)
    }

    private func distinct(_ models: [PlainModel], _ declared: String) -> [PlainModel] {
        reading.distinct(models.map { .model($0) }, .model(declared)).compactMap(\.model)
    }

    /// The elements of a document with their identifiers, of which each may stand there once.
    func identified(
        _ said: JSONValue, _ property: PlainProperty
    ) throws -> [(object: JSONObject, identifier: JSONValue?)] {
        guard case .byIdentifier(_, _, let isRequired) = property.policy, let key = schemas.identifier(of: property),
            let elements = said.arrayValue
        else { throw PlainRefusal.unexpected(said) }
        var seen: [JSONValue] = []
        return try elements.map { element in
            guard let object = element.objectValue else { throw PlainRefusal.nullNotAllowed(property.key) }
            guard let identifier = object[key], !identifier.isNull else {
                if isRequired { throw PlainRefusal.withoutIdentifier(property.key) }
                return (object, nil)
            }
            if seen.contains(identifier) { throw PlainRefusal.twins(property.key) }
            seen.append(identifier)
            return (object, identifier)
        }
    }

    func identifier(of model: PlainModel, _ property: PlainProperty) -> JSONValue? {
        guard let key = schemas.identifier(of: property), case .scalar(let own)? = model[key].value else { return nil }
        return own
    }
}

extension PlainSchemas {
    /// The properties of a class with the policies that count: what another property goes by merges by `max`.
    func mergedProperties(of name: String) -> [PlainProperty] {
        let properties = properties(of: name)
        return properties.map { property in
            var property = property
            if property.policy == .none, properties.contains(where: { $0.policy == .newest(by: property.key) }) {
                property.policy = .max
            }
            return property
        }
    }
}
