import Pallium

/// Prints the schemas and models of an archive as a tree.
///
///     Contact version 1: 2 objects
///       name: string
///       boss: model
///
///     #0 Contact
///       name: "Ada"
///       boss: #1 Contact
///         name: "Charles"
///         boss: null
///
/// Every object is shown once, at its first occurrence; other occurrences show its number. Objects that would be
/// indented too far are shown at the margin later.
struct StoredTree {
    private static let maximumDepth = 32
    private static let textLength = 1000
    private static let maximumElements = 1000

    /// The output that is left to print: lines, or the content of an object.
    private enum Task {
        case line(String, depth: Int)
        case object(Int, label: String, depth: Int)
    }

    private let graph: StoredGraph
    private let output: ByteOutput
    private var isShown: [Bool]
    private var progress: Progress

    /// - Parameter progress: Told of each object.
    init(_ graph: StoredGraph, output: ByteOutput, progress: Progress) {
        self.graph = graph
        self.output = output
        self.progress = progress
        isShown = Array(repeating: false, count: graph.objects.count)
    }

    /// Prints everything.
    mutating func write() throws(Interruption) {
        var counts = Array(repeating: 0, count: graph.schemas.count)
        for object in graph.objects { counts[object.schema] += 1 }
        for (schema, count) in zip(graph.schemas, counts) { try write(schema, count) }
        for root in graph.roots { try write(object: root) }
        // Objects that were nested too deep, and those that no root reaches.
        let masked = graph.maskedObjects()
        for number in graph.objects.indices where !isShown[number] && !masked.contains(number) {
            try write(object: number)
        }
    }

    private func write(_ schema: ArchivedSchema, _ count: Int) throws(Interruption) {
        let levels = schema.levels.map { "\(ModelError.shorten($0.name, to: 64)) version \($0.version)" }
        try output.append("\n\(levels.joined(separator: ", extends ")): \(Quantity.count(count, "object"))\n")
        for property in schema.properties {
            let mark = property.isSensitive ? " (masked)" : ""
            try output.append("  \(ModelError.shorten(property.key, to: 64)): \(property.kind)\(mark)\n")
        }
    }

    private mutating func write(object number: Int) throws(Interruption) {
        if isShown[number] { return }
        try output.append("\n")
        var tasks = [Task.object(number, label: "", depth: 0)]
        while let task = tasks.popLast() {
            switch task {
            case .line(let text, let depth): try append(text, depth)
            case .object(let number, let label, let depth):
                let (schema, model) = graph.objects[number]
                try append(
                    label + "#\(number) \(ModelError.shorten(graph.schemas[schema].levels[0].name, to: 64))", depth
                )
                guard !isShown[number], depth < Self.maximumDepth else { continue }
                isShown[number] = true
                progress.advance()
                tasks += content(of: number, schema, model, depth + 1).reversed()
            }
        }
    }

    private func content(of number: Int, _ schema: Int, _ model: FormerModel, _ depth: Int) -> [Task] {
        var tasks: [Task] = []
        for property in graph.schemas[schema].properties {
            guard let value = model[property.key] else { continue }
            let label = ModelError.shorten(property.key, to: 64) + ": "
            if property.isSensitive, value != .null {
                tasks.append(.line(label + MaskedValue.text, depth: depth))
            } else {
                let mark = model.isDefaulted(property.key) ? " (default)" : ""
                add(value, label, mark, depth, to: &tasks)
            }
        }
        for (name, value) in graph.preserved[number] ?? JSONObject() {
            tasks.append(.line("\(ModelError.shorten(name, to: 64)) (unknown): \(text(.json(value)))", depth: depth))
        }
        return tasks
    }

    /// Recursion is bounded by the nesting of kinds.
    private func add(_ value: FormerModel.Value, _ label: String, _ mark: String, _ depth: Int, to tasks: inout [Task])
    {
        switch value {
        case .model(let reference): tasks.append(.object(reference.number, label: label, depth: depth))
        case .array(let elements):
            tasks.append(.line("\(label)\(Quantity.count(elements.count, "element"))\(mark)", depth: depth))
            for (index, element) in elements.prefix(Self.maximumElements).enumerated() {
                add(element, "\(index): ", "", depth + 1, to: &tasks)
            }
            addRest(elements.count, depth + 1, to: &tasks)
        case .dictionary(let entries):
            tasks.append(.line("\(label)\(Quantity.count(entries.count, "element"))\(mark)", depth: depth))
            for entry in entries.prefix(Self.maximumElements) {
                add(entry.value, "\(ModelError.shorten(entry.key, to: 64)): ", "", depth + 1, to: &tasks)
            }
            addRest(entries.count, depth + 1, to: &tasks)
        default: tasks.append(.line(label + text(value) + mark, depth: depth))
        }
    }

    private func addRest(_ count: Int, _ depth: Int, to tasks: inout [Task]) {
        if count > Self.maximumElements {
            tasks.append(.line("… and \(count - Self.maximumElements) more", depth: depth))
        }
    }

    private func text(_ value: FormerModel.Value) -> String {
        ModelError.shorten(value.shownText, to: Self.textLength)
    }

    private func append(_ text: String, _ depth: Int) throws(Interruption) {
        try output.append(String(repeating: "  ", count: depth) + text + "\n")
    }
}
