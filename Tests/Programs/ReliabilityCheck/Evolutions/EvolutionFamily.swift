import Foundation
import Pallium
import RunSupport

/// Schemas of two or three programs, of which an earlier one writes a model and the last one reads it.
struct EvolutionFamily {
    /// The roles of schemas, which keep their numbers whatever they are called.
    enum Lineage {
        static let base = 0
        static let root = 1
        static let owner = 2
        static let part = 3
        static let leaf = 4
        static let leafA = 5
        static let leafB = 6
    }

    /// Words that nobody takes for one another: each pair differs by more than a misspelling.
    private static let words = [
        "fullName", "createdAt", "userID", "colour", "weight", "priority", "homepage", "nickname", "summary", "balance",
        "deadline", "origin", "quantity", "reference", "category", "language", "message", "subject", "currency",
        "duration", "altitude", "position", "template", "exponent", "workshop", "yearbook", "zeppelin", "umbrella",
        "vinegar", "tourist", "sandwich", "rhinoceros", "pumpkin", "orchestra", "mountain", "lantern", "kilobyte",
        "junction", "icicle", "harbour", "giraffe", "firstLine", "secondStreet", "htmlURL", "isVisible", "bookingCode",
        "elephant", "dragonfly", "cathedral", "blossom", "alphabet", "wheelBase", "queueLength", "openingHours",
        "paidInFull", "grandTotal", "lastSeen", "maximum", "threshold", "viewPort", "sourceFile", "targetPath",
        "helicopter", "newsletter", "blueprint", "signature", "trafficLight", "windMill", "carousel", "fireplace",
    ]

    private(set) var programs: [EvolvedProgram] = []
    private(set) var writer = 0
    /// The lineage as which documents, archives and rows are read: the root's or that of its parent.
    private(set) var entrance = Lineage.root
    var numbers: SeededGenerator
    private var free = Self.words
    /// Whether a step makes models with an identity, which no two models may share.
    var makesOwners = false

    init(seed: UInt64) {
        numbers = SeededGenerator(seed: seed)
        for index in free.indices.dropLast() { free.swapAt(index, index + numbers.below(free.count - index)) }
        let count = 2 + numbers.below(2)
        writer = numbers.below(count - 1)
        let hasBase = numbers.once(in: 2)
        let hasBaseCluster = hasBase && numbers.once(in: 2)
        entrance = hasBaseCluster && numbers.below(4) > 0 ? Lineage.base : Lineage.root
        programs = [EvolvedProgram()]
        programs[0] = first(hasBase: hasBase, hasBaseCluster: hasBaseCluster)
        for _ in 1..<count {
            var change = EvolutionChange(self, programs[programs.count - 1])
            change.run()
            self = change.family
            programs.append(change.program)
        }
    }

    var present: EvolvedProgram { programs[programs.count - 1] }

    /// A key that no schema has had.
    mutating func key() -> String { free.popLast() ?? "spare\(numbers.below(1_000_000))\("x" as Character)" }

    /// A member that holds a discriminator; its name is the same in snake case.
    mutating func member() -> String {
        let index = free.lastIndex { $0 == $0.lowercased() } ?? 0
        return free.remove(at: index)
    }

    // MARK: The first program

    private mutating func first(hasBase: Bool, hasBaseCluster: Bool) -> EvolvedProgram {
        var program = EvolvedProgram()
        let rootIsWithoutCode = numbers.once(in: 4)
        var root = EvolvedSchema(lineage: Lineage.root, name: "Root")
        root.isSnakeCase = numbers.once(in: 3)
        root.isWithoutCode = rootIsWithoutCode
        var id = EvolvedProperty("id", numbers.pick([.integer, .string(.digits)]))
        id.isRequired = true
        if hasBase {
            var base = EvolvedSchema(lineage: Lineage.base, name: "Base")
            base.isSnakeCase = root.isSnakeCase
            base.isWithoutCode = rootIsWithoutCode
            base.identity = "id"
            base.properties = [id] + scalars(1 + numbers.below(2))
            if hasBaseCluster { addCluster(&base, [("root", Lineage.root)]) }
            root.parent = Lineage.base
            program.schemas[Lineage.base] = base
        } else {
            root.identity = "id"
            root.properties = [id]
        }
        root.properties += scalars(3 + numbers.below(3))
        root.properties += [
            EvolvedProperty(key(), numbers.pick([.model(Lineage.part), .array(.model(Lineage.part))])),
            EvolvedProperty(key(), .model(Lineage.part)),
            EvolvedProperty(key(), numbers.pick([.model(Lineage.owner), .array(.model(Lineage.owner))])),
        ]
        if numbers.once(in: 2) { root.properties.append(EvolvedProperty(key(), .dictionary(.model(Lineage.leaf)))) }
        var owner = EvolvedSchema(lineage: Lineage.owner, name: "Owner")
        owner.isWithoutCode = numbers.once(in: 4)
        owner.isSnakeCase = numbers.once(in: 3)
        owner.identity = "id"
        var ownerID = EvolvedProperty("id", numbers.pick([.integer, .string(.digits)]))
        ownerID.isRequired = true
        // With it no owner is a stub.
        var note = EvolvedProperty("note", .string(.words))
        note.path = "meta.note"
        owner.properties = [ownerID, note] + scalars(1 + numbers.below(3))
        if numbers.once(in: 2) { owner.properties.append(EvolvedProperty(key(), .model(Lineage.leaf))) }
        var part = EvolvedSchema(lineage: Lineage.part, name: "Part")
        part.isWithoutCode = numbers.once(in: 4)
        part.isSnakeCase = numbers.once(in: 3)
        part.properties = scalars(2 + numbers.below(3))
        part.properties += [
            EvolvedProperty(key(), numbers.pick([.model(Lineage.leaf), .array(.model(Lineage.leaf))])),
            EvolvedProperty(key(), numbers.pick([.model(Lineage.owner), .array(.model(Lineage.owner))])),
        ]
        program.schemas[Lineage.root] = root
        program.schemas[Lineage.owner] = owner
        program.schemas[Lineage.part] = part
        addLeaves(&program)
        return program
    }

    private mutating func addLeaves(_ program: inout EvolvedProgram) {
        var leaf = EvolvedSchema(lineage: Lineage.leaf, name: "Leaf")
        leaf.isWithoutCode = numbers.once(in: 4)
        leaf.isSnakeCase = numbers.once(in: 3)
        leaf.properties = scalars(1 + numbers.below(3))
        if numbers.once(in: 2) {
            addCluster(&leaf, [("a", Lineage.leafA), ("b", Lineage.leafB)])
            for (lineage, name) in [(Lineage.leafA, "LeafA"), (Lineage.leafB, "LeafB")] {
                var child = EvolvedSchema(lineage: lineage, name: name, parent: Lineage.leaf)
                child.isWithoutCode = leaf.isWithoutCode
                child.isSnakeCase = leaf.isSnakeCase
                child.properties = scalars(1 + numbers.below(2))
                program.schemas[lineage] = child
            }
        }
        program.schemas[Lineage.leaf] = leaf
    }

    /// Lets a schema choose among descendants, by a member that a property holds or by one that none does.
    private mutating func addCluster(_ schema: inout EvolvedSchema, _ tags: [(String, Int)]) {
        let member = member()
        schema.discriminator = (member, tags)
        guard numbers.below(3) > 0 else { return }
        schema.tagKey = member
        schema.properties.append(EvolvedProperty(member, .string(.words)))
    }

    mutating func scalars(_ count: Int) -> [EvolvedProperty] { (0..<count).map { _ in scalar() } }

    /// A property without models.
    mutating func scalar() -> EvolvedProperty {
        var property = EvolvedProperty(key(), kind())
        switch numbers.below(12) {
        case 0: property.path = "meta.\(property.key)"
        case 1 where property.kind == .date: property.isInSeconds = true
        case 2: property.fallback = fallback(property.kind)
        case 3: property.isRequired = true
        default: break
        }
        return property
    }

    mutating func kind() -> EvolvedKind {
        switch numbers.below(20) {
        case 0: .bool
        case 1, 2: .integer
        case 3: .bit
        case 4: .small
        case 5: .double
        case 6: .decimal
        case 7: .date
        case 8: .url
        case 9: .uuid
        case 10: .data
        case 11: .enumeration
        case 12: .json
        case 13: .array(numbers.pick([.string(.words), .integer, .date]))
        case 14: .dictionary(.integer)
        case 15...16: .string(.words)
        default: .string(numbers.pick(EvolvedKind.Texts.allCases))
        }
    }

    /// A default of a kind, or none for kinds of which the reference has none.
    mutating func fallback(_ kind: EvolvedKind) -> EvolvedDefault? {
        switch kind {
        case .bool: EvolvedDefault(json: true, value: .bool(true))
        case .integer, .bit, .small: EvolvedDefault(json: 1, value: .integer(1))
        case .double: EvolvedDefault(json: 1.5, value: .double(1.5))
        case .string(.words): EvolvedDefault(json: "some words", value: .string("some words"))
        case .date:
            EvolvedDefault(json: "2001-01-01T00:00:05Z", value: .date(Date(timeIntervalSinceReferenceDate: 5)))
        case .url: EvolvedDefault(json: "https://example.org/d", value: .url("https://example.org/d"))
        case .uuid:
            UUID(uuidString: "4A275FBD-8217-4397-964B-403F4C2B8545").map {
                EvolvedDefault(json: .string($0.uuidString), value: .uuid($0))
            }
        case .data: EvolvedDefault(json: "AAEC", value: .data(Data([0, 1, 2])))
        case .decimal: EvolvedDefault(json: 2.25, value: .decimal(Decimal(225) / 100))
        case .enumeration: EvolvedDefault(json: "stuck", value: .string("stuck"))
        case .array(.string): EvolvedDefault(json: ["x", "y"], value: .array([.string("x"), .string("y")]))
        default: nil
        }
    }
}
