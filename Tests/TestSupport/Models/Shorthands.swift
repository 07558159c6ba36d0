package import PalliumCore
import PalliumJSON
import PalliumMerging

// What tests say often.

extension DynamicModel {
    /// The model in a property.
    package func model(_ key: String) -> DynamicModel? { self[key, as: DynamicModel.self] }

    /// The models in an array.
    package func models(_ key: String) -> [DynamicModel] { self[key, as: [DynamicModel].self] ?? [] }
}

extension Sequence<ModelChange> {
    /// The places of the changes.
    package var pointers: [String] { map(\.pointer.description) }
}
