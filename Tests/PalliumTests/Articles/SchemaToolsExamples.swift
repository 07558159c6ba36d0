import Pallium

/// The Swift examples of the article about schema tools, word for word.
enum SchemaToolsExamples {
    static func explain(_ adapter: JSONAdapter<DynamicModel>, log: (String) -> Void) throws {
        let explanation = try adapter.explain("htmlURL")
        log("\(explanation)")
    }
}
