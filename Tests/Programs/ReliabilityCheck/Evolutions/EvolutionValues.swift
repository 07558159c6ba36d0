import Foundation
import Pallium
import RunSupport

/// Models of the program that writes.
struct EvolutionValues {
    let program: EvolvedProgram
    private var numbers: SeededGenerator
    private var owners: [EvolvedModel] = []

    init(_ family: EvolutionFamily) {
        program = family.programs[family.writer]
        numbers = family.numbers
        owners = [1, 2].map { owner($0) }
    }

    /// A root with all that it holds.
    mutating func root() -> EvolvedModel {
        model(EvolutionFamily.Lineage.root, identity: 7, tags: program.schemas[EvolutionFamily.Lineage.base])
    }

    private mutating func owner(_ number: Int) -> EvolvedModel {
        var owner = model(EvolutionFamily.Lineage.owner, identity: number, tags: nil)
        owner.values["note"] = .string("note \(number)")
        return owner
    }

    private mutating func leaf() -> EvolvedModel {
        let leaf = program.schemas[EvolutionFamily.Lineage.leaf]
        let lineage = leaf?.discriminator.map { numbers.pick($0.tags).1 } ?? EvolutionFamily.Lineage.leaf
        return model(lineage, identity: 0, tags: leaf)
    }

    private mutating func model(_ lineage: Int, identity: Int, tags: EvolvedSchema?) -> EvolvedModel {
        var model = EvolvedModel(lineage: lineage)
        let identityKey = program.identity(lineage)
        for property in program.chain(lineage).flatMap(\.properties) {
            if property.key == identityKey {
                model.values[property.key] =
                    property.kind == .integer ? .integer(Int64(identity)) : .string("\(identity)")
            } else if property.key == tags?.tagKey {
                model.values[property.key] = tags?.discriminator?.tags.first { $0.1 == lineage }.map { .string($0.0) }
            } else if property.isRequired || property.fallback != nil || numbers.below(10) < 7 {
                model.values[property.key] = value(property.kind)
            } else if numbers.once(in: 2) {
                model.values[property.key] = .null
            }
        }
        return model
    }

    private mutating func value(_ kind: EvolvedKind) -> EvolvedValue {
        switch kind {
        case .bool: return .bool(numbers.once(in: 2))
        case .integer: return .integer(Int64(numbers.below(3_000_000)) - 1_000)
        case .bit: return .integer(Int64(numbers.below(2)))
        case .small: return .integer(Int64(numbers.below(256)) - 128)
        case .double: return .double(Double(numbers.below(100_000) - 50_000) / 7)
        case .decimal: return .decimal(Decimal(numbers.below(100_000)) / 100)
        case .date: return .date(date())
        case .url: return .url("https://example.org/\(numbers.below(100))?q=\(numbers.below(9))")
        case .uuid: return .uuid(uuid())
        case .data: return .data(Data((0..<numbers.below(20)).map { _ in UInt8(numbers.below(256)) }))
        case .enumeration: return .string(numbers.pick(EvolvedKind.cases))
        case .json:
            let number = JSONNumber(Int64(numbers.below(10)))
            return .json(numbers.pick([["a": [nil, true]], [.number(number), "x"], "text", false, .number(number)]))
        case .string(let texts): return .string(text(texts))
        case .array(let element):
            return .array((0..<numbers.below(4)).map { _ in value(element) })
        case .set(let element):
            var values: [EvolvedValue] = []
            for _ in 0..<numbers.below(4) {
                let value = value(element)
                if !values.contains(value) { values.append(value) }
            }
            return .array(values)
        case .dictionary(let element):
            var values: [String: EvolvedValue] = [:]
            for key in ["one", "two words", "é", "id"] where numbers.once(in: 3) { values[key] = value(element) }
            return .dictionary(values)
        case .model(EvolutionFamily.Lineage.owner): return .model(numbers.pick(owners))
        case .model(EvolutionFamily.Lineage.leaf): return .model(leaf())
        case .model(let lineage): return .model(model(lineage, identity: 0, tags: nil))
        }
    }

    private mutating func date() -> Date {
        let seconds = Double(numbers.below(2_000_000_000) - 1_000_000_000)
        return Date(timeIntervalSinceReferenceDate: seconds + numbers.pick([0, 0, 0.5, 0.125, 0.001]))
    }

    private mutating func uuid() -> UUID {
        let (high, low) = (numbers.next(), numbers.next())
        func byte(_ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: index < 8 ? high >> (8 * index) : low >> (8 * (index - 8)))
        }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
                byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }

    private mutating func text(_ texts: EvolvedKind.Texts) -> String {
        if texts != .words, numbers.once(in: 40) { return "no such thing" }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(1800 + numbers.below(400))-\(padded(1 + numbers.below(12)))-\(padded(1 + numbers.below(28)))"
        switch texts {
        case .words:
            return numbers.pick([
                "", "Ada", "Ada King Lovelace", "  two  blanks ", "Grüße, Jörg", "a\"b\\c\n", "7", "👩‍🚀 x",
            ])
        case .digits: return "\(numbers.below(1_000_000))"
        case .day: return day
        case .moment: return "\(day)T\(padded(numbers.below(24))):\(padded(numbers.below(60))):07Z"
        case .uuid: return uuid().uuidString
        case .url: return "https://example.org/\(numbers.below(1000))"
        case .decimal: return "\(numbers.below(1000)).\(1 + numbers.below(9))"
        case .base64: return Data((0..<numbers.below(9)).map { _ in UInt8(numbers.below(256)) }).base64EncodedString()
        }
    }
}
