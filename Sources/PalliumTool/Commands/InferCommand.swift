import Pallium

/// `pallium infer`: infers schemas from sample documents.
struct InferCommand: RunnableCommand {
    let arguments: InferArguments
    let output: ByteOutput
    let diagnostics: Diagnostics

    func run() throws(Interruption) -> ExitStatus {
        var inference = SchemaInference(name: arguments.name)
        let adapter = try diagnostics.reporting(arguments.name) { () throws(ModelError) in try sampleAdapter() }
        let source = DocumentSource(
            arguments.inputs, isLines: arguments.isLines, adapter: adapter, diagnostics: diagnostics)
        do throws(Interruption) {
            try source.forEach(willWait: {}) { decoded throws(Interruption) in
                try add(decoded, to: &inference)
            }
        } catch .enough {}
        let names = arguments.inputs.map { InputFile.displayName(of: $0) }.joined(separator: ", ")
        let inferred = try diagnostics.reporting(names) { () throws(ModelError) in try inference.inferred() }
        try write(inferred)
        for (position, item) in inferred.enumerated() { sumUp(item, noun: position == 0 ? "sample" : "object") }
        return .success
    }

    /// Makes an adapter that takes every object and keeps all its members.
    private func sampleAdapter() throws(ModelError) -> JSONAdapter<DynamicModel> {
        var options = JSONAdapterOptions()
        options.unknownMembers = .keep
        let schema = ModelSchema(arguments.name, [:])
        let registry = SchemaRegistry()
        // Nothing can be wrong with a schema without properties whose name was checked.
        try? registry.register(schema)
        return try JSONAdapter(schema: schema, registry: registry, options: options)
    }

    private func add(_ decoded: Decoded, to inference: inout SchemaInference) throws(Interruption) {
        if !decoded.problems.isEmpty {
            diagnostics.report(decoded.problems, file: decoded.file, location: decoded.location)
            throw .problem
        }
        let rest = arguments.maximumSamples.map { $0 - inference.sampleCount } ?? .max
        var isContinued = false
        if case .at(let index) = decoded.element { isContinued = index > 0 }
        inference.add(
            decoded.models.prefix(rest).map { $0.preservedMembers ?? JSONObject() }, isContinued: isContinued)
        if let maximum = arguments.maximumSamples, inference.sampleCount >= maximum { throw .enough }
    }

    private func write(_ inferred: [InferredSchema]) throws(Interruption) {
        let written: SchemaOutput
        do throws(SchemaError) {
            written = try SchemaOutput(inferred.map(\.schema), SchemaRegistry(), folder: arguments.folder)
        } catch {
            // Names of members that together exceed the limits of schema documents.
            diagnostics.say(ModelError.shorten("the schemas cannot be written: \(error)", to: 4096))
            throw .problem
        }
        try written.write(to: output)
    }

    private func sumUp(_ item: InferredSchema, noun: String) {
        var text = "\(item.schema.name): \(Quantity.count(item.objects, noun))"
        text += ", \(item.schema.properties.count.counted("property", "properties"))"
        if let identity = item.identity {
            let key = ModelError.shorten(identity.key, to: 64)
            text += ", identity \"\(key)\" (\(identity.distinct) distinct of \(identity.objects))"
        }
        diagnostics.sumUp(text)
    }
}
