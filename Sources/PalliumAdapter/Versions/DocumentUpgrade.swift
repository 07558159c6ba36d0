package import PalliumCore
package import PalliumJSON

/// Brings documents that were written by earlier versions of schemas to the present ones.
///
/// Each model in a document takes the steps of its ancestors and its own, then the hooks of its properties set their values.
/// Outer models come first. A reference, which is no more than an identity, takes the steps, too.
///
///     object ──values by key──▶ stored model ──steps, hooks──▶ stored model ──what changed──▶ object
///                                                                                └─▶ models inside, each in the same way
package struct DocumentUpgrade<Form: DocumentForm> {
    /// The steps of one layout from some versions, and where they find values.
    private final class Route {
        let levels: [FormerModel.Level]
        let plan: UpgradePlan?
        let places: Form.Places

        init(_ levels: [FormerModel.Level], _ layout: ModelLayout, _ form: Form) throws(ModelError) {
            self.levels = levels
            plan = try UpgradePlan(levels, layout, isDirect: true)
            places = form.places(of: layout, before: plan)
        }
    }

    /// How deep models may be nested where one of them takes steps: shallow enough for any stack.
    private static var maximumDepth: Int { 64 }

    private let versions: SchemaVersions
    private let form: Form
    /// The documents of models with an identity that steps made. Each becomes a row, unless there is one.
    package private(set) var made: [(layout: ModelLayout, document: JSONObject)] = []
    /// Whether a step has changed anything.
    package private(set) var isChanged = false
    /// The pointers of values that no error may tell, although they may not be those of properties with labels.
    package private(set) var hidden: [[String]] = []
    /// The pointer of the present object.
    private var location: [String] = []
    private var depth = 0
    private var routes: [ObjectIdentifier: Route] = [:]
    private var routesOfMade: [UTF8Key: Route] = [:]

    package init(_ versions: SchemaVersions, _ form: Form) {
        self.versions = versions
        self.form = form
    }

    /// Returns the document of a model in the present versions.
    ///
    /// - Throws: ``ModelError`` with the codes `newerVersion`, `olderVersion`, `upgradeFailed` and `depthLimit`.
    package mutating func upgraded(_ document: JSONValue, as declared: ModelLayout) throws(ModelError) -> JSONValue {
        guard case .object(let members) = document else { return document }
        try checkDepth()
        depth += 1
        defer { depth -= 1 }
        var layout = try form.layout(of: members, as: declared, versions)
        // A cluster sees the object as the steps leave it. They run again with those of the descendant that it chooses.
        while let descendant = form.descendant(of: layout, for: try previewed(members, layout)) { layout = descendant }
        let route = try route(of: layout)
        let former = values(of: members, route)
        var model = former
        try route.plan?.apply(to: &model)
        if former.keys.contains(where: { model[$0] != former[$0] }) { isChanged = true }
        var result = try removing(former, notIn: model, from: members, route)
        form.name(layout, in: &result, isMade: false)
        try write(model, former, layout, route, to: &result, formerly: members)
        return .object(result)
    }

    private func checkDepth() throws(ModelError) {
        guard depth < Self.maximumDepth else {
            throw ModelError(
                .depthLimit, expected: "models of at most \(Self.maximumDepth.counted("level"))", found: "deeper ones")
        }
    }

    /// Returns an object as steps leave it, with the models inside as they stand there.
    private mutating func previewed(_ members: JSONObject, _ layout: ModelLayout) throws(ModelError) -> JSONObject {
        let route = try route(of: layout)
        guard layout.schema.cluster != nil, let plan = route.plan else { return members }
        let former = values(of: members, route)
        var model = former
        try plan.runSteps(on: &model)
        var result = try removing(former, notIn: model, from: members, route)
        for key in model.keys where model[key] != former[key] {
            guard let value = model[key] else { continue }
            try route.places.set(value.shallowJSON, forKey: key, in: &result, formerly: members)
        }
        return result
    }

    /// Returns an object without the former values that a model has no longer.
    private func removing(
        _ former: FormerModel, notIn model: FormerModel, from members: JSONObject, _ route: Route
    ) throws(ModelError) -> JSONObject {
        var result = members
        for key in former.keys where model[key] != former[key] {
            for path in route.places.paths(of: key) { try result.set(nil, at: path) }
        }
        return result
    }

    /// The values of an object as steps see them.
    private func values(of members: JSONObject, _ route: Route) -> FormerModel {
        var model = route.places.values(in: members, route.levels)
        model.datesAreNumbers = form.datesAreNumbers
        return model
    }

    private mutating func route(of layout: ModelLayout) throws(ModelError) -> Route {
        if let route = routes[ObjectIdentifier(layout)] { return route }
        let route = try Route(versions.levels(of: layout), layout, form)
        routes[ObjectIdentifier(layout)] = route
        return route
    }

    // MARK: Writing

    /// Writes the values that steps have changed, and the models in the others in their present versions.
    private mutating func write(
        _ model: FormerModel, _ former: FormerModel?, _ layout: ModelLayout, _ route: Route,
        to members: inout JSONObject, formerly document: JSONObject
    ) throws(ModelError) {
        var changed: Set<UTF8Key> = []
        for key in model.keys {
            guard let value = model[key], value != former?[key] else { continue }
            isChanged = true
            changed.insert(UTF8Key(key))
            let descriptor = layout.index(of: key).map { layout.properties[$0].descriptor }
            if model.isSensitive(key) { hidden += route.places.paths(of: key).map { location + $0.tokens } }
            do throws(ModelError) {
                let json = try json(value, descriptor)
                try route.places.set(json, forKey: key, in: &members, formerly: document)
            } catch { throw error.under(property: key, isSensitive: model.isSensitive(key)) }
        }
        for property in layout.properties
        where property.descriptor.holdsModels && !changed.contains(UTF8Key(property.key)) {
            guard let path = route.places.pathOfModels(property, in: members), let value = path.value(in: members)
            else { continue }
            let tokens = path.tokens
            location += tokens
            defer { location.removeLast(tokens.count) }
            do throws(ModelError) {
                let upgraded = try models(in: value, property.descriptor)
                if upgraded != value { try members.set(upgraded, at: path) }
            } catch { throw tokens.reversed().reduce(error) { $0.under(key: $1) } }
        }
    }

    /// Returns a value that a step has set, with the models in it in their present versions.
    private mutating func json(
        _ value: FormerModel.Value, _ descriptor: ValueDescriptor?
    ) throws(ModelError) -> JSONValue {
        guard let descriptor, descriptor.holdsModels else { return try form.json(value, descriptor) }
        switch value {
        case .model(let reference):
            // A model of the document is JSON, so a step has made this one.
            guard let model = reference.model, let declared = descriptor.model else { return try value.json }
            // A changed copy of a model of the document.
            if model.schema.isEmpty { return try models(in: value.json, descriptor) }
            return try made(model, as: declared, descriptor)
        case .array(let elements):
            guard let element = descriptor.element else { return try value.json }
            var result: [JSONValue] = []
            for value in elements { result.append(try json(value, element)) }
            return .array(result)
        case .dictionary(let entries):
            guard let element = descriptor.element else { return try value.json }
            var result = JSONObject()
            for entry in entries { result.updateValue(try json(entry.value, element), forKey: entry.key) }
            return .object(result)
        default: return try models(in: form.json(value, descriptor), descriptor)
        }
    }

    /// Returns the document of a model that a step has made, which takes the later steps of its schema.
    private mutating func made(
        _ model: FormerModel, as declared: ModelLayout, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> JSONValue {
        let candidates = [declared] + declared.registry.descendants(of: declared)
        guard
            let layout = candidates.first(where: { $0.schema.isCalled(model.schema, atVersion: model.version) })
        else {
            throw ModelError(
                .typeMismatch, descriptor, expected: descriptor.expectation, found: "a model of \(model.schema)")
        }
        try checkDepth()
        depth += 1
        defer { depth -= 1 }
        let name = UTF8Key("\(layout.schema.name)\n\(model.version)")
        let route: Route
        if let known = routesOfMade[name] {
            route = known
        } else {
            route = try Route(model.levels, layout, form)
            routesOfMade[name] = route
        }
        var model = model
        model.datesAreNumbers = form.datesAreNumbers
        try route.plan?.apply(to: &model)
        var members = JSONObject()
        form.name(layout, in: &members, isMade: true)
        try write(model, nil, layout, route, to: &members, formerly: [:])
        guard let root = form.rowLayout(of: layout) else { return .object(members) }
        made.append((layout, members))
        return root.reference(to: members)
    }

    // MARK: Models inside

    /// Returns a value with the models in it in their present versions.
    ///
    /// Recursion is as deep as the nesting of kinds and of models, which are limited.
    private mutating func models(
        in value: JSONValue, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> JSONValue {
        switch value {
        case .string where descriptor.property.isByIdentity, .number where descriptor.property.isByIdentity:
            return try descriptor.model.map { layout throws(ModelError) in try identity(value, of: layout) } ?? value
        case .object where descriptor.kind == .model:
            guard let layout = descriptor.model else { return value }
            if let root = form.rowLayout(of: layout) { return try reference(value, to: root) }
            return try upgraded(value, as: layout)
        case .object(let members):
            guard let element = descriptor.element else { return value }
            var result = JSONObject()
            for (key, member) in members {
                result.updateValue(try models(in: member, under: key, element), forKey: key)
            }
            return .object(result)
        case .array(let elements):
            guard let element = descriptor.element else { return value }
            var result: [JSONValue] = []
            for (index, member) in elements.enumerated() {
                result.append(try models(in: member, under: "\(index)", element))
            }
            return .array(result)
        default: return value
        }
    }

    private mutating func models(
        in element: JSONValue, under key: String, _ descriptor: ValueDescriptor
    ) throws(ModelError) -> JSONValue {
        location.append(key)
        defer { location.removeLast() }
        do throws(ModelError) { return try models(in: element, descriptor) } catch { throw error.under(key: key) }
    }

    /// Returns the identity that the steps of a schema make of one that stands in place of a model.
    private mutating func identity(_ value: JSONValue, of layout: ModelLayout) throws(ModelError) -> JSONValue {
        let route = try route(of: layout)
        guard let plan = route.plan else { return value }
        let key = layout.properties[layout.identitySlots[0]].key
        var former = FormerModel(route.levels)
        former[plan.formerKey(of: key)] = FormerModel.Value(json: value)
        var model = former
        // Code that needs more than an identity says nothing about one that is complete without it.
        if (try? plan.apply(to: &model)) == nil {
            model = former
            try plan.runSteps(on: &model, runsCode: false)
        }
        guard let upgraded = try model[key]?.json, upgraded != value else { return value }
        isChanged = true
        if model.isSensitive(key) { hidden.append(location) }
        return upgraded
    }

    /// Returns a reference with the identity that the steps of its schema give it.
    private mutating func reference(_ reference: JSONValue, to root: ModelLayout) throws(ModelError) -> JSONValue {
        let (made, hidden) = (made, hidden)
        defer { (self.made, self.hidden) = (made, hidden) }
        do throws(ModelError) {
            return root.reference(to: try upgraded(reference, as: root).objectValue ?? [:])
        } catch {
            // Code that needs more than an identity says nothing about one that is complete without it.
            guard case .object(let members) = reference else { throw error }
            let route = try route(of: root)
            var model = values(of: members, route)
            guard (try? route.plan?.runSteps(on: &model, runsCode: false)) != nil else { throw error }
            var result = JSONObject()
            for key in model.keys {
                let descriptor = root.index(of: key).map { root.properties[$0].descriptor }
                guard let value = model[key], let json = try? form.json(value, descriptor) else { continue }
                try route.places.set(json, forKey: key, in: &result, formerly: members)
            }
            guard root.hasIdentity(result) else { throw error }
            return root.reference(to: result)
        }
    }
}

extension ModelLayout {
    private var identityMembers: [String] { identitySlots.map { StoredFormat.member(of: properties[$0].key) } }

    /// Whether a document has an identity.
    fileprivate func hasIdentity(_ document: JSONObject) -> Bool { identityMembers.allSatisfy { document[$0] != nil } }

    /// Returns the reference to the row of a document, which has its identity only.
    fileprivate func reference(to document: JSONObject) -> JSONValue {
        var reference = JSONObject()
        for name in identityMembers { reference[name] = document[name] }
        return .object(reference)
    }
}
