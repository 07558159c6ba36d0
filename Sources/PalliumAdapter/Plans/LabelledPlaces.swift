package import PalliumCore
import PalliumJSON

/// Where documents of a schema have values with labels, to mask them in texts that people read.
///
/// The places of all schemas that a cluster could choose count at once, because what is wrong with a document may be its
/// discriminator. Nothing below a labelled place is told: the names of members and the numbers of elements are values.
package struct LabelledPlaces: Sendable {
    /// A member on a key path.
    private struct Place: Sendable {
        var isLabelled = false
        /// Whether a key path leads on from here to a value with a label.
        var leadsToLabel = false
        var members: [UTF8Key: Int] = [:]
        /// The place of all elements of an array.
        var elements: Int?
        /// The models of the properties that are read here.
        var models: Set<Models> = []
    }

    /// Models of a schema or its descendants, alone or in lists, below a number of dictionaries.
    fileprivate struct Models: Hashable, Sendable {
        let layout: ObjectIdentifier
        let dictionaries: Int

        init(_ value: ValueDescriptor, _ layout: ModelLayout) {
            var (current, dictionaries) = (value, 0)
            while let element = current.element {
                if current.kind == .dictionary { dictionaries += 1 }
                current = element
            }
            self.init(ObjectIdentifier(layout), dictionaries)
        }

        init(_ layout: ObjectIdentifier, _ dictionaries: Int) {
            self.layout = layout
            self.dictionaries = dictionaries
        }
    }

    /// One of the meanings that a value of a document has.
    fileprivate enum Meaning: Hashable, Sendable {
        case place(Int)
        case models(Models)
    }

    /// What may be told about a value of a document.
    struct Site: Sendable {
        fileprivate var meanings: Set<Meaning> = []
        /// Whether the value has a label.
        fileprivate(set) var isLabelled = false
        /// Whether the value is an object or array on the key path to a value with a label. Anything else in its place may be
        /// that value.
        fileprivate(set) var leadsToLabel = false
        /// Whether no value below can have a label.
        var isPlain: Bool { meanings.isEmpty && !isLabelled }
    }

    private let places: [Place]
    /// The places of the objects of each layout and its descendants.
    private let objects: [ObjectIdentifier: [Int]]
    /// The layouts whose models, or those of descendants, hold values with labels, themselves or in other models.
    private let reaching: Set<ObjectIdentifier>
    /// The layout of the documents that are followed.
    private var root: ObjectIdentifier?

    /// Finds the places in the documents of some plans, which refer to no others.
    init(_ plans: [JSONPlan]) {
        reaching = Self.layoutsThatReachLabels(plans)
        var places: [Place] = []
        var objects: [ObjectIdentifier: [Int]] = [:]
        for plan in plans {
            for layout in plan.layout.lineage { objects[ObjectIdentifier(layout), default: []].append(places.count) }
            Self.add(plan, reaching, to: &places)
        }
        self.places = places
        self.objects = objects
    }

    /// Returns the places in the documents of a layout; nil if they have no value with a label.
    func below(_ root: ModelLayout) -> LabelledPlaces? {
        guard reaching.contains(ObjectIdentifier(root)) else { return nil }
        var places = self
        places.root = ObjectIdentifier(root)
        return places
    }

    private static func layoutsThatReachLabels(_ plans: [JSONPlan]) -> Set<ObjectIdentifier> {
        // From each layout to those that hold its models, and to its parent, whose properties may hold them.
        var holders: [ObjectIdentifier: [ObjectIdentifier]] = [:]
        var pending: [ObjectIdentifier] = []
        for plan in plans {
            let layout = ObjectIdentifier(plan.layout)
            if let parent = plan.layout.parent { holders[layout, default: []].append(ObjectIdentifier(parent)) }
            for property in plan.layout.properties {
                if property.descriptor.isSensitive { pending.append(layout) }
                guard let model = property.descriptor.innermost.model else { continue }
                holders[ObjectIdentifier(model), default: []].append(layout)
            }
            for model in plan.values.compactMap(\.model) {
                holders[ObjectIdentifier(model.layout), default: []].append(layout)
            }
        }
        var result: Set<ObjectIdentifier> = []
        while let next = pending.popLast() {
            if result.insert(next).inserted { pending += holders[next] ?? [] }
        }
        return result
    }

    private static func add(_ plan: JSONPlan, _ reaching: Set<ObjectIdentifier>, to places: inout [Place]) {
        let object = places.count
        places.append(Place())
        for (slot, value) in plan.values.enumerated() where value.operation != .absent {
            for path in plan.paths(of: slot) {
                var place = object
                let isSensitive = value.descriptor.isSensitive
                for step in path.steps {
                    if isSensitive, place != object { places[place].leadsToLabel = true }
                    let next: Int?
                    switch step {
                    case .member(let name): next = places[place].members[UTF8Key(name)]
                    case .element: next = places[place].elements
                    }
                    if next == nil { places.append(Place()) }
                    let entered = next ?? places.count - 1
                    switch step {
                    case .member(let name): places[place].members[UTF8Key(name)] = entered
                    case .element: places[place].elements = entered
                    }
                    place = entered
                }
                add(value, reaching, to: &places[place])
                guard isSensitive, path.steps.count > 1 else { continue }
                // In the object of several paths, the whole path is the name of a member.
                places.append(Place(isLabelled: true))
                let part = UTF8Key(path.description)
                if places[object].members[part] == nil { places[object].members[part] = places.count - 1 }
            }
        }
    }

    private static func add(_ value: ValuePlan, _ reaching: Set<ObjectIdentifier>, to place: inout Place) {
        if value.descriptor.isSensitive { place.isLabelled = true }
        let read = value.input?.descriptor ?? value.descriptor
        let held = [read.innermost.model, value.descriptor.innermost.model].compactMap(\.self)
        guard held.contains(where: { reaching.contains(ObjectIdentifier($0)) }) else { return }
        if let models = read.innermost.model {
            place.models.insert(Models(read, models))
        } else {
            // A transformer of yours makes the models, so the values with labels may be anywhere.
            place.isLabelled = true
        }
    }

    // MARK: Following a document

    /// A whole document: a model or an array of them.
    var document: Site { root.map { Site(meanings: [.models(Models($0, 0))]) } ?? Site() }

    /// The value of a member of an object.
    func member(_ name: String, of site: Site) -> Site {
        var result = Site()
        for meaning in site.meanings {
            switch meaning {
            case .place(let number): enter(places[number].members[UTF8Key(name)], &result)
            case .models(let models) where models.dictionaries > 0:
                result.meanings.insert(.models(Models(models.layout, models.dictionaries - 1)))
            case .models(let models):
                for object in objects[models.layout] ?? [] { enter(places[object].members[UTF8Key(name)], &result) }
            }
        }
        return result
    }

    /// An element of an array.
    func element(of site: Site) -> Site {
        var result = Site()
        for meaning in site.meanings {
            switch meaning {
            case .place(let number): enter(places[number].elements, &result)
            case .models: result.meanings.insert(meaning)
            }
        }
        return result
    }

    private func enter(_ number: Int?, _ site: inout Site) {
        guard let number else { return }
        if places[number].isLabelled { site.isLabelled = true }
        if places[number].leadsToLabel { site.leadsToLabel = true }
        site.meanings.insert(.place(number))
        for models in places[number].models { site.meanings.insert(.models(models)) }
    }

    /// Whether a value has a label, or holds or belongs to one that has.
    package func concern(_ tokens: [String]) -> Bool {
        var site = document
        for token in tokens {
            site = self.site(token, of: site)
            if site.isLabelled { return true }
            if site.isPlain { return false }
        }
        return true
    }

    /// The value of a member, or the element of an array: where the position of an element could also be the name of a
    /// member, it counts as one.
    private func site(_ token: String, of site: Site) -> Site {
        let inside = member(token, of: site)
        let element = Int(token) == nil && token != "-" ? Site() : self.element(of: site)
        return Site(
            meanings: inside.meanings.union(element.meanings), isLabelled: inside.isLabelled || element.isLabelled,
            leadsToLabel: inside.leadsToLabel || element.leadsToLabel)
    }

    // MARK: Errors

    /// Returns an error about a document, of which nothing below a labelled place is told.
    package func masked(_ error: ModelError) -> ModelError {
        error.maskingEach { problem in
            var site = document
            for (index, token) in (problem.wholePointer?.tokens ?? []).enumerated() {
                site = self.site(token, of: site)
                if site.isLabelled { return index + 1 }
                if site.isPlain { return nil }
            }
            return site.leadsToLabel && problem.code == .typeMismatch ? problem.wholePointer?.tokens.count : nil
        }
    }
}
