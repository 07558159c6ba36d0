import Foundation
import Pallium

/// A stored model in the present program, by steps on plain dictionaries that were written from the article.
struct EvolutionReference {
    /// Why a model cannot be read; nil where the article names no code.
    typealias Problem = ModelError.Code?

    let present: EvolvedProgram
    /// The versions of the program that wrote the models.
    let written: [Int: Int]
    private(set) var problems: Set<Problem> = []

    init(_ present: EvolvedProgram, writtenBy writer: EvolvedProgram) {
        self.present = present
        written = writer.schemas.mapValues(\.version)
    }

    mutating func read(_ model: EvolvedModel) -> EvolvedModel {
        let chain = present.chain(model.lineage)
        var values = model.values
        let known = Set(chain.flatMap(\.properties).map(\.key))
        let found = problems.count
        steps: for schema in chain {
            let version = model.versions.isEmpty ? written[schema.lineage] : model.versions[schema.lineage]
            for step in schema.steps where step.from >= version ?? schema.version {
                do { try take(step, &values, in: chain, known) } catch let refusal as Misspelling {
                    problems.insert(refusal.code)
                    break steps
                } catch {
                    problems.insert(error is EvolvedCode.Refusal ? .upgradeFailed : nil)
                    break steps
                }
            }
        }
        if problems.count > found || problems.contains(nil) {
            // Which of several problems is found first is a matter of the form.
            for value in values.values { for inner in value.models { _ = read(inner) } }
        }
        let properties = chain.flatMap(\.properties)
        let stepped = values
        for property in properties {
            if let hook = property.hook { values[property.key] = hook.value(of: property.key, stepped) }
        }
        var result = EvolvedModel(lineage: model.lineage)
        for property in properties { result.values[property.key] = read(values[property.key], property) }
        return result
    }

    // MARK: Steps

    private struct Misspelling: Error {
        let code = ModelError.Code.upgradeFailed
    }

    private func take(
        _ step: EvolvedStep, _ values: inout [String: EvolvedValue], in chain: [EvolvedSchema], _ known: Set<String>
    ) throws {
        if chain.allSatisfy(\.isWithoutCode) {
            for old in step.renamed.keys where values[old] == nil {
                for key in values.keys where !known.contains(key) && Self.isClose(key, old) {
                    let isRead = chain.flatMap(\.steps).contains {
                        $0.removed.contains(key) || $0.renamed[key] != nil || $0.transformed[key] != nil
                    }
                    if !isRead { throw Misspelling() }
                }
            }
        }
        var renamed = values.filter { step.renamed[$0.key] == nil }
        for (old, new) in step.renamed { if let value = values[old] { renamed[new] = value } }
        values = renamed
        for (key, transformers) in step.transformed {
            for transformer in transformers {
                guard let value = values[key], value != .null else { break }
                values[key] = try transformer.convert(value)
            }
        }
        for code in step.code { try code.run(&values) }
        for (key, initial) in step.defaults where values[key] == nil { values[key] = initial.value }
        for key in step.removed { values[key] = nil }
    }

    /// Whether two keys differ by one letter, or by two that are exchanged.
    static func isClose(_ left: String, _ right: String) -> Bool {
        let (a, b) = (Array(left), Array(right))
        if a.count == b.count {
            let places = a.indices.filter { a[$0] != b[$0] }
            if places.count == 1 { return true }
            return places.count == 2 && places[0] + 1 == places[1] && a[places[0]] == b[places[1]]
                && a[places[1]] == b[places[0]]
        }
        let (short, long) = a.count < b.count ? (a, b) : (b, a)
        guard short.count + 1 == long.count else { return false }
        return long.indices.contains { Array(long[..<$0] + long[($0 + 1)...]) == short }
    }

    // MARK: Values

    private mutating func read(_ value: EvolvedValue?, _ property: EvolvedProperty) -> EvolvedValue? {
        switch value {
        case nil:
            if let fallback = property.fallback { return fallback.value }
            if property.isRequired { problems.insert(.missingProperty) }
            return nil
        case .null?:
            if let fallback = property.fallback { return fallback.value }
            if property.isRequired { problems.insert(nil) }
            return .null
        case .some(let value): return read(value, property.kind)
        }
    }

    private mutating func read(_ value: EvolvedValue, _ kind: EvolvedKind) -> EvolvedValue {
        switch (kind, value) {
        case (.small, .integer(let number)):
            if Int8(exactly: number) == nil { problems.insert(.numberOutOfRange) }
            return value
        case (.json, _): return .json(Self.json(value))
        case (.array(let element), .array(let elements)): return .array(elements.map { read($0, element) })
        case (.set(let element), .array(let elements)):
            var distinct: [EvolvedValue] = []
            for element in elements.map({ read($0, element) }) where !distinct.contains(element) {
                distinct.append(element)
            }
            return .array(distinct.sorted { "\($0)" < "\($1)" })
        case (.dictionary(let element), .dictionary(let elements)):
            return .dictionary(elements.mapValues { read($0, element) })
        case (.model, .model(let model)): return .model(read(model))
        default: return value
        }
    }

    /// The value as a document holds it.
    private static func json(_ value: EvolvedValue) -> JSONValue {
        switch value {
        case .null, .double, .decimal, .model: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .string(let value), .url(let value): .string(value)
        case .date(let value): .string(text(value))
        case .uuid(let value): .string(value.uuidString)
        case .data(let value): .string(value.base64EncodedString())
        case .json(let value): value
        case .array(let elements): .array(elements.map(json))
        case .dictionary(let elements):
            .object(JSONObject(elements.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
        }
    }

    /// The date as JSON has it. The transformer is that of the library, which other checks compare with slow dates.
    private static func text(_ date: Date) -> String {
        let transformer = try? TransformerRegistry().transformer(named: ISO8601DateTransformerName)
        return (try? transformer?.reverse(date, as: String.self)) ?? ""
    }
}
