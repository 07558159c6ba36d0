import Foundation
import Pallium
import TestSupport

/// Models of one set of schemas with values that hit one another, and queries about them.
struct RandomRows {
    /// Every kind twice: in columns, and without any index.
    static func schemas(isIndexed: Bool) -> [ModelSchema] {
        func maybe(_ property: PropertySchema) -> PropertySchema { isIndexed ? property.indexed() : property }
        return [
            ModelSchema(
                "Item",
                [
                    "id": .integer.required, "flag": maybe(.bool), "size": maybe(.integer),
                    "small": maybe(.integer(as: Int16.self)), "natural": maybe(.integer(as: UInt32.self)),
                    "large": maybe(.unsigned), "score": maybe(.double), "title": maybe(.string), "body": .string,
                    "when": maybe(.date), "link": maybe(.url), "code": maybe(.uuid), "price": maybe(.decimal),
                    "state": maybe(.enumeration("open", "closed")),
                    "level": maybe(.enumeration("low", "high", unknown: .keep)), "words": .array(of: .string),
                    "numbers": .array(of: .integer), "scores": .array(of: .double), "days": .array(of: .date),
                    "prices": .array(of: .decimal),
                    "tags": .set(of: .string), "primes": .set(of: .integer), "table": .dictionary(of: .integer),
                    "place": .model("Place"), "team": maybe(.model("Team")), "parent": maybe(.model("Item")),
                    "others": maybe(.array(of: .model("Item"))), "spots": .array(of: .model("Place")),
                    "friend": .model("Item").weak,
                    "votes": maybe(.integer.default(7)), "dot.ted": maybe(.string.json("dotted")),
                    "quo\"te": maybe(.string.json("quote")), "token": .string.archive(.excluded),
                    "own": maybe(.string.local), "label": isIndexed ? .string.indexed(.caseInsensitive) : .string,
                    "name": isIndexed ? .string.indexed(.caseInsensitive) : .string,
                ], identity: ["id"]),
            ModelSchema("Special", ["extra": maybe(.string), "rank": maybe(.integer)], extends: "Item"),
            ModelSchema("Rare", ["depth": maybe(.double)], extends: "Special"),
            ModelSchema("Other", ["extra2": maybe(.string)], extends: "Item"),
            ModelSchema(
                "Team",
                [
                    "name": .string.required, "part": .integer.required, "title": maybe(.string),
                    "lead": .model("Item"), "seat": .model("Place"),
                ], identity: ["name", "part"]),
            ModelSchema(
                "Place",
                ["name": .string, "height": .double, "since": .date, "inner": .model("Place"), "owner": .model("Team")]),
            ModelSchema("City", ["people": .integer], extends: "Place"),
        ]
    }

    let plain: PlainSchemas
    var numbers: SeededGenerator
    private static let decimals = [
        "0", "1.5", "1.50", "1.49", "-1.5", "-1.51", "-1.49", "12345678901234567890.12", "12345678901234567890.13",
        "-7", "-70", "7", "70", "0.07", "-0.07", "0.007", "1e120", "-1e120", "1e-100", "99", "100",
    ]
    private var doubles: [Double]
    private var seconds: [Double]
    private let teams: [PlainIdentity]

    init(seed: Int) {
        plain = PlainSchemas(Self.schemas(isIndexed: true))
        numbers = SeededGenerator(seed: seed)
        doubles = [
            0, -0.0, 0.1, 0.3, 0.1 + 0.2, 1, 1.5, -2, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            9_007_199_254_740_992,
            9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 1.8446744073709552e19, 1 / 3, 1e23,
            .leastNormalMagnitude, Double.leastNormalMagnitude.nextDown,
        ]
        seconds = [0, 1, -1, 0.5, 791_719_200.123_456_7, 1e-7, -1e9, 63_000_000_000]
        let names: [String] = ["", "é", "e\u{301}", "a", "😀", "a'b", "x\"y"]
        teams = names.flatMap { name in
            [0, 1, Int.max].map { PlainIdentity("Team", [.text(name), .integer($0)]) }
        }
        for _ in 0..<6 {
            let double = Double(bitPattern: numbers.next())
            if double.isFinite { doubles += [double, double.nextUp] }
            seconds.append(Double(numbers.below(2_000_000_000_000)) / 1000 / 1.1)
        }
    }

    static let texts = [
        "", "a", "A", "ab", "abc", "é", "e\u{301}", "e", "\u{0}", "a\u{0}b", "a\u{0}", "'", "\"", "a\"b", "%", "_",
        "a%",
        "a_b", "\\", "[", "*", "?", "😀", "👨‍👩‍👧", "\u{FFFF}", "\u{E000}", "\u{10FFFF}", "a\u{10FFFF}", "\u{10FFFF}z",
        "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{D7FF}z", "\u{FFFD}", "\n", "null", "0", "1", "1.0",
        "true",
        " ", "ABC", "aBc", "É", "ΑΣ", "ας", "ſ", "S", "\u{212A}", "k", "İ", "ı", "ß", "ẞ", "\u{10400}", "\u{10428}",
        String(repeating: "ab", count: 3000), String(repeating: "ab", count: 3000) + "c",
    ]
    private static let integers = [
        0, 1, -1, 2, 3, 10, 255, Int.max, Int.min, Int.max - 1, Int.min + 1, 1 << 53, 1 << 53 + 1, 7,
    ]

    // MARK: Models

    mutating func models(_ count: Int) -> [PlainModel] {
        let ids = (0..<count + 3).map { $0 < 4 ? [0, Int.max, Int.min, -1][$0] : $0 }
        var models = ids.shuffled(using: &numbers).prefix(count).map { id in
            var model = values(numbers.pick(["Item", "Item", "Item", "Special", "Rare", "Other"]), depth: 2, ids)
            model.values["id"] = .some(.integer(id))
            return model
        }
        for team in teams.shuffled(using: &numbers).prefix(6) {
            var model = values("Team", depth: 1, ids)
            model.values["name"] = .some(team.parts[0])
            model.values["part"] = .some(team.parts[1])
            // Stubs that are saved are for `RandomStoreTests`.
            if model.isStub(2) { model.values["title"] = .some(.text("a")) }
            models.append(model)
        }
        return models
    }

    private mutating func values(_ schema: String, depth: Int, _ ids: [Int]) -> PlainModel {
        var model = PlainModel(schema: schema)
        for (key, kind) in plain.kinds(of: schema) where !plain.identity(of: schema).contains(key) {
            switch numbers.below(10) {
            case 0..<3: break
            case 3 where key != "votes": model.values[key] = .some(nil)
            default:
                if let value = value(of: kind, depth: depth, ids) { model.values[key] = .some(value) }
            }
        }
        return model
    }

    mutating func value(of kind: PlainKind, depth: Int = 0, _ ids: [Int] = [0, 5]) -> PlainValue? {
        switch kind {
        case .bool: return .bool(numbers.once(in: 2))
        case .integer(let range):
            return .integer(
                numbers.pick((Self.integers + [range.lowerBound, range.upperBound]).filter(range.contains)))
        case .unsigned: return .unsigned(numbers.pick([0, 1, .max, UInt.max / 2 + 1]))
        case .double: return .double(numbers.pick(doubles))
        case .text: return .text(numbers.pick(Self.texts))
        case .date: return .date(numbers.pick(seconds))
        case .url:
            return .url(
                numbers.pick(["https://example.org/a?b", "https://example.org/A", "https://example.org/a%20b", "a:b"]))
        case .uuid:
            return UUID(uuidString: "0000000\(numbers.below(3))-ABCD-0000-0000-00000000000F").map { .uuid($0) }
        case .decimal:
            return Decimal(string: numbers.pick(Self.decimals)).map { .decimal($0) }
        case .cases(let cases): return .text(numbers.pick(cases ?? ["low", "high", "odd", "odd\u{0}x", ""]))
        case .list(.model(let schema)):
            guard depth > 0 else { return .list([]) }
            return .list((0..<numbers.below(3)).map { _ in .model(values(schema, depth: depth - 1, ids)) })
        case .list(.reference):
            return .list(
                (0..<numbers.below(3)).map { _ in .reference(PlainIdentity("Item", [.integer(numbers.pick(ids))])) })
        case .list(let element): return .list((0..<numbers.below(4)).compactMap { _ in value(of: element) })
        case .set(let element):
            var seen: Set<String> = []
            return .set(
                (0..<numbers.below(4)).compactMap { _ in value(of: element) }.filter { value in
                    // Swift's sets take texts of other bytes for the same.
                    if case .text(let text) = value {
                        seen.insert(text).inserted
                    } else {
                        seen.insert(value.picture).inserted
                    }
                })
        case .table: return .table(numbers.once(in: 2) ? [:] : ["a": 1, "b\"": numbers.below(3)])
        case .model(let schema):
            guard depth > 0 else { return nil }
            return .model(values(numbers.pick(plain.family(schema)), depth: depth - 1, ids))
        case .reference("Team"): return .reference(numbers.pick(teams))
        case .reference: return .reference(PlainIdentity("Item", [.integer(numbers.pick(ids))]))
        }
    }

    // MARK: Queries

    private static let paths = [
        "place.name", "place.height", "place.since", "place.people", "place.inner.name", "place.owner.title",
        "place.inner.owner.part", "team.title", "team.name", "team.part", "team.lead.size", "team.lead.title",
        "team.seat.height", "parent.size", "parent.title", "parent.id", "parent.parent.score", "parent.team.title",
        "parent.extra", "parent.level", "parent.body", "parent.words", "team.lead.rank", "parent.place.name",
        "others.size", "others.id", "others.extra", "others.team.title", "others.others.title", "others.words",
        "spots.name", "spots.height", "spots.owner.title", "parent.others.score", "others.spots.inner.name",
        "team.lead.others.level", "others.price", "others.spots", "parent.tags", "parent.prices",
    ]

    /// The keys of a condition on a schema, with the escapes.
    private mutating func key(_ schema: String) -> String {
        if schema != "Team", numbers.once(in: 3) { return numbers.pick(Self.paths) }
        if schema == "Team", numbers.once(in: 3) { return numbers.pick(["lead.size", "lead.team.title", "seat.name"]) }
        let keys = plain.lineage(schema) + plain.family(schema)
        let all = keys.flatMap { plain.schemas[$0]?.kinds.keys.sorted() ?? [] }
        return numbers.pick(all).replacing(".", with: "\\.").replacing("\"", with: numbers.once(in: 2) ? "\"" : "\\\"")
    }

    private func kind(_ key: String, _ schema: String) -> PlainKind? {
        var (name, result) = (schema, PlainKind?.none)
        for step in QueryReference.steps(key) {
            result = plain.kind(step, of: name)
            switch result {
            case .model(let inner), .reference(let inner), .list(.model(let inner)), .list(.reference(let inner)):
                name = inner
            default: break
            }
        }
        return result
    }

    /// Whether a path leads through a collection, which no order can.
    private func leadsThroughCollection(_ key: String, _ schema: String) -> Bool {
        var name = schema
        for step in QueryReference.steps(key).dropLast() {
            switch plain.kind(step, of: name) {
            case .model(let inner), .reference(let inner): name = inner
            default: return true
            }
        }
        return false
    }

    mutating func condition(_ schema: String, depth: Int) -> PlainCondition {
        if depth > 0, !numbers.once(in: 3) {
            let left = condition(schema, depth: depth - 1)
            switch numbers.below(3) {
            case 0: return .not(left)
            case 1: return .and(left, condition(schema, depth: depth - 1))
            default: return .or(left, condition(schema, depth: depth - 1))
            }
        }
        let key = key(schema)
        guard let kind = kind(key, schema) else { return .compare(key, .equal, nil) }
        switch kind {
        case .text where numbers.once(in: 3): return condition(PlainCondition.folded + key, kind, depth: depth)
        case .list(.text) where numbers.once(in: 6), .set(.text) where numbers.once(in: 6):
            return .contains(PlainCondition.folded + key, .text(numbers.pick(Self.texts)))
        default: return condition(key, kind, depth: depth)
        }
    }

    /// A condition on the elements of a collection.
    private mutating func elements(_ key: String, of kind: PlainKind, depth: Int) -> PlainCondition {
        let inner: PlainCondition
        switch kind {
        case .list(.model(let schema)), .list(.reference(let schema)):
            inner = condition(schema, depth: max(depth - 1, 0))
        case .list(.text), .set(.text):
            let prefix = numbers.once(in: 3) ? PlainCondition.folded : ""
            inner = condition(prefix + PlainCondition.element, .text, depth: 0)
        case .list(let element), .set(let element): inner = condition(PlainCondition.element, element, depth: 0)
        default:
            inner =
                numbers.once(in: 2)
                ? .compare(PlainCondition.elementKey, numbers.pick([.equal, .less, .different]), .text("a"))
                : condition(PlainCondition.element, .integer(Int.min...Int.max), depth: 0)
        }
        return .elements(key, numbers.pick(PlainCondition.Quantifier.allCases), inner)
    }

    private mutating func condition(_ key: String, _ kind: PlainKind, depth: Int) -> PlainCondition {
        if numbers.once(in: 8) { return .compare(key, numbers.once(in: 2) ? .equal : .different, nil) }
        switch kind {
        case .list where numbers.once(in: 6), .set where numbers.once(in: 6), .table where numbers.once(in: 3):
            let comparison = numbers.pick(PlainCondition.Comparison.allCases)
            return .compare(PlainCondition.count + key, comparison, .integer(numbers.below(4)))
        case .list where !numbers.once(in: 3), .set where !numbers.once(in: 3), .table:
            return elements(key, of: kind, depth: depth)
        case .list(let element), .set(let element):
            return value(of: element).flatMap { $0.property == nil ? nil : .contains(key, $0) }
                ?? .compare(key, .equal, nil)
        case .model, .reference: return .compare(key, .different, nil)
        case .text where numbers.once(in: 3):
            let text = numbers.pick(Self.texts)
            return numbers.once(in: 2) ? .hasPrefix(key, text) : .contains(key, .text(text))
        default:
            if numbers.once(in: 5) {
                let values = (0..<numbers.below(4)).compactMap { _ in value(of: kind) }
                // A list may have null characters only where there is a column: see `EdgeValueTests`.
                return .isIn(key, values.filter { !$0.picture.contains("\\0") })
            }
            return .compare(key, numbers.pick(PlainCondition.Comparison.allCases), value(of: kind))
        }
    }

    mutating func query() -> PlainQuery {
        let schema = numbers.pick(["Item", "Item", "Item", "Item", "Special", "Rare", "Other", "Team"])
        var query = PlainQuery(schema: schema, condition: numbers.once(in: 10) ? nil : condition(schema, depth: 3))
        for _ in 0..<numbers.below(4) {
            let key = key(schema)
            switch kind(key, schema) {
            case .list, .set,
                .table where numbers.once(in: 2):
                if !leadsThroughCollection(key, schema) {
                    query.order.append((PlainCondition.count + key, numbers.once(in: 2)))
                }
            case let kind?:
                if kind.hasOrder, !leadsThroughCollection(key, schema) {
                    let isFolded = if case .text = kind { numbers.once(in: 3) } else { false }
                    query.order.append(((isFolded ? PlainCondition.folded : "") + key, numbers.once(in: 2)))
                }
            case nil: break
            }
        }
        if numbers.once(in: 3) { query.limit = numbers.below(9) }
        if numbers.once(in: 4) { query.offset = numbers.below(6) }
        return query
    }

    /// Keys for the columns of rows.
    mutating func columns(_ schema: String) -> [String] {
        (0...numbers.below(3)).compactMap { _ in
            let key = key(schema)
            guard let kind = kind(key, schema), kind.hasOrder, !leadsThroughCollection(key, schema), !key.contains("\"")
            else { return nil }
            if case .text = kind, numbers.once(in: 3) { return PlainCondition.folded + key }
            return key
        }
    }

    /// A query with a mistake, or with a value that only some properties take.
    mutating func doubtfulQuery() -> PlainQuery {
        let schema = numbers.pick(["Item", "Special", "Team"])
        let key =
            numbers.once(in: 6)
            ? numbers.pick([
                "", "x", "title.x", "others.id", "token", "friend", "words.a", ".", "$element", "$key", "$count title",
                "$count words", "spots.x", "others.title.x", "$folded title", "$folded size", "$folded words",
                "$folded parent.title", "$folded link",
            ]) : key(schema)
        // Numbers that are not finite are for `EdgeValueTests`.
        let operand = numbers.pick(
            [
                .bool(true), .integer(1), .integer(1 << 53 + 1), .integer(70_000), .double(1.5), .double(2),
                .text("open"), .text("opn"), .date(0), .unsigned(.max),
                .url("a:b"), .list([.text("a")]), .table([:]),
            ] as [PlainValue])
        var query = PlainQuery(schema: schema)
        switch numbers.below(8) {
        case 6:
            query.condition = .elements(
                key, numbers.pick(PlainCondition.Quantifier.allCases), .compare("id", .equal, operand))
        case 7: query.condition = .elements(key, .any, .compare(PlainCondition.element, .less, operand))
        case 0: query.condition = .isIn(key, [operand])
        case 1 where kind(key, schema)?.isAddress != true: query.condition = .contains(key, operand)
        case 2: query.condition = .hasPrefix(key, "a")
        case 3: query.order = [(key, false)]
        default: query.condition = .compare(key, numbers.pick(PlainCondition.Comparison.allCases), operand)
        }
        return query
    }
}

extension PlainKind {
    fileprivate var isAddress: Bool { if case .url = self { true } else { false } }
}
