import Pallium
import RunSupport

/// The next program: schemas with other properties, and the steps that lead to them.
struct EvolutionChange {
    var family: EvolutionFamily
    var program: EvolvedProgram
    /// The schema that changes.
    var schema = EvolvedSchema(lineage: -1, name: "")
    var step = EvolvedStep(from: 1)
    /// The keys that have their part in the step.
    var touched: Set<String> = []
    private var isIdentityChanged = false
    private var isTagChanged = false

    init(_ family: EvolutionFamily, _ program: EvolvedProgram) {
        self.family = family
        self.program = program
    }

    /// Changes the schemas, those inside others first, so that a step that makes a model knows its present version.
    mutating func run() {
        for lineage in program.schemas.keys.sorted(by: >) where family.numbers.below(4) > 0 {
            guard let schema = program.schemas[lineage] else { continue }
            self.schema = schema
            step = EvolvedStep(from: schema.version)
            touched = Set([schema.identity, schema.tagKey, "note"].compactMap(\.self))
            (isIdentityChanged, isTagChanged) = (false, false)
            for _ in 0..<1 + family.numbers.below(3) { change() }
            if family.numbers.once(in: 8) { rename() }
            self.schema.version += 1
            self.schema.steps.append(step)
            program.schemas[lineage] = self.schema
        }
    }

    private mutating func change() {
        switch family.numbers.below(schema.isWithoutCode ? 16 : 28) {
        case 0...2: renameProperty()
        case 3: swap()
        case 4: chain()
        case 5: remove()
        case 6...7: add()
        case 8...9: transform()
        case 10: changeKind()
        case 11: restrict()
        case 12: changeIdentity()
        case 13: changeTag()
        case 14...15: if schema.isWithoutCode { misspell() } else { transform() }
        default: addCode()
        }
    }

    // MARK: Candidates

    /// The properties that a part of the step may change.
    func candidates(_ fits: (EvolvedProperty) -> Bool = { _ in true }) -> [Int] {
        schema.properties.indices.filter { index in
            let property = schema.properties[index]
            return property.isPlain && property.hook == nil && !touched.contains(property.key) && fits(property)
        }
    }

    mutating func candidate(_ fits: (EvolvedProperty) -> Bool = { _ in true }) -> Int? {
        let found = candidates(fits)
        return found.isEmpty ? nil : family.numbers.pick(found)
    }

    /// Takes a property out of the schema.
    mutating func takeOut(_ key: String) {
        schema.properties.removeAll { $0.key == key }
        touched.insert(key)
    }

    /// Adds a property whose values code of the step makes.
    mutating func addMade(_ kind: EvolvedKind) -> String {
        var property = EvolvedProperty(family.key(), kind)
        property.isMade = true
        schema.properties.append(property)
        touched.insert(property.key)
        return property.key
    }

    // MARK: Without code

    /// Gives the schema another name.
    private mutating func rename() {
        step.oldName = schema.name
        schema.name += "X"
    }

    private mutating func renameProperty() {
        guard let index = candidate() else { return }
        let old = schema.properties[index].key
        give(family.key(), to: index)
        guard family.numbers.once(in: 3) else { return }
        // Another property takes the key.
        var property = EvolvedProperty(old, family.numbers.pick([.integer, .string(.words), .bool]))
        property.isMade = true
        initialize(&property)
        schema.properties.append(property)
    }

    private mutating func give(_ key: String, to index: Int) {
        let old = schema.properties[index].key
        step.renamed[old] = key
        schema.properties[index].key = key
        schema.properties[index].isMade = true
        touched.formUnion([old, key])
    }

    private mutating func swap() {
        guard let left = candidate() else { return }
        let property = schema.properties[left]
        // Code of descendants may read the texts of an ancestor, whatever their keys stand for later.
        let isAncestor = program.schemas.values.contains { $0.parent == schema.lineage }
        guard let right = candidate({ $0.key != property.key && (!isAncestor || $0.kind == property.kind) }) else {
            return
        }
        let other = schema.properties[right].key
        give(other, to: left)
        step.renamed[other] = property.key
        schema.properties[right].key = property.key
        schema.properties[right].isMade = true
    }

    /// One property takes the key of another one, which gets a new one.
    private mutating func chain() {
        guard let left = candidate() else { return }
        let property = schema.properties[left]
        let isAncestor = program.schemas.values.contains { $0.parent == schema.lineage }
        guard let right = candidate({ $0.key != property.key && (!isAncestor || $0.kind == property.kind) }) else {
            return
        }
        let other = schema.properties[right].key
        give(family.key(), to: right)
        give(other, to: left)
    }

    private mutating func remove() {
        guard let index = candidate() else { return }
        let property = schema.properties[index]
        // A value that no property has is skipped, but not one that a step made.
        if property.isMade || family.numbers.once(in: 2) { step.removed.append(property.key) }
        takeOut(property.key)
    }

    private mutating func add() {
        var property = family.scalar()
        initialize(&property)
        schema.properties.append(property)
    }

    /// Decides from where a new property gets its value in former models.
    private mutating func initialize(_ property: inout EvolvedProperty) {
        (property.isRequired, property.fallback) = (false, nil)
        touched.insert(property.key)
        switch family.numbers.below(6) {
        case 0 where !property.isInSeconds: property.fallback = family.fallback(property.kind)
        case 1...3 where !property.isInSeconds:
            guard let initial = family.fallback(property.kind) else { return }
            step.defaults[property.key] = initial
            property.isMade = true
            property.isRequired = family.numbers.once(in: 2)
        case 4: property.isRequired = family.numbers.once(in: 5)
        default: break
        }
    }

    private mutating func transform() {
        let index = candidate { property in EvolvedTransformer.all.contains { $0.input == property.kind }
        }
        guard let index else { return }
        if family.numbers.once(in: 3) { give(family.key(), to: index) }
        let key = schema.properties[index].key
        var transformers: [EvolvedTransformer] = []
        for _ in 0..<1 + family.numbers.below(2) {
            let kind = transformers.last?.output ?? schema.properties[index].kind
            let fitting = EvolvedTransformer.all.filter { $0.input == kind }
            if !fitting.isEmpty { transformers.append(family.numbers.pick(fitting)) }
        }
        step.transformed[key] = transformers
        schema.properties[index].kind = transformers.last?.output ?? schema.properties[index].kind
        schema.properties[index].fallback = nil
        schema.properties[index].isMade = true
        touched.insert(key)
    }

    /// A change of the kind that needs no step.
    private mutating func changeKind() {
        let index = candidate { property in
            property.fallback == nil && (property.kind.becomesJSON || property.kind == .set(.string(.words)))
        }
        guard let index else { return }
        touched.insert(schema.properties[index].key)
        switch schema.properties[index].kind {
        case .small where family.numbers.once(in: 2): schema.properties[index].kind = .integer
        case .bit where family.numbers.once(in: 2): schema.properties[index].kind = .small
        case .integer where family.numbers.once(in: 4): schema.properties[index].kind = .small
        case .array(.string(.words)) where family.numbers.once(in: 2):
            schema.properties[index].kind = .set(.string(.words))
        case .set: break
        default: schema.properties[index].kind = .json
        }
    }

    private mutating func restrict() {
        guard let index = candidate({ !$0.isRequired && $0.fallback == nil }) else { return }
        touched.insert(schema.properties[index].key)
        if family.numbers.once(in: 4) {
            schema.properties[index].isRequired = true
        } else {
            schema.properties[index].fallback = family.fallback(schema.properties[index].kind)
        }
    }

    private mutating func changeIdentity() {
        guard let id = schema.identity, let index = schema.properties.firstIndex(where: { $0.key == id }),
            !isIdentityChanged, !schema.needsValues
        else { return }
        isIdentityChanged = true
        schema.changesIdentity = true
        if family.numbers.once(in: 2) {
            give(family.key(), to: index)
            schema.identity = schema.properties[index].key
        }
        if family.numbers.once(in: 2) {
            let isNumber = schema.properties[index].kind == .integer
            let kind: EvolvedKind = isNumber ? .string(.digits) : .integer
            let fitting = EvolvedTransformer.all.filter {
                $0.input == schema.properties[index].kind && $0.output == kind
            }
            step.transformed[schema.properties[index].key] = [family.numbers.pick(fitting)]
            schema.properties[index].kind = kind
        }
        touched.insert(schema.properties[index].key)
    }

    /// Changes the key, or the values, by which a cluster chooses.
    private mutating func changeTag() {
        guard let tag = schema.tagKey, let index = schema.properties.firstIndex(where: { $0.key == tag }),
            !isTagChanged, let discriminator = schema.discriminator
        else { return }
        isTagChanged = true
        if family.numbers.once(in: 2) {
            give(family.member(), to: index)
            schema.tagKey = schema.properties[index].key
            schema.discriminator?.member = schema.properties[index].key
        }
        if family.numbers.once(in: 2) {
            let upper = EvolvedTransformer.all.filter { $0.name == "Upper" }
            step.transformed[schema.properties[index].key] = upper
            schema.discriminator?.tags = discriminator.tags.map { ($0.0.uppercased(), $0.1) }
            schema.properties[index].isMade = true
        }
        touched.insert(schema.properties[index].key)
    }

    /// A rename whose old key is not quite that of the values. What it loses is an error unless the step lets it go.
    private mutating func misspell() {
        guard let index = candidate({ !$0.isRequired && $0.fallback == nil && !$0.isMade }) else { return }
        let old = schema.properties[index].key
        var letters = Array(old)
        let place = 1 + family.numbers.below(letters.count - 2)
        switch family.numbers.below(4) {
        case 0: letters.remove(at: place)
        case 1: letters.insert("w", at: place)
        case 2: letters[place] = letters[place] == "j" ? "v" : "j"
        default: letters.swapAt(place, place + 1)
        }
        guard String(letters) != old else { return }
        let new = family.key()
        step.renamed[String(letters)] = new
        schema.properties[index].key = new
        schema.properties[index].isMade = true
        touched.formUnion([old, new])
        if family.numbers.once(in: 3) { step.removed.append(old) }
    }
}
