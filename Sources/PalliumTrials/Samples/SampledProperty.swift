import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The values that samples take for a property or an element.
indirect enum SampledContent {
    /// Some values, without models and complete.
    case pool([JSONValue])
    /// Objects of a model, by its number, and identities in place of some.
    case model(Int, identities: [JSONValue] = [])
    /// Arrays and sets.
    case list(SampledList)
    /// Objects with any keys.
    case dictionary(SampledList)

    /// The numbers of the models that the content holds.
    var models: [Int] {
        switch self {
        case .pool: []
        case .model(let number, _): [number]
        case .list(let list), .dictionary(let list): list.element.models
        }
    }

    /// The numbers of the models that every value holds.
    var requiredModels: [Int] {
        switch self {
        case .pool: []
        case .model(let number, let identities): identities.isEmpty ? [number] : []
        case .list(let list), .dictionary(let list):
            list.counts.min() == 0 || list.elementIsNullable ? [] : list.element.requiredModels
        }
    }

    /// How many different choices there are.
    var choices: Int {
        switch self {
        case .pool(let values): values.count
        case .model(_, let identities): 1 + identities.count
        case .list(let list), .dictionary(let list): list.counts.count
        }
    }

    /// About how many bytes a choice has in a document; for models as many as are kept for them at least.
    func bytes(of choice: Int) -> Int {
        switch self {
        case .pool(let values): values[choice % values.count].sampledBytes
        case .model(_, let identities): choice == 0 ? Self.bytesOfObject : identities[choice - 1].sampledBytes
        case .list(let list), .dictionary(let list): list.counts[choice] * list.bytesOfElement
        }
    }

    /// The bytes that an object needs to have some values of its own.
    static let bytesOfObject = 256

    /// The choice with the fewest models.
    var least: Int {
        switch self {
        case .pool: 0
        case .model(_, let identities): identities.isEmpty ? 0 : 1
        case .list(let list), .dictionary(let list):
            list.counts.indices.min { list.counts[$0] < list.counts[$1] } ?? 0
        }
    }
}

/// The elements that samples take for a collection.
struct SampledList {
    let element: SampledContent
    let elementIsNullable: Bool
    /// The numbers of elements to choose from; never empty.
    let counts: [Int]
    /// Whether equal elements are left out.
    let isUnique: Bool
    /// Whether some elements are null that the element's own content does not have.
    var hasNulls: Bool { if case .pool = element { false } else { elementIsNullable } }
    /// The number of the cursor that goes through the elements, so that all of them occur.
    let cursor: Int

    /// About how many bytes an element has.
    var bytesOfElement: Int {
        (0..<element.choices).reduce(0) { $0 + element.bytes(of: $1) } / max(element.choices, 1)
    }
}

extension JSONValue {
    /// About how many bytes the value has in a document. Recursion is bounded by the depth of samples.
    fileprivate var sampledBytes: Int {
        switch self {
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.sampledBytes }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.sampledBytes }
        default: 4
        }
    }
}

/// A property with the states and values that samples give it.
struct SampledProperty {
    /// One state of a property in a document.
    enum Choice: Hashable {
        case absent, null
        /// A value, and which of several paths it stands at.
        case value(Int, path: Int)

        var isValue: Bool {
            if case .value = self { true } else { false }
        }
    }

    let slot: Int
    /// Where the property is in documents.
    let place: DocumentShape.Property
    /// Tries values; nil for values with models.
    let trial: ValueTrial?
    /// The rules, with inherited ones.
    let rules: [PropertySchema.Rule]
    let isRequired: Bool
    let acceptsNull: Bool
    /// Whether null stands for the default of the property.
    let nullMeansDefault: Bool
    /// The values; nil if there are none, which leaves the property absent.
    let content: SampledContent?
    /// The choices; the first is a value, if there is one.
    let choices: [Choice]
    /// The choices that documents take again and again: none is larger than a small object, unless all are.
    private(set) var smallChoices: [Choice] = []
    /// The smallest value with models inside; nil if there is none.
    private(set) var smallestHolder: Choice?
    private let bytesOfName: Int
    /// The choices that no document has taken yet.
    private(set) var unused: [Choice]
    /// The choices that are in no document, those that were given up among them.
    private(set) var untaken: Set<Choice>
    /// How often a choice was made that a rule about several properties then changed.
    private var misses: [Choice: Int] = [:]

    init(
        slot: Int, place: DocumentShape.Property, trial: ValueTrial?, rules: [PropertySchema.Rule], acceptsNull: Bool,
        content: SampledContent?
    ) {
        self.slot = slot
        self.place = place
        self.trial = trial
        self.rules = rules
        isRequired = place.schema.isRequired
        self.acceptsNull = acceptsNull
        nullMeansDefault = !place.descriptor.isNullable
        self.content = content
        var choices: [Choice] = []
        if let content {
            choices = (0..<content.choices).map { .value($0, path: 0) }
            if place.combination == .firstOf { choices += place.paths.indices.dropFirst().map { .value(0, path: $0) } }
        }
        if !isRequired { choices.append(.absent) }
        if acceptsNull { choices.append(.null) }
        self.choices = choices
        unused = choices
        untaken = Set(choices)
        bytesOfName = place.paths[0].description.utf8.count + 4
        smallChoices = choices.filter { bytes(of: $0) - bytesOfName <= SampledContent.bytesOfObject }
        if smallChoices.isEmpty { smallChoices = least.map { [$0] } ?? [] }
        smallestHolder = choices.filter {
            holdsModels($0) && bytes(of: $0) - bytesOfName >= SampledContent.bytesOfObject
        }
        .min { bytes(of: $0) < bytes(of: $1) }
    }

    /// Whether a choice is a value with models inside, which is made with a share of the budget.
    func holdsModels(_ choice: Choice) -> Bool {
        guard case .value(let number, _) = choice, content?.models.isEmpty == false else { return false }
        // Of the choices of a model, only the first is an object.
        if case .model? = content { return number == 0 }
        return true
    }

    /// About how many bytes a choice has in a document, with the name of the property.
    func bytes(of choice: Choice) -> Int {
        switch choice {
        case .absent: 0
        case .null: bytesOfName + 4
        case .value(let number, _): bytesOfName + (content?.bytes(of: number) ?? 0)
        }
    }

    /// Whether a document may have a value: the one that was put there, which was tried before, or another one.
    func accepts(_ value: JSONValue?, placed: JSONValue?) -> Bool {
        switch (value, content) {
        case (nil, _): !isRequired
        case (.null?, _): acceptsNull
        // Elements were tried, but no list of them.
        case (let value?, .list?), (let value?, .dictionary?): trial?.accepts(value) ?? (value == placed)
        case (let value?, _): value == placed || trial?.accepts(value) ?? false
        }
    }

    /// How often a rule changes a choice before it is given up.
    private static let maximumMisses = 8

    /// Notes that a document has a choice, although another one was wanted.
    mutating func take(_ choice: Choice, wanting wanted: Choice) {
        giveUp(choice)
        untaken.remove(choice)
        if choice == wanted { return }
        misses[wanted, default: 0] += 1
        if misses[wanted, default: 0] >= Self.maximumMisses { giveUp(wanted) }
    }

    /// Notes that a choice needs not be tried any more.
    mutating func giveUp(_ choice: Choice) { unused.removeAll { $0 == choice } }

    /// The choice without a value, if there is one; otherwise the smallest value.
    var least: Choice? {
        if !isRequired { return .absent }
        return content.map { .value($0.least, path: 0) } ?? choices.first
    }

    var key: String { place.descriptor.key }
    var paths: [JSONKeyPath] { place.paths }
}

/// A model with its properties and what is left to be covered.
struct SampledModel {
    let layout: ModelLayout
    var properties: [SampledProperty] = []
    /// The numbers of the models that the properties hold.
    var held: [Int] = []
    /// The ways in which an object of this model, or of one that its cluster chooses, can look.
    var branches: [SampledBranch] = []
    /// The branches that lead to finite objects, by the height of these objects.
    var finiteBranches: [Int] = []
    /// The rules about several properties.
    var rules: [SampledRule] = []
    var unusedBranches: Set<Int> = []
    /// How many objects were made.
    var count = 0
    /// How often no object could be made, in all attempts.
    var failures = 0
    /// How many levels of objects the smallest one has; nil for a model that cannot be finite.
    var height: Int?
}

/// A rule about several properties, compiled alone.
struct SampledRule {
    let rule: ModelSchema.Rule
    let compiled: ModelRules
}
