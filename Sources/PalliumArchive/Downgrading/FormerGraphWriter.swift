import Foundation
import PalliumCore
import PalliumJSON

/// Writes stored models as an archive. `GraphWriter` does the same with models.
///
/// Safety: bytes are copied while their value lends them. The caller owns the memory that is returned.
struct FormerGraphWriter: ~Copyable {
    private let graph: FormerGraph
    private var buffer: JSONByteBuffer
    /// The numbers of cases, by their enumeration.
    private var cases: [ObjectIdentifier: [EnumerationSchema.RawValue: Int]] = [:]
    /// The values of conditional properties, which stand in the index.
    private var conditional: [(object: Int, property: Int)] = []

    private init(_ graph: FormerGraph, capacity: Int) {
        self.graph = graph
        buffer = JSONByteBuffer(capacity: capacity)
    }

    /// Returns the bytes; the caller frees them with `free`.
    static func archive(
        _ graph: FormerGraph, capacity: Int
    ) throws(ModelError) -> (memory: UnsafeMutableRawPointer, count: Int) {
        var writer = FormerGraphWriter(graph, capacity: capacity)
        let schemas = graph.schemas.map(\.archived)
        writer.buffer.beginArchive()
        for number in graph.objects.indices { try writer.writeRecord(number, schemas) }
        let recordsLength = writer.buffer.count - ArchiveHeader.byteCount
        try writer.writeIndex(schemas)
        return unsafe writer.buffer.finishArchive(recordsLength: recordsLength, schemas)
    }

    private mutating func writeRecord(_ number: Int, _ schemas: [ArchivedSchema]) throws(ModelError) {
        let (schema, model) = graph.objects[number]
        let properties = schemas[schema].properties
        var states = [UInt8](repeating: 0, count: (properties.count + 3) / 4)
        var written: [Int] = []
        for (position, property) in properties.enumerated() {
            var state = ArchivedState(model, property.key)
            if state == .value || state == .defaulted {
                if graph.schemas[schema].isConditional(position) {
                    conditional.append((number, position))
                    state = .null
                } else {
                    written.append(position)
                }
            }
            states[position / 4] |= state.rawValue << UInt8(position % 4 * 2)
        }
        for byte in states { buffer.append(byte: byte) }
        for position in written { try write(properties[position], of: model, number) }
    }

    private mutating func write(
        _ property: ArchivedProperty, of model: StoredModel, _ number: Int
    ) throws(ModelError) {
        do throws(ModelError) { try write(model[property.key] ?? .null, property.type) } catch {
            throw error.inSchema(model.schema, property: property.key)
                .under(property: property.key, isSensitive: property.isSensitive).at(["objects", "\(number)"]).located()
        }
    }

    private mutating func writeIndex(_ schemas: [ArchivedSchema]) throws(ModelError) {
        buffer.append(variable: UInt64(graph.objects.count))
        for object in graph.objects { buffer.append(variable: UInt64(object.schema)) }
        buffer.append(variable: UInt64(conditional.count))
        for (number, position) in conditional {
            let (schema, model) = graph.objects[number]
            let property = schemas[schema].properties[position]
            buffer.append(variable: UInt64(number))
            buffer.append(variable: UInt64(position))
            buffer.append(byte: ArchivedState(model, property.key).rawValue)
            try write(property, of: model, number)
        }
        buffer.append(variable: UInt64(graph.preserved.count))
        for (number, members) in graph.preserved.sorted(by: { $0.key < $1.key }) {
            try buffer.append(preserved: members, of: number)
        }
        buffer.append(variable: UInt64(graph.roots.count))
        for root in graph.roots { buffer.append(variable: UInt64(root)) }
    }

    /// Writes a value of a type that holds it. Recursion is bounded by the nesting of types.
    private mutating func write(_ value: StoredModel.Value, _ type: ArchivedType) throws(ModelError) {
        switch (type.kind, value) {
        case (.bool, .bool(let value)): buffer.append(byte: value ? 1 : 0)
        case (.integer, .integer(let value)): buffer.append(zigzag: value)
        case (.unsigned, .unsigned(let value)): buffer.append(variable: value)
        case (.double, .double(let value)): buffer.append(fixed: value.bitPattern)
        case (.string, .string(let text)), (.url, .url(let text)): buffer.append(text: text)
        case (.date, .date(let date)):
            buffer.append(fixed: date.timeIntervalSinceReferenceDate.bitPattern)
            buffer.append(variable: DateSpelling.canonical.rawValue)
        case (.enumeration, .enumeration(let raw)): write(raw, type)
        case (.model, .model(let reference)): buffer.append(variable: UInt64(graph.number(of: reference)))
        case (.array, .array(let elements)), (.set, .array(let elements)):
            let hasNulls = elements.contains(.null)
            begin(elements.count, hasNulls: hasNulls)
            for (index, element) in elements.enumerated() {
                try writeElement(element, type, hasNulls: hasNulls, key: "\(index)")
            }
        case (.dictionary, .dictionary(let entries)):
            let hasNulls = entries.contains { $0.value == .null }
            begin(entries.count, hasNulls: hasNulls)
            for entry in entries {
                buffer.append(text: entry.key)
                try writeElement(entry.value, type, hasNulls: hasNulls, key: entry.key)
            }
        case (.bytes, _): try writeBytes(value, type)
        case (.json, _), (.custom, _):
            let json = try value.json
            do throws(JSONSyntaxError) { try buffer.append(json: json) } catch { throw ModelError(error) }
        default: throw ModelError(.notConvertible, expected: type.name, found: value.summary)
        }
    }

    private mutating func begin(_ count: Int, hasNulls: Bool) {
        buffer.append(variable: UInt64(count))
        buffer.append(byte: hasNulls ? 1 : 0)
    }

    private mutating func writeElement(
        _ value: StoredModel.Value, _ type: ArchivedType, hasNulls: Bool, key: String
    ) throws(ModelError) {
        if hasNulls { buffer.append(byte: value == .null ? 0 : 1) }
        guard value != .null, let element = type.element else { return }
        do throws(ModelError) { try write(value, element) } catch { throw error.under(key: key) }
    }

    /// An unknown case is written as the number after the last one, and the raw value.
    private mutating func write(_ raw: EnumerationSchema.RawValue, _ type: ArchivedType) {
        let enumeration = ObjectIdentifier(type)
        if cases[enumeration] == nil {
            cases[enumeration] = Dictionary(type.cases.enumerated().map { ($1, $0) }) { first, _ in first }
        }
        let number = cases[enumeration]?[raw]
        buffer.append(variable: UInt64(number ?? type.cases.count))
        if number == nil { buffer.append(raw) }
    }

    private mutating func writeBytes(_ value: StoredModel.Value, _ type: ArchivedType) throws(ModelError) {
        guard let form = type.traits.archived, let scalar = value.scalar(for: type.traits),
            unsafe form.writeValue(
                scalar,
                { bytes in
                    unsafe buffer.append(bytes, isCounted: form.byteCount == nil)
                })
        else { throw ModelError(.notConvertible, expected: type.traits.expectation, found: value.summary) }
    }
}

extension ArchivedState {
    /// The state of a stored value.
    fileprivate init(_ model: StoredModel, _ key: String) {
        switch model[key] {
        case nil: self = .unset
        case .null?: self = .null
        default: self = model.isDefaulted(key) ? .defaulted : .value
        }
    }
}
