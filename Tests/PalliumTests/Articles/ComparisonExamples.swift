import Pallium
import PalliumTrials

/// The example of the article *ComparingSchemas*.
enum ComparisonExamples {
    static func compare(_ released: SchemaRegistry, _ current: SchemaRegistry, log: (String) -> Void) throws {
        let comparison = try SchemaComparison(of: released, with: current)
        for change in comparison.changes where change.severity == .breaking {
            log("\(change)")
        }
    }
}
