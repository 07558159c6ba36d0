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
        let others = registry.descendants(of: layout).sorted { UTF8Text.precedes($0.schema.name, $1.schema.name) }
        return union(([layout] + others).map { ownColumns(of: $0) })
    }

    /// Returns the columns of all models of a cluster, or of objects on one key path in them. A column that one of them
    /// lacks is not required. Recursion is bounded by the nesting of columns.
    private mutating func union(_ models: [[Column]]) -> [Column] {
        var indices: [UTF8Key: Int] = [:]
        var groups: [[Column]] = []
        for column in models.joined() {
            if let index = indices[column.name] {
                groups[index].append(column)
            } else {
                indices[column.name] = groups.count
                groups.append([column])
            }
        }
        return groups.map { columns in
            var result = columns[0]
            result.isRequired = columns.count == models.count && columns.allSatisfy(\.isRequired)
            if columns.allSatisfy({ $0.type == result.type }) { return result }
            path.append(result.name.text)
            defer { path.removeLast() }
            let records = columns.compactMap { column -> [Column]? in
                if case .record(_, let members) = column.type { members } else { nil }
            }
            if case .record(let name, _) = result.type, records.count == columns.count {
                result.type = .record(name: name, union(records))
            } else {
                lose("models of the cluster have different types here; it is kept as JSON")
                result.type = .json
            }
            return result
        }
    }

    private mutating func ownColumns(of layout: ModelLayout) -> [Column] {
        var result: [Column] = []
        for property in DocumentShape(layout, profile: profile).properties {
            count += 1
            guard let type = type(of: property) else { continue }
            let schema = property.schema
            // An adapter for the other direction leaves the property out, and a value may lack parts.
            let isRequired =
                schema.isRequired && !schema.isNullable && schema.only == nil && property.combination != .allOf
            // Registration refuses a path into an array that is written.
            for members in property.writtenPaths.compactMap(\.members) {
                let column = Column(
                    name: UTF8Key(members[members.count - 1]), type: type, isRequired: isRequired,
                    documentation: schema.documentation)
                add(column, below: members.dropLast()[...], in: layout.schema.name, to: &result)
            }
        }
        for owner in layout.lineage {
            guard let path = try? clusters.discriminator(of: owner)?.path, let members = path.members else { continue }
            add(
                Column(name: UTF8Key(members[members.count - 1]), type: .text, isRequired: false),
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
            if isConstant, columns.contains(where: { $0.name == column.name }) { return }
            return columns.append(column)
        }
        let inner = "\(name)_\(first)"
        let key = UTF8Key(first)
        if let index = columns.firstIndex(where: { $0.name == key }) {
            guard case .record(let name, var inside) = columns[index].type else { return }
            add(column, below: members.dropFirst(), in: inner, to: &inside, isConstant: isConstant)
            columns[index].type = .record(name: name, inside)
            if column.isRequired { columns[index].isRequired = true }
        } else {
            var inside: [Column] = []
            add(column, below: members.dropFirst(), in: inner, to: &inside)
            columns.append(Column(name: key, type: .record(name: inner, inside), isRequired: column.isRequired))
        }
    }

    private mutating func type(of property: DocumentShape.Property) -> ColumnType? {
        guard !property.writtenPaths.isEmpty else { return nil }
        path.append(property.descriptor.key)
        defer { path.removeLast() }
        // The parts of a value are not of its kind.
        return property.combination == .allOf ? scalar(.json) : type(of: property.descriptor)
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
