import PalliumCore
import PalliumDocuments
import PalliumJSON

/// Describes a property for a page.
struct PropertyDescription {
    typealias Line = SchemaPage.Line

    let declaration: ModelSchema.Property
    let shape: DocumentShape
    let graph: ModelGraph
    let registry: SchemaRegistry

    private var layout: ModelLayout { shape.layout }
    private var schema: PropertySchema { declaration.schema }

    /// The description.
    var property: SchemaPage.Property {
        SchemaPage.Property(
            key: declaration.key, path: Self.path(shape[declaration.key]), kind: kind, mayBeMissing: !schema.isRequired,
            defaultValue: defaultValue,
            marks: schema.modifiersInWords, documentation: schema.documentation, rules: rules)
    }

    /// Describes the key paths of a property; without one, of a property that has no slot.
    static func path(_ property: DocumentShape.Property?) -> Line {
        guard let property, !property.paths.isEmpty else { return [.text("not in JSON")] }
        let separator = property.combination == .allOf ? " and " : ", else "
        return Array(property.paths.map { [.code($0.description)] }.joined(separator: [.text(separator)]))
    }

    /// The kind, with the kinds of elements.
    private var kind: Line {
        var line: Line = []
        var schema = schema
        while let element = schema.kind.element {
            line += [.text(schema.kind.name + (element.isNullableByDeclaration ? " of nullable " : " of "))]
            schema = element
        }
        switch schema.kind {
        case .model(let reference):
            line.append(graph.link(reference, registry))
            if schema.isByIdentity { line.append(.text(" or its identity")) }
        case .enumeration(let enumeration): line += Self.describe(enumeration)
        default: line.append(.text(schema.kind.name))
        }
        return line
    }

    private static func describe(_ enumeration: EnumerationSchema) -> Line {
        let cases = enumeration.cases.map { item -> Line in
            let aliases = item.aliases.map { [.code($0.description)] as Line }
            let others: Line =
                aliases.isEmpty ? [] : [.text(" (also ")] + aliases.joined(separator: [.text(", ")]) + [.text(")")]
            return [.code(item.rawValue.description)] + others
        }
        let line: Line = [.text("one of ")] + cases.joined(separator: [.text(", ")])
        switch enumeration.unknown {
        case .fail: return line
        case .keep: return line + [.text("; others are kept")]
        case .fallback(let raw): return line + [.text("; others are read as "), .code(raw.description)]
        }
    }

    private var defaultValue: String? {
        if schema.defaultValue == nil { return nil }
        // A default is a value like any other.
        if schema.isSensitive { return "hidden" }
        let text = DefaultValueText(
            schema: layout.schema.name, key: declaration.key, transformers: registry.transformers)
        return (try? text.json(of: schema))?.description ?? "set by Swift code"
    }

    /// The rules of the property and of its elements, and what else the library does with its values.
    private var rules: [Line] {
        var lines = schema.rules.map { [.text(ContractWriter.sentence(for: $0))] as Line }
        var element = schema.kind.element
        while let schema = element {
            lines += schema.rules.map { [.text("Elements: \(ContractWriter.sentence(for: $0))")] }
            element = schema.kind.element
        }
        if !schema.validators.isEmpty { lines.append([.text("Swift code checks the value.")]) }
        if !schema.transformers.isEmpty {
            let names = schema.transformers.map { [.code($0.unnamed == nil ? $0.description : "Swift code")] as Line }
            lines.append([.text("Converted by ")] + names.joined(separator: [.text(", ")]) + [.text(".")])
        }
        switch schema.nullability {
        case .allowed?: lines.append([.text("Keeps null.")])
        case .refused?: lines.append([.text("Is never null.")])
        case nil: break
        }
        if let inverse = schema.inverse {
            lines.append([.text("The models refer back by "), .code(inverse), .text(".")])
        }
        if let merge = schema.merge { lines.append([.text("Merged by "), .code(merge.name), .text(".")]) }
        if let parent = layout.parent, let slot = parent.index(of: declaration.key),
            let declaring = try? registry.layout(named: parent.properties[slot].descriptor.schema),
            let position = graph.position(of: declaring)
        {
            lines.append([.text("Narrows "), .property(position, key: declaration.key), .text(".")])
        }
        return lines
    }
}
