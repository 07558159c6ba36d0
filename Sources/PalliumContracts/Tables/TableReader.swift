import PalliumCore
import PalliumJSON

/// Reads the columns of documents that an adapter writes.
struct TableReader {
    /// How deep models are nested in columns, and how many columns there are.
    private static let maximumDepth = 32
    private static let maximumColumns = 10_000

    private(set) var losses: [TableLoss] = []
    private var known: Set<TableLoss> = []
    private let notation: TableNotation
    private let profile: String?
    private let registry: SchemaRegistry
    private let clusters: DocumentClusters
    /// The members that lead to the present value.
    private var path: [String] = []
    /// The schemas of the objects around the present value.
    private var surrounding: [ObjectIdentifier] = []
    private var count = 0

    init(_ registry: SchemaRegistry, _ notation: TableNotation, profile: String?) {
        self.registry = registry
        self.notation = notation
        self.profile = profile
        clusters = DocumentClusters(registry, profile: profile)
    }

    /// Records that rows hold less than documents at the present place.
    mutating func lose(_ message: String) {
        let loss = TableLoss(path: path, message: message)
        if known.insert(loss).inserted { losses.append(loss) }
    }

    /// Returns the members of the objects of a layout, or of all that its cluster chooses.
    mutating func columns(of layout: ModelLayout) -> [Column] {
        surrounding.append(ObjectIdentifier(layout))
        defer { surrounding.removeLast() }
        guard layout.schema.cluster != nil else { return ownColumns(of: layout) }
        let models = [layout] + registry.descendants(of: layout).sorted { $0.schema.name < $1.schema.name }
        var result: [Column] = []
        var counts: [String: Int] = [:]
        for model in models {
            for column in ownColumns(of: model) {
                counts[column.name, default: 0] += 1
                merge(column, into: &result)
            }
        }
        for index in result.indices where counts[result[index].name] != models.count {
            result[index].isRequired = false
        }
        return result
    }

    /// Adds a column of one model of a cluster to those of others.
    private mutating func merge(_ column: Column, into columns: inout [Column]) {
        guard let index = columns.firstIndex(where: { UTF8Text.equal($0.name, column.name) }) else {
            return columns.append(column)
        }
        if !column.isRequired { columns[index].isRequired = false }
        let (old, new) = (columns[index].type, column.type)
        if old == new { return }
        if case (.record(let name, var members), .record(_, let others)) = (old, new) {
            path.append(column.name)
            for other in others { merge(other, into: &members) }
            path.removeLast()
            columns[index].type = .record(name: name, members)
            return
        }
        path.append(column.name)
        lose("models of the cluster have different types here; it is kept as JSON")
        path.removeLast()
        columns[index].type = .json
    }

    private mutating func ownColumns(of layout: ModelLayout) -> [Column] {
        var result: [Column] = []
        for property in DocumentShape(layout, profile: profile).properties {
            count += 1
            guard let type = type(of: property) else { continue }
            for place in property.writtenPaths {
                guard let members = place.members else {
                    path.append(property.descriptor.key)
                    lose("is written into an array, which is no column")
                    path.removeLast()
                    continue
                }
                let schema = property.schema
                let column = Column(
                    name: members[members.count - 1],
                    type: property.combination == .allOf ? .json : type,
                    isRequired: schema.isRequired && !schema.isNullable, documentation: schema.documentation)
                add(column, below: members.dropLast()[...], in: layout.schema.name, to: &result)
            }
        }
        for owner in layout.lineage {
            guard let path = try? clusters.discriminator(of: owner)?.path, let members = path.members else { continue }
            add(
                Column(name: members[members.count - 1], type: .text, isRequired: false),
                below: members.dropLast()[...], in: layout.schema.name, to: &result, isConstant: true)
        }
        return result
    }

    /// Puts a column into the objects of a key path. Recursion is bounded by the length of key paths.
    private func add(
        _ column: Column, below members: ArraySlice<String>, in name: String, to columns: inout [Column],
        isConstant: Bool = false
    ) {
        guard let first = members.first else {
            if isConstant, columns.contains(where: { UTF8Text.equal($0.name, column.name) }) { return }
            return columns.append(column)
        }
        let inner = "\(name)_\(first)"
        if let index = columns.firstIndex(where: { UTF8Text.equal($0.name, first) }) {
            guard case .record(let name, var inside) = columns[index].type else { return }
            add(column, below: members.dropFirst(), in: inner, to: &inside, isConstant: isConstant)
            columns[index].type = .record(name: name, inside)
            if column.isRequired { columns[index].isRequired = true }
        } else {
            var inside: [Column] = []
            add(column, below: members.dropFirst(), in: inner, to: &inside)
            columns.append(Column(name: first, type: .record(name: inner, inside), isRequired: column.isRequired))
        }
    }

    private mutating func type(of property: DocumentShape.Property) -> ColumnType? {
        guard !property.writtenPaths.isEmpty else { return nil }
        path.append(property.descriptor.key)
        defer { path.removeLast() }
        return type(of: property.descriptor)
    }

    // MARK: Values

    /// Recursion is bounded by the nesting of kinds and by that of schemas, which do not repeat.
    private mutating func type(of value: ValueDescriptor) -> ColumnType {
        let names = value.property.conversions
        guard names.isEmpty || names.count == 1 && names[0] == value.traits.transformer else {
            return converted(value, by: names)
        }
        switch value.property.kind {
        case .model: return record(of: value)
        case .array, .set, .dictionary:
            guard let element = value.element else { return .json }
            path[path.count - 1] += "[]"
            let inside = ColumnElement(type: type(of: element), isNullable: element.isNullable)
            return value.kind == .dictionary ? .map(inside) : .list(inside)
        case .enumeration(let enumeration): return type(of: enumeration)
        case .date:
            if notation == .avro { return .text }
            lose("fractions of a second have six digits, and the offset of the zone and leap seconds are lost")
            return .timestamp
        default: return scalar(value.property.kind)
        }
    }

    private mutating func scalar(_ kind: PropertyKind) -> ColumnType {
        switch kind {
        case .bool: return .boolean
        case .integer(let width): return .integer(bits: width.rawValue)
        case .unsigned(.bits64):
            if notation == .avro { lose("numbers above 9223372036854775807 have no type") }
            return .unsigned
        case .unsigned(let width): return .integer(bits: width.rawValue * 2)
        case .float: return .float
        case .double: return .double
        case .decimal:
            if notation == .avro { lose("a decimal is kept as a double") }
            if notation == .spark || notation == .duckdb {
                lose("a decimal has at most 20 digits before the point and 18 after it")
            }
            return .decimal
        case .json, .custom:
            if notation == .avro || notation == .spark { lose("any JSON is kept as its text") }
            return .json
        default: return .text
        }
    }

    private mutating func record(of value: ValueDescriptor) -> ColumnType {
        guard let model = value.model else { return .json }
        if value.property.isByIdentity {
            lose("a model or its identity is kept as JSON")
            return .json
        }
        guard !surrounding.contains(ObjectIdentifier(model)) else {
            lose("a model inside of itself is kept as JSON")
            return .json
        }
        guard surrounding.count < Self.maximumDepth, count < Self.maximumColumns else {
            lose(
                "with more than \(Self.maximumDepth.counted("level")) or \(Self.maximumColumns.counted("column")), "
                    + "models are kept as JSON")
            return .json
        }
        return .record(name: model.schema.name, columns(of: model))
    }

    private mutating func type(of enumeration: EnumerationSchema) -> ColumnType {
        let areNumbers = Set(enumeration.cases.map(\.rawValue.isNumber))
        if areNumbers == [false] { return .text }
        if areNumbers == [true] { return .integer(bits: 64) }
        lose("texts and numbers are kept as JSON")
        return .json
    }

    /// The type of what transformers write.
    private mutating func converted(_ value: ValueDescriptor, by names: [TransformerName]) -> ColumnType {
        if names == [UnixSecondsTransformerName] { return .double }
        if names == [UnixMillisecondsTransformerName] { return .integer(bits: 64) }
        guard let transformer = try? registry.transformers.transformer(named: names[0]),
            let kind = transformer.inputType._naturalKind, kind.element == nil
        else {
            lose("the transformer \(names[0]) writes any JSON, which is kept as JSON")
            return .json
        }
        if case .model = kind {
            lose("the transformer \(names[0]) writes objects, which are kept as JSON")
            return .json
        }
        return scalar(kind)
    }
}
