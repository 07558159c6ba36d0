package import PalliumCore
import PalliumJSON

/// The class cluster of the conformance table: ice cream by flavour.
package class ClusterModel: DynamicModel {
    package final var flavor: String? {
        get { value() }
        set { set(newValue) }
    }

    package static let schema = ModelSchema(
        ClusterModel.self, ["flavor": .string],
        cluster: .discriminator(
            "flavor",
            ["chocolate": .modelClass(ChocolateModel.self), "strawberry": .modelClass(StrawberryModel.self)]))
}

package final class ChocolateModel: ClusterModel {
    package var bitterness: UInt? {
        get { value() }
        set { set(newValue) }
    }

    package static let chocolateSchema = ModelSchema(
        ChocolateModel.self,
        ["bitterness": .unsigned.json("chocolate_bitterness").transformer(IntegerTextTransformerName)],
        extends: .modelClass(ClusterModel.self))
}

package final class StrawberryModel: ClusterModel {
    package var freshness: UInt? {
        get { value() }
        set { set(newValue) }
    }

    package static let strawberrySchema = ModelSchema(
        StrawberryModel.self, ["freshness": .unsigned.json("strawberry_freshness")],
        extends: .modelClass(ClusterModel.self))
}
