import Pallium

extension PlainRebase {
    // MARK: Dictionaries

    /// Decides about each entry by itself, as about a property.
    mutating func rebaseEntries(
        _ said: JSONValue, local: [(key: String, value: PlainValue?)], base: [(key: String, value: PlainValue?)],
        _ place: Place
    ) throws {
        guard let object = said.objectValue, case .dictionary(let kind, let hasNull) = place.property.kind else {
            throw PlainRefusal.unexpected(said)
        }
        var result = Entries(local)
        var known = Entries(base)
        let saysOnlySome = [.union, .recurse(removesMissing: false)].contains(place.property.policy)
        for key in Set(local.map(\.key) + base.map(\.key) + object.keys).sorted() {
            if object[key] == nil, saysOnlySome { continue }
            let entry = EntryPlace(
                holder: place, key: key, kind: kind, hasNull: hasNull, local: result[key], base: known[key])
            let outcome = try rebaseEntry(object[key], entry)
            result[key] = outcome.local
            known[key] = outcome.base
        }
        let all = PlainValue.entries(result.all)
        // What says the same as the default stays the default.
        if !place.local[place.key].isStandard
            || !equality.areEqual(place.local[place.key].value, all, place.property.kind)
        {
            place.local[place.key] = .value(all)
        }
        place.base[place.key] = .value(.entries(known.all))
    }

    /// Entries in order, of which each is unset if it is not there.
    private struct Entries {
        var all: [(key: String, value: PlainValue?)]

        init(_ all: [(key: String, value: PlainValue?)]) { self.all = all }

        subscript(key: String) -> PlainState {
            get { all.first { $0.key == key }.map { $0.value.map { .value($0) } ?? .null } ?? .unset }
            set {
                let index = all.firstIndex { $0.key == key }
                switch (index, newValue) {
                case (let index?, .unset): all.remove(at: index)
                case (nil, .unset): break
                case (let index?, _): all[index].value = newValue.value
                case (nil, _): all.append((key, newValue.value))
                }
            }
        }
    }

    private struct EntryPlace {
        let holder: Place
        let key: String
        let kind: PlainKind
        let hasNull: Bool
        let local: PlainState
        let base: PlainState
        var pointer: String { "\(holder.pointer)/\(key)" }
    }

    private mutating func rebaseEntry(
        _ said: JSONValue?, _ entry: EntryPlace
    ) throws -> (local: PlainState, base: PlainState) {
        var source = PlainState.unset
        if let said {
            if said.isNull {
                source = entry.hasNull ? .null : .unset
            } else if case .recurse = entry.holder.property.policy, let object = said.objectValue,
                let declared = entry.kind.modelName
            {
                if let local = entry.local.value?.model, try merging.takes(local, object, declared: declared) {
                    let known = try base(of: local, known: entry.base.value?.model, object)
                    try rebase(
                        object, local: local, base: known, isPutIn: known.isNew, at: entry.pointer)
                    return (entry.local, .value(.model(known)))
                }
                source = .value(.model(try whole(said, entry.base.value?.model, declared)))
            } else {
                source = .value(try merging.reading.value(said, entry.kind))
            }
        }
        return (decided(source, entry), source.copied())
    }

    private mutating func decided(_ source: PlainState, _ entry: EntryPlace) -> PlainState {
        func same(_ left: PlainState, _ right: PlainState) -> Bool {
            left.isUnset == right.isUnset && equality.areEqual(left.value, right.value, entry.kind)
        }
        let isEdited = !same(entry.local, entry.base) || entry.holder.isPutIn && !entry.local.isUnset
        if !isEdited { return same(source, entry.local) ? entry.local : source }
        if same(source, entry.base) || same(source, entry.local) { return entry.local }
        addConflict(entry.pointer)
        switch entry.holder.property.policy {
        case .replace: return source
        case .newest: return entry.holder.stamps.takesSource ? source : entry.local
        case .union: return source.isUnset ? entry.local : source
        default: return entry.local
        }
    }

    // MARK: Lists

    /// The elements of all sides with one number for each that is the same.
    private struct Numbers {
        var identifiers: [JSONValue] = []
        var values: [(model: PlainModel, occurrence: Int)] = []

        mutating func number(_ models: [PlainModel], _ rebase: PlainRebase, _ property: PlainProperty) -> [Int] {
            var loose: [PlainModel] = []
            return models.map { model in
                if let identifier = rebase.merging.identifier(of: model, property) {
                    if let index = identifiers.firstIndex(of: identifier) { return index * 2 }
                    identifiers.append(identifier)
                    return (identifiers.count - 1) * 2
                }
                let occurrence =
                    property.kind.isSet ? 0 : loose.count
                loose.append(model)
                let index = values.firstIndex {
                    $0.occurrence == occurrence && rebase.equality.areEqual($0.model, model)
                }
                if let index { return index * 2 + 1 }
                values.append((model.copied(), occurrence))
                return (values.count - 1) * 2 + 1
            }
        }
    }

    /// Compares a list element by element.
    mutating func rebaseElements(
        _ said: JSONValue, local: [PlainModel], base: [PlainModel], _ place: Place
    ) throws {
        guard case .byIdentifier(_, let removesMissing, _) = place.property.policy,
            let declared = place.property.kind.modelName
        else { return }
        var numbers = Numbers()
        let baseNumbers = numbers.number(base, self, place.property)
        let localNumbers = numbers.number(local, self, place.property)
        let pointer = "\(place.pointer)/#"
        var results = Dictionary(zip(localNumbers, local), uniquingKeysWith: { first, _ in first })
        var bases = Dictionary(zip(baseNumbers, base), uniquingKeysWith: { first, _ in first })
        var incoming: [Int] = []
        var looseParts: [PlainModel] = []
        for element in try merging.identified(said, place.property) {
            if element.identifier == nil {
                let model = try merging.reading.model(.object(element.object), declared: declared)
                looseParts.append(model)
                let number = numbers.number(looseParts, self, place.property)[looseParts.count - 1]
                // A set holds equal elements once.
                if incoming.contains(number) { continue }
                incoming.append(number)
                if bases[number] == nil {
                    if results[number] == nil { results[number] = model }
                    bases[number] = model.copied()
                }
                continue
            }
            let probe = PlainModel(declared)
            if let key = schemas.identifier(of: place.property), let identifier = element.identifier {
                probe[key] = .value(.scalar(identifier))
            }
            let number = numbers.number([probe], self, place.property)[0]
            incoming.append(number)
            let outcome = try rebaseElement(element.object, results[number], bases[number], declared, pointer, place)
            results[number] = outcome.local
            bases[number] = outcome.base
        }
        if removesMissing {
            for number in Set(baseNumbers).union(localNumbers).subtracting(incoming).sorted() {
                let former = bases.removeValue(forKey: number)
                guard let former, let local = results[number] else { continue }
                if !equality.areEqual(local, former) { addConflict(pointer) } else { results[number] = nil }
            }
        }
        try arrange(results, bases, baseNumbers, localNumbers, incoming, removesMissing, place)
    }

    private mutating func rebaseElement(
        _ object: JSONObject, _ local: PlainModel?, _ base: PlainModel?, _ declared: String, _ pointer: String,
        _ place: Place
    ) throws -> (local: PlainModel?, base: PlainModel?) {
        if let local {
            if try merging.takes(local, object, declared: declared) {
                let known = try self.base(of: local, known: base, object)
                try rebase(
                    object, local: local, base: known, isPutIn: known.isNew, at: pointer)
                return (local, known)
            }
            let source = try whole(.object(object), base, declared)
            if !place.isPutIn, let base, equality.areEqual(local, base) {
                return (source, source.copied())
            }
            addConflict(pointer)
            return (local, source.copied())
        }
        guard let base else {
            let new = try merging.reading.model(.object(object), declared: declared)
            return (new, new.copied())
        }
        let source = try whole(.object(object), base, declared)
        if !equality.areEqual(source, base) { addConflict(pointer) }
        return (nil, source)
    }

    /// Puts the elements into the order of the article.
    private mutating func arrange(
        _ results: [Int: PlainModel], _ bases: [Int: PlainModel], _ baseNumbers: [Int], _ localNumbers: [Int],
        _ incoming: [Int], _ removesMissing: Bool, _ place: Place
    ) throws {
        var order = localNumbers.filter { results[$0] != nil }
        order += incoming.filter { results[$0] != nil && !localNumbers.contains($0) }
        var baseOrder = baseNumbers.filter { bases[$0] != nil }
        baseOrder += incoming.filter { bases[$0] != nil && !baseNumbers.contains($0) }
        if removesMissing {
            let placed = SlowElementOrder(
                base: baseNumbers, local: localNumbers, incoming: incoming, survives: { results[$0] != nil })
            if case .list = place.property.kind {
                order = placed.elements
                for _ in placed.conflicts { addConflict("\(place.pointer)/#") }
            }
            baseOrder = incoming
        }
        func list(_ numbers: [Int], _ models: [Int: PlainModel]) -> PlainState {
            .value(.elements(numbers.compactMap { models[$0] }.map { .model($0) }))
        }
        place.local[place.key] = list(order, results)
        place.base[place.key] = list(baseOrder, bases)
    }
}
