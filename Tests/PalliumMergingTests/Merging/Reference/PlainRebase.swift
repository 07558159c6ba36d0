import Pallium

/// A question that the article leaves open; its case is not compared.
struct OpenQuestion: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Rebases models with a base and edits onto partial documents by the article *Merging*, slowly.
///
/// A pointer has `#` for the position of an element.
struct PlainRebase {
    let schemas: PlainSchemas
    private(set) var conflicts: [String] = []

    var merging: PlainMerge { PlainMerge(schemas: schemas) }
    var equality: PlainEquality { PlainEquality(schemas: schemas) }

    init(schemas: PlainSchemas) { self.schemas = schemas }

    /// A property of a model that is compared, with both sides of it.
    struct Place {
        let property: PlainProperty
        let local: PlainModel
        let base: PlainModel
        let pointer: String
        let stamps: PlainMerge.Stamps
        /// Whether all values of the model are edits, because it was put in where the base has none.
        let isPutIn: Bool
        /// Whether the base is made for a model that the base before did not have.
        let isBaseNew: Bool
        var key: String { property.key }
    }

    mutating func rebase(_ model: PlainModel, onto document: JSONValue) throws {
        guard let object = document.objectValue, let base = model.base else { throw PlainRefusal.unexpected(document) }
        if let said = merging.reading.saidClass(of: object, declared: schemas.root), said != model.name {
            throw said.isEmpty ? PlainRefusal.unknownClass : .anotherClass(said)
        }
        try rebase(object, local: model, base: base, isPutIn: false, at: "")
    }

    mutating func rebase(
        _ object: JSONObject, local: PlainModel, base: PlainModel, isPutIn: Bool, at pointer: String
    ) throws {
        let former = local.states
        let isBaseNew = base.isNew
        for property in schemas.mergedProperties(of: local.name) {
            guard let said = object[property.key], !(said.isNull && property.policy.ignoresNull) else { continue }
            let place = Place(
                property: property, local: local, base: base, pointer: "\(pointer)/\(property.key)",
                stamps: PlainMerge.Stamps(former, object, property.policy), isPutIn: isPutIn,
                isBaseNew: isBaseNew)
            try rebase(said, place)
        }
        local.base = base
        base.isNew = false
    }

    private mutating func rebase(_ said: JSONValue, _ place: Place) throws {
        let property = place.property
        if said.isNull, property.isRequired, [.keep, .sum].contains(property.policy) {
            throw OpenQuestion("a null that is not allowed, under a policy that need not take it")
        }
        if said.isNull, case .dictionary = property.kind, !property.takesNull, let standard = property.standard {
            return try rebase(standard, place)
        }
        let (local, base) = (place.local[place.key].value, place.base[place.key].value)
        switch (place.property.policy, place.property.kind) {
        case (.recurse, .model) where !said.isNull: try rebaseModel(said, place)
        case (.byIdentifier, _) where !said.isNull:
            guard let local = local?.elements?.compactMap(\.model) else {
                return decide(try source(said, place, partsOf: base), place)
            }
            try rebaseElements(said, local: local, base: base?.elements?.compactMap(\.model) ?? [], place)
        case (let policy, .dictionary) where !said.isNull && policy != .sum:
            guard let local = local?.entries else { return decide(try source(said, place, partsOf: base), place) }
            try rebaseEntries(said, local: local, base: base?.entries ?? [], place)
        default: decide(try merging.reading.state(said, of: place.property), place)
        }
    }

    /// What a document says about a collection that the model does not have: its parts belong to those of the base.
    private func source(_ said: JSONValue, _ place: Place, partsOf base: PlainValue?) throws -> PlainState {
        guard
            [.recurse(removesMissing: false), .recurse(removesMissing: true), .union].contains(place.property.policy)
                || schemas.identifier(of: place.property) != nil
        else { return try merging.reading.state(said, of: place.property) }
        guard let base else { return try merging.merged(said, into: .unset, place.property, place.stamps) }
        let (holder, former) = (PlainModel(place.local.name), PlainModel(place.local.name))
        former[place.key] = .value(base.copied())
        holder[place.key] = .value(base.copied())
        follow(holder[place.key], former[place.key])
        var other = PlainRebase(schemas: schemas)
        try other.rebase(
            said,
            Place(
                property: place.property, local: holder, base: former, pointer: "", stamps: place.stamps,
                isPutIn: false, isBaseNew: false))
        return holder[place.key]
    }

    /// What a document makes of a model of the base that the model does not have: what it says, whatever the policies.
    func source(_ object: JSONObject, of base: PlainModel) throws -> PlainModel {
        let part = base.copied()
        part.follow(base.copied())
        guard let former = part.base else { return part }
        var other = PlainRebase(schemas: schemas)
        try other.rebase(object, local: part, base: former, isPutIn: false, at: "")
        return part
    }

    // MARK: One value

    /// The table of three sides, for a property as one value.
    mutating func decide(_ source: PlainState, _ place: Place) {
        let key = place.key
        let (local, base) = (place.local[key], place.base[key])
        func same(_ left: PlainState, _ right: PlainState) -> Bool {
            equality.areEqual(left.value, right.value, place.property.kind)
        }
        let isEdited = !same(local, base) || place.isPutIn && local.value != nil
        let saysNothing = !place.isBaseNew && same(source, base)
        // A default that the source says is a value.
        let isSaid = local.isStandard && source.value != nil && !source.isStandard
        if saysNothing, !isEdited, !isSaid, !(local.isUnset && source.value == nil) {
            // Nothing happens.
        } else if !isEdited {
            place.local[key] = same(source, local) ? source.keeping(local.value) : source
        } else if saysNothing || same(source, local) {
            // The edit stays.
        } else {
            conflicts.append(place.pointer)
            place.local[key] = decided(source, place)
        }
        place.base[key] = source.copied()
        if same(place.local[key], source) { follow(place.local[key], place.base[key]) }
    }

    private func follow(_ local: PlainState, _ base: PlainState) {
        for (own, other) in zip(local.value?.models ?? [], base.value?.models ?? []) { own.follow(other) }
    }

    /// What the policy makes of a conflict.
    private func decided(_ source: PlainState, _ place: Place) -> PlainState {
        let (local, base) = (place.local[place.key], place.base[place.key])
        func scalar(_ state: PlainState) -> JSONValue? {
            if case .scalar(let value)? = state.value { value } else { nil }
        }
        switch place.property.policy {
        case .replace: return source
        case .newest: return local.isUnset || local.isStandard || place.stamps.takesSource ? source : local
        case .max, .min:
            guard let own = scalar(local), let other = scalar(source) else {
                return local.value == nil ? source : local
            }
            return (place.property.policy == .max) == merging.isLess(own, other) ? source : local
        case .sum: return .value(.scalar(merging.sum(scalar(local), scalar(source), scalar(base))))
        case .union: return united(local, source, base, place.property)
        case .append:
            return .value(.elements((local.value?.elements ?? []) + (source.value?.elements ?? [])))
        default: return local
        }
    }

    /// What each side added is added, what each side removed is removed.
    private func united(
        _ local: PlainState, _ source: PlainState, _ base: PlainState, _ property: PlainProperty
    ) -> PlainState {
        guard let element = property.kind.element else {
            // A dictionary that the model does not have: what the source changed is taken.
            guard case .dictionary(let kind, _) = property.kind else { return local }
            let known = base.value?.entries ?? []
            let changed = (source.value?.entries ?? []).filter { entry in
                !known.contains { $0.key == entry.key && equality.areEqual($0.value, entry.value, kind) }
            }
            return changed.isEmpty ? local : .value(.entries(changed))
        }
        func has(_ state: PlainState, _ value: PlainValue) -> Bool {
            (state.value?.elements ?? []).contains { equality.areEqual($0, value, element) }
        }
        let own = (local.value?.elements ?? []).filter { has(source, $0) || !has(base, $0) }
        var other: [PlainValue] = []
        for value in source.value?.elements ?? [] where !has(local, value) && !has(base, value) {
            if !has(.value(.elements(other)), value) { other.append(value) }
        }
        // Without anything added, a list that an edit removed stays removed.
        if local.value == nil, other.isEmpty { return local }
        return .value(.elements(own + other))
    }

    mutating func addConflict(_ pointer: String) { conflicts.append(pointer) }

    // MARK: One model

    private mutating func rebaseModel(_ said: JSONValue, _ place: Place) throws {
        guard let object = said.objectValue, let declared = place.property.kind.modelName else {
            throw PlainRefusal.unexpected(said)
        }
        let (local, base) = (place.local[place.key].value?.model, place.base[place.key].value?.model)
        if let local {
            guard try merging.takes(local, object, declared: declared) else {
                return decide(.value(.model(try whole(said, base, declared))), place)
            }
            if place.isBaseNew { throw OpenQuestion("a model inside one that the base does not have") }
            let known = try self.base(of: local, known: base, object)
            place.base[place.key] = .value(.model(known))
            try rebase(
                object, local: local, base: known, isPutIn: known.isNew, at: place.pointer)
        } else {
            decide(.value(.model(try whole(said, base, declared))), place)
        }
    }

    /// What a document says of a model that is not the one of the model: of the one in the base, or of a new one.
    func whole(_ said: JSONValue, _ base: PlainModel?, _ declared: String) throws -> PlainModel {
        if let base, let object = said.objectValue, try merging.takes(base, object, declared: declared) {
            return try source(object, of: base)
        }
        return try merging.reading.model(said, declared: declared)
    }

    /// The base of a model that a document describes: the known one if that is the same model, otherwise a new one, which
    /// has what must be there from the model, and defaults.
    func base(of local: PlainModel, known: PlainModel?, _ object: JSONObject) throws -> PlainModel {
        if let known {
            if known.name == local.name, sameIdentity(known, local) { return known }
            // An object without a class may describe the model of the base, too.
            guard let key = schemas.identity(of: local.name), object[key] != nil,
                object[PlainSchemas.discriminator] != nil || !sameIdentity(known, local)
            else { throw OpenQuestion("a part of a model whose place in the base another one has") }
        }
        let base = PlainModel(local.name)
        base.isNew = true
        for property in schemas.mergedProperties(of: local.name) {
            let said = object[property.key]
            guard said.map({ $0.isNull && property.policy.ignoresNull }) ?? true else { continue }
            base[property.key] =
                property.isRequired ? local[property.key].copied() : try merging.reading.absent(property)
        }
        return base
    }

    func sameIdentity(_ left: PlainModel, _ right: PlainModel) -> Bool {
        guard let key = schemas.identity(of: left.name), let property = schemas.property(key, of: left.name) else {
            return true
        }
        return equality.areEqual(left[key].value, right[key].value, property.kind)
    }
}

extension PlainState {
    /// The same state with an equal value, whose models stay.
    func keeping(_ value: PlainValue?) -> PlainState {
        if case .value = self, let value { .value(value) } else { self }
    }
}

extension PlainKind {
    var isSet: Bool { if case .set = self { true } else { false } }

    /// The kind of the elements of an array or a set.
    var element: PlainKind? {
        switch self {
        case .list(let element), .set(let element): element
        default: nil
        }
    }
}
