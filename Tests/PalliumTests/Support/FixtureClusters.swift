import Pallium

/// The class cluster of the conformance table: ice cream by flavour.
class ClusterModel: DynamicModel {
    final var flavor: String? {
        get { value() }
        set { set(newValue) }
    }

    static let schema = ModelSchema(
        ClusterModel.self, ["flavor": .string],
        cluster: .discriminator(
            "flavor",
            ["chocolate": .modelClass(ChocolateModel.self), "strawberry": .modelClass(StrawberryModel.self)]))
}

final class ChocolateModel: ClusterModel {
    var bitterness: UInt? {
        get { value() }
        set { set(newValue) }
    }

    static let chocolateSchema = ModelSchema(
        ChocolateModel.self,
        ["bitterness": .unsigned.json("chocolate_bitterness").transformer("CountText")],
        extends: .modelClass(ClusterModel.self))
}

final class StrawberryModel: ClusterModel {
    var freshness: UInt? {
        get { value() }
        set { set(newValue) }
    }

    static let strawberrySchema = ModelSchema(
        StrawberryModel.self, ["freshness": .unsigned.json("strawberry_freshness")],
        extends: .modelClass(ClusterModel.self))
}
