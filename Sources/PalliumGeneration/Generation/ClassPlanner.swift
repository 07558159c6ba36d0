import PalliumCore
import PalliumJSON

/// Decides what each class declares.
struct ClassPlanner {
    private let set: SchemaSet
    private let names: PropertyNames
    private var discriminators: FixedDiscriminators
    private var isExtended: Set<Int> = []
    /// The properties, by schema, that a descendant declares with another type.
    private var narrowed: [Int: Set<UTF8Key>] = [:]

    init(_ set: SchemaSet) {
        self.set = set
        names = PropertyNames(set)
        discriminators = FixedDiscriminators(set)
        for index in set.schemas.indices {
            guard let parent = set.parent(of: index) else { continue }
            isExtended.insert(parent)
            findNarrowedProperties(of: index)
        }
    }

    /// Records for the ancestors which properties a schema declares again with another type.
    ///
    /// Swift can override an accessor with one of another type only if the first has no setter.
    private mutating func findNarrowedProperties(of index: Int) {
        let ancestors = set.lineage(of: index).dropLast()
        for property in set.schemas[index].properties {
            guard let own = set.property(property.key, of: index),
                let owner = ancestors.first(where: { set.property(property.key, of: $0) != nil }),
                let last = ancestors.last(where: { set.property(property.key, of: $0) != nil }),
                let inherited = set.property(property.key, of: last)
            else { continue }
            if type(of: own, property.key, owner: owner, declaration: index)
                == type(of: inherited, property.key, owner: owner, declaration: last)
            {
                continue
            }
            for ancestor in ancestors { narrowed[ancestor, default: []].insert(UTF8Key(property.key)) }
        }
    }

    /// Returns the type of the accessor for a property; nil if its kind is not known.
    private func type(
        of property: PropertySchema, _ key: String, owner: Int, declaration: Int
    ) -> SwiftType? {
        guard let kind = set.kind(of: property, key, in: declaration) else { return nil }
        var type = SwiftType(property, kind: kind, enumeration: names.enumeration(for: key, of: owner), in: set)
        if property.isRequired, isLackedByStubs(key, of: declaration) { type?.isOptional = true }
        return type
    }

    /// Whether stubs of a schema may lack a required property.
    private func isLackedByStubs(_ key: String, of index: Int) -> Bool {
        let lineage = set.lineage(of: index).map { set.schemas[$0] }
        guard lineage.contains(where: \.allowsStubs) else { return false }
        let identity = lineage.last { !$0.identity.isEmpty }?.identity ?? []
        return !identity.contains { UTF8Text.equal($0, key) }
    }

    /// Returns the plan of a class.
    ///
    /// - Complexity: O(*n*) in the properties, inherited ones included.
    mutating func plan(_ index: Int) -> ClassPlan {
        let schema = set.schemas[index]
        var plan = ClassPlan(
            schema: schema, name: set.classNames[index], parent: set.parent(of: index).map { set.classNames[$0] },
            isFinal: !isExtended.contains(index),
            isObservable: set.lineage(of: index).first { set.schemas[$0].isObserved } == index)
        var positions: [UTF8Key: Int] = [:]
        var inherited: [ClassPlan.Member] = []
        for ancestor in set.lineage(of: index) {
            let isOwn = ancestor == index
            if isOwn { inherited = plan.members }
            restoreSetters(of: ancestor, isOwn: isOwn, &plan)
            for property in set.schemas[ancestor].properties where property.schema.storage != .notStored {
                if let position = positions[UTF8Key(property.key)] {
                    redeclare(property, at: position, in: ancestor, isOwn: isOwn, index, &plan)
                    continue
                }
                positions[UTF8Key(property.key)] = plan.members.count
                declare(property, in: ancestor, isOwn: isOwn, index, &plan)
            }
        }
        fixDiscriminators(of: index, inherited, &plan)
        return plan
    }

    /// Lets the initialiser set the discriminators that no instance can have otherwise.
    private mutating func fixDiscriminators(of index: Int, _ inherited: [ClassPlan.Member], _ plan: inout ClassPlan) {
        let former = set.parent(of: index).map { discriminators.values(of: inherited, in: $0) } ?? [:]
        plan.fixedValues = discriminators.values(of: plan.members, in: index)
        if plan.fixedValues == former { return }
        plan.hasNewRequirements = true
        func parameters(_ members: [ClassPlan.Member], _ fixed: [UTF8Key: String]) -> [ClassPlan.Member] {
            members.filter { $0.property.isRequired && fixed[UTF8Key($0.key)] == nil }
        }
        let hidden = parameters(inherited, former)
        // One with the same parameters is overridden anyway.
        let isOverridden = hidden.elementsEqual(parameters(plan.members, plan.fixedValues)) {
            UTF8Text.equal($0.key, $1.key) && $0.type?.name == $1.type?.name
        }
        if !isOverridden { plan.hiddenParameters = hidden }
    }

    /// Adds a property that no ancestor has.
    private func declare(
        _ property: ModelSchema.Property, in ancestor: Int, isOwn: Bool, _ index: Int, _ plan: inout ClassPlan
    ) {
        let key = property.key
        let member = ClassPlan.Member(
            key: key, name: names.accessor(for: key, of: ancestor), owner: ancestor,
            path: path(of: property, in: ancestor), property: property.schema,
            type: type(of: property.schema, key, owner: ancestor, declaration: ancestor),
            isSettable: isSettable(property.schema, key, ancestor))
        plan.members.append(member)
        guard isOwn else { return }
        plan.hasNewMembers = true
        if property.schema.isRequired { plan.hasNewRequirements = true }
        plan.accessors.append((member, false))
        if let cases = set.kind(of: property.schema, key, in: ancestor)?.innermostEnumeration {
            plan.enumerations.append(
                EnumerationText(name: names.enumeration(for: key, of: index), enumeration: cases, key: key))
        }
    }

    /// Replaces an inherited property by the declaration of a descendant.
    private func redeclare(
        _ property: ModelSchema.Property, at position: Int, in ancestor: Int, isOwn: Bool, _ index: Int,
        _ plan: inout ClassPlan
    ) {
        let old = plan.members[position]
        var member = old
        member.property = property.schema
        member.path = path(of: property, in: ancestor)
        member.type = type(
            of: property.schema, property.key, owner: old.owner, declaration: ancestor)
        let isNew = member.type != old.type
        // An override cannot take a setter away.
        member.isSettable = isSettable(property.schema, property.key, ancestor) || old.isSettable
        plan.members[position] = member
        guard isOwn else { return }
        if property.schema.isRequired != old.property.isRequired || isNew { plan.hasNewRequirements = true }
        if isNew || member.isSettable != old.isSettable {
            plan.accessors.append((member, true))
        }
    }

    /// Gives inherited properties the setters that their classes lack because of other descendants.
    private func restoreSetters(of index: Int, isOwn: Bool, _ plan: inout ClassPlan) {
        guard let parent = set.parent(of: index), let keys = narrowed[parent] else { return }
        for position in plan.members.indices where keys.contains(UTF8Key(plan.members[position].key)) {
            var member = plan.members[position]
            guard !member.isSettable, set.property(member.key, of: index) == nil,
                isSettable(member.property, member.key, index)
            else { continue }
            member.isSettable = true
            plan.members[position] = member
            if isOwn { plan.accessors.append((member, true)) }
        }
    }

    private func path(of property: ModelSchema.Property, in index: Int) -> String? {
        let mapping = ResolvedMapping(property.schema, key: property.key, keys: set.schemas[index].keys)
        return mapping.texts.count == 1 ? mapping.texts[0] : nil
    }

    /// Whether the accessor that a class declares for a property has a setter.
    private func isSettable(_ property: PropertySchema, _ key: String, _ index: Int) -> Bool {
        property.access != .readOnly && narrowed[index]?.contains(UTF8Key(key)) != true
    }
}
