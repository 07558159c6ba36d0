import Pallium
import TestSupport
import Testing

/// What the cases of a test are about.
enum MergeTheme: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case scalars, lists, sets, dictionaries, models, clusters
    case dictionariesOfModels = "dictionaries of models"
    case identifiers
    case looseElements = "elements without identifiers"
    case everything

    var testDescription: String { rawValue }
}

/// Draws schemas: classes with a random choice of properties, kinds, policies, defaults and identities.
struct SchemaMaker {
    private let theme: MergeTheme
    private var numbers: SeededGenerator
    private var schemas = PlainSchemas()

    static func schemas(_ theme: MergeTheme, seed: Int) -> PlainSchemas {
        var maker = SchemaMaker(theme: theme, numbers: SeededGenerator(seed: seed &* 31 &+ 7))
        return maker.draw().onlyUsed
    }

    private init(theme: MergeTheme, numbers: SeededGenerator) {
        self.theme = theme
        self.numbers = numbers
    }

    private mutating func draw() -> PlainSchemas {
        add(PlainClass(name: "Value", properties: values(3)))
        add(
            PlainClass(
                name: "Item",
                properties: [PlainProperty(key: "id", kind: .integer, isRequired: true)] + values(2)
                    + nested("Value", percent: 40), identity: "id"))
        // Elements whose identifier is often missing have few values, so that equal ones meet.
        let code = PlainProperty(key: "code", kind: .text)
        add(PlainClass(name: "Loose", properties: [code, PlainProperty(key: "note", kind: .integer)]))
        let hasIdentity = numbers.once(in: 2)
        let id = PlainProperty(key: "id", kind: .integer, isRequired: true)
        add(
            PlainClass(
                name: "Shape", properties: (hasIdentity ? [id] : []) + values(1), identity: hasIdentity ? "id" : nil,
                choices: ["left": "Left", "right": "Right", "shape": "Shape"],
                standardChoice: numbers.once(in: 4) ? nil : "Shape"))
        add(PlainClass(name: "Left", parent: "Shape", properties: values(1, "left") + nested("Value", percent: 30)))
        add(PlainClass(name: "Right", parent: "Shape", properties: values(1, "right")))
        add(PlainClass(name: "Root", properties: values(theme == .scalars ? 6 : 1) + themed()))
        return schemas
    }

    /// Adds a class, with a stamp if one of its properties goes by it: before it or behind it.
    private mutating func add(_ description: PlainClass) {
        var description = description
        schemas.classes[description.name] = description
        let needsStamp = description.properties.contains { $0.policy == .newest(by: "stamp") }
        if needsStamp, schemas.property("stamp", of: description.name) == nil {
            let stamp = PlainProperty(key: "stamp", kind: .integer)
            description.properties.insert(stamp, at: numbers.once(in: 2) ? 0 : description.properties.count)
        }
        schemas.classes[description.name] = description
    }

    // MARK: Graphs

    /// Schemas of models that refer to one another, for imports.
    static func graph(seed: Int) -> PlainSchemas {
        var maker = SchemaMaker(theme: .everything, numbers: SeededGenerator(seed: seed &* 17 &+ 3))
        return maker.drawGraph().onlyUsed
    }

    private mutating func drawGraph() -> PlainSchemas {
        let id = PlainProperty(key: "id", kind: .integer, isRequired: true)
        add(PlainClass(name: "Value", properties: values(2) + [reference("host", .model("Item"))]))
        let ofItem = values(2) + [reference("friend", .model("Item")), reference("value", .model("Value"))]
        add(PlainClass(name: "Item", properties: [id] + ofItem, identity: "id"))
        add(
            PlainClass(
                name: "Shape", properties: [id] + values(1), identity: "id",
                choices: ["left": "Left", "right": "Right", "shape": "Shape"],
                standardChoice: numbers.once(in: 4) ? nil : "Shape"))
        add(PlainClass(name: "Left", parent: "Shape", properties: values(1, "left")))
        add(PlainClass(name: "Right", parent: "Shape", properties: [reference("item", .model("Item"))]))
        let kinds: [(String, PlainKind)] = [
            ("owner", .model("Item")), ("items", .list(.model("Item"))),
            ("named", .dictionary(.model("Item"), hasNull: false)),
            ("set", .set(.model("Item"))), ("value", .model("Value")), ("parent", .model("Root")),
            ("shape", .model("Shape")), ("shapes", .list(.model("Shape"))),
            ("values", .dictionary(.model("Value"), hasNull: numbers.once(in: 3))),
        ]
        var properties = values(2)
        for (key, kind) in kinds where numbers.once(in: 2) { properties.append(reference(key, kind)) }
        add(PlainClass(name: "Root", properties: [id] + properties, identity: "id"))
        return schemas
    }

    /// A property of an instance or a value, with a policy under which the article says what becomes of it.
    private mutating func reference(_ key: String, _ kind: PlainKind) -> PlainProperty {
        var policies: [PlainPolicy] = [.none]
        switch kind {
        case .model: policies += [.recurse(removesMissing: false), .recurse(removesMissing: false)]
        case .dictionary: policies += [.recurse(removesMissing: false), .recurse(removesMissing: true)]
        default:
            policies += [false, true].map { .byIdentifier(key: nil, removesMissing: $0, isRequired: false) }
        }
        return PlainProperty(key: key, kind: kind, policy: numbers.pick(policies))
    }

    // MARK: Properties of a theme

    private mutating func themed() -> [PlainProperty] {
        let count = 2 + numbers.below(2)
        return (0..<count).flatMap { index -> [PlainProperty] in
            let key = "p\(index)"
            switch theme == .everything ? numbers.pick(Array(MergeTheme.allCases.dropLast())) : theme {
            case .scalars, .everything: return values(1, key)
            case .lists: return [collection(key, .list(numbers.pick([.integer, .text])))]
            case .sets: return [collection(key, .set(numbers.pick([.integer, .text])))]
            case .dictionaries: return [collection(key, .dictionary(.integer, hasNull: numbers.once(in: 3)))]
            case .models: return [model(key, numbers.pick(["Value", "Item"]))]
            case .clusters: return [numbers.once(in: 2) ? model(key, "Shape") : dictionary(key, "Shape")]
            case .dictionariesOfModels: return [dictionary(key, numbers.pick(["Value", "Item"]))]
            case .identifiers: return [elements(key, numbers.pick(["Item", "Item", "Shape"]))]
            case .looseElements: return [elements(key, "Loose")]
            }
        }
    }

    /// Properties without models.
    private mutating func values(_ count: Int, _ prefix: String = "v") -> [PlainProperty] {
        (0..<count).map { scalar("\(prefix)\($0)") }
    }

    private mutating func scalar(_ key: String) -> PlainProperty {
        let kind = numbers.pick([PlainKind.integer, .integer, .double, .text, .text, .json])
        var policies: [PlainPolicy] = [.none, .replace, .keep, .skipNull, .newest(by: "stamp")]
        if kind != .json { policies += [.max, .min] }
        if kind == .integer { policies.append(.sum) }
        return limited(PlainProperty(key: key, kind: kind, policy: numbers.pick(policies)))
    }

    private mutating func collection(_ key: String, _ kind: PlainKind) -> PlainProperty {
        var policies: [PlainPolicy] = [.none, .replace, .keep, .skipNull, .newest(by: "stamp"), .union, .union]
        if case .list = kind { policies += [.append] }
        return limited(PlainProperty(key: key, kind: kind, policy: numbers.pick(policies)))
    }

    private mutating func model(_ key: String, _ name: String) -> PlainProperty {
        PlainProperty(
            key: key, kind: .model(name),
            policy: numbers.pick([
                .none, .replace, .keep, .skipNull, .newest(by: "stamp"), .recurse(removesMissing: false),
                .recurse(removesMissing: false),
            ]))
    }

    private mutating func dictionary(_ key: String, _ name: String) -> PlainProperty {
        PlainProperty(
            key: key, kind: .dictionary(.model(name), hasNull: numbers.once(in: 4)),
            policy: numbers.pick([
                .none, .replace, .union, .newest(by: "stamp"), .recurse(removesMissing: false),
                .recurse(removesMissing: false), .recurse(removesMissing: true),
            ]))
    }

    private mutating func elements(_ key: String, _ name: String) -> PlainProperty {
        let hasIdentity = schemas.identity(of: name) != nil
        guard hasIdentity || name == "Loose", !numbers.once(in: 5) else {
            return PlainProperty(
                key: key, kind: .list(.model(name)),
                policy: numbers.pick([.none, .replace, .union, .append, .keep, .skipNull]))
        }
        let policy = PlainPolicy.byIdentifier(
            key: hasIdentity ? nil : "code", removesMissing: numbers.once(in: 2), isRequired: numbers.once(in: 6))
        let kind = PlainKind.model(name)
        return PlainProperty(key: key, kind: numbers.once(in: 4) ? .set(kind) : .list(kind), policy: policy)
    }

    private mutating func nested(_ name: String, percent: Int) -> [PlainProperty] {
        numbers.below(100) < percent ? [model("inner", name)] : []
    }

    /// Adds a default, or makes it required.
    private mutating func limited(_ property: PlainProperty) -> PlainProperty {
        var property = property
        switch numbers.below(6) {
        case 0, 1:
            property.standard = standard(property.kind)
            property.takesNullBesideDefault = numbers.once(in: 2)
        case 2 where numbers.once(in: 2): property.isRequired = true
        default: break
        }
        return property
    }

    private mutating func standard(_ kind: PlainKind) -> JSONValue {
        switch kind {
        case .text: .string(numbers.pick(["a", "b"]))
        case .list(let element), .set(let element): element == .text ? ["t1"] : [1]
        case .dictionary: ["k": 1]
        default: .number(JSONNumber(numbers.below(4)))
        }
    }
}
