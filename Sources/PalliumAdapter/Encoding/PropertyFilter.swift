import PalliumCore
import PalliumJSON

/// Chooses the properties that a call writes: combines `only:` and `except:`.
struct PropertyFilter {
    /// The choice for one model.
    struct Selection {
        let only: PropertySelection.Branch
        let except: PropertySelection.Branch
        /// Whether each slot of the model is written.
        private(set) var slots: [Bool] = []

        /// Whether `only:` names the properties that are written.
        var isLimited: Bool { !only.isEverything }

        init(only: PropertySelection.Branch, except: PropertySelection.Branch) {
            self.only = only
            self.except = except
        }

        /// Chooses among the slots that a model writes.
        mutating func choose(of model: DynamicModel, _ written: [Int]) {
            slots = Array(repeating: false, count: model.layout.properties.count)
            // A slot with parts is written into several members, but your closure sees it once.
            var isAsked = slots
            for slot in written where !isAsked[slot] {
                isAsked[slot] = true
                let key = model.layout.properties[slot].key
                slots[slot] = only.includes(key, of: model) && !except.includesAll(key, of: model)
            }
        }

        /// The choice for models inside a property; nil if everything there is written.
        func inside(_ key: String) -> Selection? {
            let (only, except) = (only.inside(key), except.inside(key))
            return only.isEverything && except.isNothing ? nil : Selection(only: only, except: except)
        }
    }

    /// The choice for root models.
    let whole: Selection

    /// Makes a filter for the models inside a property; nil if everything there is written.
    init?(_ inside: Selection?) {
        guard let inside else { return nil }
        whole = inside
    }

    /// Makes a filter from the arguments of a call; nil if everything is written.
    ///
    /// - Throws: ``ModelError`` with the code `unknownKey` for a key that no model at that level can have, and for one
    ///   with a meaningless backslash.
    init?(only: PropertySelection?, except: PropertySelection?, _ plans: JSONPlanSet) throws(ModelError) {
        guard only != nil || except != nil else { return nil }
        for selection in [only, except] {
            if let key = selection?.malformed {
                throw ModelError(
                    .unknownKey, expected: "a backslash only in front of a dot or a backslash",
                    found: ModelError.quote(key), schema: plans.root.layout.schema.name)
            }
            if case .keys(let tree)? = selection?.branch { try plans.check(tree) }
        }
        whole = Selection(only: only?.branch ?? .everything, except: except?.branch ?? .nothing)
    }
}

extension JSONPlanSet {
    /// Throws for keys that no model at their level can have.
    fileprivate func check(_ tree: PropertySelection.Tree) throws(ModelError) {
        var pending = [(tree: tree, layouts: [root.layout])]
        while let (tree, layouts) = pending.popLast() {
            for (key, inner) in tree.children.sorted(by: { UTF8Text.precedes($0.key.text, $1.key.text) }) {
                let known = layouts.flatMap { properties(called: key.text, below: $0) }
                if known.isEmpty { throw layouts[0].unknownKeyError(key.text) }
                if inner.children.isEmpty { continue }
                let models = known.compactMap(\.innermost.model)
                if models.isEmpty {
                    throw ModelError(
                        .unknownKey, expected: "a property of models before the dot", found: ModelError.quote(key.text),
                        schema: layouts[0].schema.name)
                }
                pending.append((inner, models))
            }
        }
    }
}
