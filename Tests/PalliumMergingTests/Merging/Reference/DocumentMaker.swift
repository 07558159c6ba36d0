import Pallium
import TestSupport

/// Draws documents about the classes of any schemas.
///
/// Values come from small ranges, so that equal ones, equal identities and everything between meet often.
struct DocumentMaker {
    let schemas: PlainSchemas
    var numbers: SeededGenerator
    /// How many of a hundred members that may be absent are there.
    var presence = 50
    /// How many of a hundred members are null.
    var nulls = 15
    /// Whether documents may be refused: twins in lists, unknown classes, nulls, identities that are missing.
    var hasMistakes = true
    /// How many of a hundred members of a part are missing though they are required.
    var gaps = 15

    init(schemas: PlainSchemas, seed: Int) {
        self.schemas = schemas
        numbers = SeededGenerator(seed: seed)
    }

    mutating func chance(_ percent: Int) -> Bool { numbers.below(100) < percent }

    /// A document about a root.
    mutating func document(isComplete: Bool = false) -> JSONValue {
        .object(object(of: schemas.root, isComplete: isComplete, depth: 2))
    }

    /// An object of a class or of one that its cluster chooses.
    mutating func object(of declared: String, isComplete: Bool, depth: Int) -> JSONObject {
        var object: JSONObject = [:]
        var name = declared
        let choices = schemas[declared].choices.sorted { $0.key < $1.key }
        if !choices.isEmpty {
            let choice = numbers.pick(choices)
            name = choice.value
            // Without a text, what is complete is one of the standard class.
            if chance(70) || !hasMistakes && schemas[declared].standardChoice == nil {
                object[PlainSchemas.discriminator] = .string(choice.key)
            } else if chance(40) {
                object[PlainSchemas.discriminator] = .null
            } else if hasMistakes, chance(20) {
                object[PlainSchemas.discriminator] = "unknown"
            }
        }
        let identity = hasMistakes ? nil : schemas.identity(of: name)
        for property in schemas.properties(of: name) {
            let isNeeded = property.isRequired && (isComplete || property.key == identity || !chance(gaps))
            if case .model = property.kind, depth <= 0 { continue }
            guard isNeeded || !property.isRequired && chance(presence) else { continue }
            object[property.key] = member(property, isComplete: isComplete, depth: depth)
        }
        return object
    }

    /// What a member of a document says about a property.
    mutating func member(_ property: PlainProperty, isComplete: Bool, depth: Int) -> JSONValue {
        let takesNull = isComplete ? property.takesNull : !property.isRequired || hasMistakes && chance(10)
        if takesNull, chance(nulls) { return .null }
        return value(property, isComplete: isComplete || !isPartial(property), depth: depth)
    }

    /// Whether an object in a property may be merged in place.
    private func isPartial(_ property: PlainProperty) -> Bool {
        switch property.policy {
        case .recurse, .byIdentifier: true
        default: false
        }
    }

    mutating func value(_ property: PlainProperty, isComplete: Bool, depth: Int) -> JSONValue {
        switch property.kind {
        case .list(.model(let name)), .set(.model(let name)):
            return .array(elements(of: name, property, isComplete: isComplete, depth: depth))
        case .dictionary(let kind, let hasNull):
            let keys = shuffled(["k", "l", "m"]).prefix(numbers.below(4))
            return .object(
                JSONObject(
                    keys.map { key in
                        let isNull = isComplete ? hasNull && chance(20) : chance(20)
                        return (key, isNull ? .null : value(kind, isComplete: isComplete, depth: depth))
                    }))
        default: return value(property.kind, isComplete: isComplete, depth: depth)
        }
    }

    private mutating func value(_ kind: PlainKind, isComplete: Bool, depth: Int) -> JSONValue {
        switch kind {
        case .integer, .double: return .number(JSONNumber(numbers.below(4)))
        case .text: return .string(numbers.pick(["", "a", "b", "é"]))
        case .json: return numbers.pick([1, "a", true, ["b"], ["k": ["l": 1]]])
        case .model(let name): return .object(object(of: name, isComplete: isComplete || !chance(60), depth: depth - 1))
        case .list(let element), .set(let element):
            return .array(
                shuffled([0, 1, 2, 3]).prefix(numbers.below(4)).map { number in
                    element == .text ? .string("t\(number)") : .number(JSONNumber(number))
                })
        case .dictionary: return [:]
        }
    }

    private mutating func elements(
        of name: String, _ property: PlainProperty, isComplete: Bool, depth: Int
    ) -> [JSONValue] {
        guard depth > 0 else { return [] }
        let identifier = schemas.identifier(of: property) ?? schemas.identity(of: name)
        let free = shuffled([0, 1, 2, 3])
        let elements = (0..<numbers.below(4)).map { index -> JSONValue in
            var object = object(of: name, isComplete: isComplete || !chance(60), depth: depth - 1)
            guard let identifier, let described = schemas.property(identifier, of: name) else { return .object(object) }
            // Most are told apart; some have no identifier.
            let number = hasMistakes && !isComplete && !property.kind.isSet && chance(2) ? 0 : free[index]
            let hasNone = !described.isRequired && chance(50) || object[identifier] == nil && described.isRequired
            if hasNone {
                if chance(70) { object[identifier] = nil } else if !described.isRequired { object[identifier] = .null }
            } else {
                object[identifier] = described.kind == .text ? .string("t\(number)") : .number(JSONNumber(number))
            }
            return .object(object)
        }
        guard property.policy == .union else { return elements }
        // The article does not say whether elements that a document repeats are united with one another.
        func said(_ element: JSONValue) -> JSONObject {
            JSONObject((element.objectValue ?? [:]).filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        }
        return elements.reduce(into: []) { distinct, element in
            if !distinct.contains(where: { said($0) == said(element) }) { distinct.append(element) }
        }
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for index in elements.indices.dropFirst().reversed() { elements.swapAt(index, numbers.below(index + 1)) }
        return elements
    }
}
