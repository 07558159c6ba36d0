// Where Mantle itself is imported, its names are its own.
import Mantle
import Pallium

final class OldIssue: MTLModel, MTLJSONSerializing {}
final class Issue: DynamicModel {}

func both() throws {
    _ = try MTLJSONAdapter.model(of: OldIssue.self, fromJSONDictionary: [:]) as? OldIssue
    let name: String = MTLURLValueTransformerName
    _ = (name, JSONAdapter(Issue.self))
}
