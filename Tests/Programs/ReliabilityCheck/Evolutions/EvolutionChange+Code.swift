import Pallium
import RunSupport

/// Steps in code, and hooks.
extension EvolutionChange {
    mutating func addCode() {
        switch family.numbers.below(12) {
        case 0: split()
        case 1: join()
        case 2:
            guard let index = candidate({ $0.kind == .integer }) else { return }
            step.code.append(.double(schema.properties[index].key))
            touched.insert(schema.properties[index].key)
        case 3: step.code.append(.constant(addMade(.string(.words)), "constant"))
        case 4: copy()
        case 5...6: makeModel()
        case 7...9: pull()
        case 10:
            guard family.numbers.once(in: 3), !schema.changesIdentity, let index = candidate() else { return }
            schema.needsValues = true
            step.code.append(.need(schema.properties[index].key))
            touched.insert(schema.properties[index].key)
        default: hook()
        }
    }

    private mutating func split() {
        guard let index = candidate({ $0.kind == .string(.words) }) else { return }
        let key = schema.properties[index].key
        takeOut(key)
        step.code.append(.split(key, first: addMade(.string(.words)), rest: addMade(.string(.words))))
    }

    private mutating func join() {
        let found = candidates { $0.kind == .string(.words) }
        guard found.count > 1 else { return }
        let keys = found.prefix(2).map { schema.properties[$0].key }
        for key in keys { takeOut(key) }
        step.code.append(.join(keys, into: addMade(.string(.words))))
    }

    /// Copies a value, or takes a text that an ancestor has, after all steps of the ancestor.
    private mutating func copy() {
        let inherited = schema.parent.flatMap { program.schemas[$0] }
        let texts = inherited?.properties.filter { property in
            property.kind == .string(.words) && property.isPlain && property.hook == nil
                && property.key != inherited?.tagKey
        }
        if let texts, !texts.isEmpty, family.numbers.once(in: 2) {
            let key = family.numbers.pick(texts).key
            step.code.append(.quote(key, into: addMade(.string(.words))))
            return
        }
        guard let index = candidate() else { return }
        let property = schema.properties[index]
        touched.insert(property.key)
        step.code.append(.copy(property.key, to: addMade(property.kind)))
    }

    /// Moves values into a new model.
    private mutating func makeModel() {
        typealias Lineage = EvolutionFamily.Lineage
        var targets: [Int] = schema.lineage == Lineage.root ? [Lineage.part, Lineage.owner] : []
        if [Lineage.root, Lineage.part, Lineage.owner].contains(schema.lineage) {
            targets += [Lineage.leaf, Lineage.leafA, Lineage.leafB]
        }
        targets = targets.filter { lineage in
            guard let target = program.schemas[lineage] else { return false }
            let isChosen = program.schemas[Lineage.leaf].map { $0.tagKey != nil && $0.lineage != lineage } ?? false
            return target.discriminator == nil && !(target.parent != nil && isChosen)
                && !(lineage == Lineage.owner && family.makesOwners)
        }
        guard !targets.isEmpty else { return }
        let lineage = family.numbers.pick(targets)
        guard let target = program.schemas[lineage] else { return }
        var (moved, identity): ([String: String], String?) = ([:], nil)
        for property in target.properties where property.isPlain && property.hook == nil {
            let isIdentity = property.key == target.identity
            guard isIdentity || property.kind.lineage == nil,
                let index = candidate({
                    $0.kind == property.kind && moved[$0.key] == nil && $0.fallback == nil
                        && ($0.kind != .string(.digits) || !isIdentity)
                })
            else { continue }
            let key = schema.properties[index].key
            moved[key] = property.key
            if isIdentity { identity = key }
        }
        let needed = program.chain(lineage).flatMap(\.properties).filter { $0.isRequired && $0.fallback == nil }
        guard !moved.isEmpty, needed.allSatisfy({ moved.values.contains($0.key) }) else { return }
        if lineage == Lineage.owner { family.makesOwners = true }
        for key in moved.keys { takeOut(key) }
        step.code.append(
            .make(
                .init(lineage: lineage, name: target.name, version: target.version, moved: moved, identity: identity),
                into: addMade(.model(lineage))))
    }

    /// Takes a value out of a model inside, which is as it was before its own steps.
    private mutating func pull() {
        let index = candidate { if case .model = $0.kind { true } else { false } }
        guard let index, case .model(let lineage) = schema.properties[index].kind else { return }
        // Its version may be that of any earlier program. The key must have meant the same in all of them.
        let former = family.programs
        let keys = former[0].chain(lineage).flatMap { level in
            level.properties.filter { !level.isSnakeCase || $0.key == $0.key.lowercased() }
        }
        let fitting = keys.filter { property in
            let isSame = former.allSatisfy { program in
                program.chain(lineage).flatMap(\.properties).contains {
                    $0.key == property.key && $0.kind == property.kind && $0.isPlain
                }
            }
            // In a row, a reference is no more than its identity.
            let isVisible = lineage != EvolutionFamily.Lineage.owner || former[0].identity(lineage) == property.key
            return isSame && isVisible && property.isPlain
        }
        guard !fitting.isEmpty else { return }
        let inner = family.numbers.pick(fitting)
        let holder = schema.properties[index].key
        touched.insert(holder)
        step.code.append(.pull(inner.key, from: holder, into: addMade(inner.kind)))
        guard family.numbers.once(in: 2) else { return }
        step.code.append(.drop(holder))
        takeOut(holder)
    }

    private mutating func hook() {
        if family.numbers.once(in: 2) {
            // A hook sees a default that an archive holds; the article does not say so of the other forms.
            guard let index = candidate({ $0.kind == .string(.words) && $0.fallback == nil }) else { return }
            touched.insert(schema.properties[index].key)
            schema.properties[index].hook = .upper
        } else {
            // Instead of a rename.
            guard let index = candidate({ !$0.isMade && $0.fallback == nil }) else { return }
            let old = schema.properties[index].key
            schema.properties[index].key = family.key()
            schema.properties[index].hook = .fallback(old)
            touched.formUnion([old, schema.properties[index].key])
        }
    }
}
