import PalliumCore

/// Where an archive's schemas find their layouts.
enum LayoutSource {
    /// Among those that the reader of an archive may see.
    case readable(ReadableSchemas)
    /// With the same number: the archive was just written.
    case layouts([ModelLayout])

    /// - Throws: ``ModelError`` with the code `unknownModel` when there is none.
    func choice(_ number: Int, _ schema: ArchivedSchema) throws(ModelError) -> SchemaChoice {
        switch self {
        case .readable(let schemas): try schemas.choice(schema.name, version: schema.version)
        case .layouts(let layouts): SchemaChoice(layouts[number])
        }
    }
}

/// The programs of an archive's schemas, while they are made.
struct ArchiveReadingPlans {
    /// One for each schema of the archive, in their order; then the further ones of schemas that became several.
    private(set) var plans: [ArchiveReadingPlan] = []
    /// The schemas that became several, by number, and the numbers of the programs of all candidates.
    private var choices: [Int: (choice: SchemaChoice, plans: [Int])] = [:]
    /// The first schema that is too new or too old, which tells more than damage to what follows.
    private(set) var versionProblem: ModelError?

    init(_ schemas: [ArchivedSchema], _ source: LayoutSource) {
        var found: [SchemaChoice?] = []
        for (number, schema) in schemas.enumerated() {
            do throws(ModelError) {
                let choice = try source.choice(number, schema)
                found.append(choice)
                plans.append(plan(schema, choice.candidates[0]))
            } catch {
                found.append(nil)
                plans.append(ArchiveReadingPlan(schema, problem: error))
            }
        }
        for (number, choice) in found.enumerated() {
            guard let choice, !choice.isDecided else { continue }
            var numbers = [number]
            for layout in choice.candidates.dropFirst() {
                numbers.append(plans.count)
                plans.append(plan(schemas[number], layout))
            }
            choices[number] = (choice, numbers)
        }
    }

    private mutating func plan(_ schema: ArchivedSchema, _ layout: ModelLayout) -> ArchiveReadingPlan {
        do throws(ModelError) { return try ArchiveReadingPlan(schema, layout) } catch {
            if versionProblem == nil { versionProblem = error }
            return ArchiveReadingPlan(schema, problem: error)
        }
    }

    /// Whether anybody looks at records before or after their turn.
    var needsRecords: Bool { !choices.isEmpty || plans.contains { $0.upgrade != nil } }

    /// Puts in place of the number of each object's schema that of its program. Where it cannot be told what a stored model
    /// is now, that is a problem of whoever asks for it.
    mutating func choose(among records: StoredRecords, _ numbers: inout [UInt32]) {
        if choices.isEmpty { return }
        var undecided: [Int: Int] = [:]
        for number in numbers.indices {
            let schema = Int(numbers[number])
            guard let (choice, candidates) = choices[schema] else { continue }
            let stored = records.read(number)
            do throws(ModelError) { numbers[number] = UInt32(candidates[try choice.choose(for: stored)]) } catch {
                if undecided[schema] == nil {
                    undecided[schema] = plans.count
                    plans.append(ArchiveReadingPlan(plans[schema].schema, problem: error))
                }
                numbers[number] = UInt32(undecided[schema] ?? schema)
            }
        }
    }
}
