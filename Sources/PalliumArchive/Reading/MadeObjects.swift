import PalliumCore
import PalliumJSON

/// The models that steps made, in the order in which values first refer to them.
struct MadeObjects {
    /// The present schema and the steps for made models of one schema and version.
    private final class Plan {
        let choice: SchemaChoice
        let upgrades: [UpgradePlan?]

        init(_ model: FormerModel, _ source: LayoutSource?) throws(ModelError) {
            guard case .readable(let schemas)? = source else {
                throw .archive(expected: "a model of the archive", found: "one that a step made")
            }
            choice = try schemas.choice(model.schema, version: model.version)
            var upgrades: [UpgradePlan?] = []
            for layout in choice.candidates {
                upgrades.append(try UpgradePlan(model.levels, layout, isDirect: true))
            }
            self.upgrades = upgrades
        }
    }

    /// A made model that must be filled.
    struct Next {
        /// Its number among the made models.
        let number: Int
        let model: DynamicModel
        let values: FormerModel
        let upgrade: UpgradePlan?
    }

    var source: LayoutSource?
    private(set) var models: [DynamicModel] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The made models, retained so that their identities stay unique.
    private var added: [MadeModel] = []
    private var plans: [UTF8Key: Plan] = [:]
    private var pending: [Next] = []

    mutating func takeNext() -> Next? { pending.popLast() }

    /// Returns the object of a made model, if it was added before.
    func object(of made: MadeModel) -> DynamicModel? { numbers[ObjectIdentifier(made)].map { models[$0] } }

    /// Returns the layout and the steps of a made model that is not added yet.
    ///
    /// - Throws: ``ModelError`` if there is no such schema.
    mutating func plan(for model: FormerModel) throws(ModelError) -> (layout: ModelLayout, upgrade: UpgradePlan?) {
        let name = UTF8Key(model.levels.text)
        let plan: Plan
        if let existing = plans[name] {
            plan = existing
        } else {
            plan = try Plan(model, source)
            plans[name] = plan
        }
        let number = try plan.choice.choose(for: model)
        return (plan.choice.candidates[number], plan.upgrades[number])
    }

    /// Makes the object of a made model; it is filled later.
    mutating func add(_ made: MadeModel, _ layout: ModelLayout, _ upgrade: UpgradePlan?) -> DynamicModel {
        let model = layout.makeEmptyModel()
        numbers[ObjectIdentifier(made)] = models.count
        pending.append(Next(number: models.count, model: model, values: made.model, upgrade: upgrade))
        models.append(model)
        added.append(made)
        return model
    }
}
