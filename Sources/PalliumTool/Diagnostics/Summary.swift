/// Counts what a run did.
package struct Summary {
    /// A schema's name, compared by bytes.
    private struct Name: Hashable {
        let text: String

        static func == (left: Name, right: Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }

    private var models: [Name: Int] = [:]
    private(set) var problems = 0

    package init() {}

    /// Counts the models and problems of a document.
    package mutating func add(schemas: [String], problems: Int) {
        for schema in schemas { models[Name(text: schema), default: 0] += 1 }
        self.problems += problems
    }

    /// `30 models (12 PushEvent, 8 ForkEvent), 22.9 kB in 14 ms, no problems`: the most frequent schema first, then by
    /// name.
    package func text(bytes: Int, time: Duration) -> String {
        let sorted = models.sorted { left, right in
            left.value == right.value
                ? left.key.text.utf8.lexicographicallyPrecedes(right.key.text.utf8) : left.value > right.value
        }
        let schemas = sorted.map { "\($0.value) \(PrintableText.escape($0.key.text, limit: 64))" }
        let detail = schemas.isEmpty ? "" : " (\(schemas.joined(separator: ", ")))"
        return Quantity.count(models.values.reduce(0, +), "model") + detail
            + ", \(Quantity.size(bytes)) in \(Quantity.time(time)), \(Quantity.count(problems, "problem"))"
    }
}
