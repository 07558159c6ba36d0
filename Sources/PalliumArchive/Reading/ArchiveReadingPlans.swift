import PalliumCore

/// The source of the layouts for an archive's schemas.
enum LayoutSource {
    /// The schemas that the reader of an archive may use.
    case readable(ReadableSchemas)
    /// The layouts by number: the archive was just written.
    case layouts([ModelLayout])

    /// Returns the layouts for a schema of the archive.
    ///
    /// - Throws: ``ModelError`` with the code `unknownModel` if there is none.
    func choice(_ number: Int, _ schema: ArchivedSchema) throws(ModelError) -> SchemaChoice {
        switch self {
        case .readable(let schemas): try schemas.choice(schema.name, version: schema.version)
        case .layouts(let layouts): SchemaChoice(layouts[number])
        }
    }
}

/// Compiles the archive reading plans of an archive's schemas.
struct ArchiveReadingPlans {
    /// One plan for each schema of the archive, in their order; then the other candidates of schemas that became
    /// several.
    private(set) var plans: [ArchiveReadingPlan] = []
    /// The schemas that became several, by number, with the plans of all candidates.
    private var choices: [Int: (choice: SchemaChoice, plans: [Int])] = [:]
    /// The error for the first schema that is too new or too old. It is more useful than damage in the bytes that
    /// follow.
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

    /// Whether records are read out of turn.
    var needsRecords: Bool { !choices.isEmpty || plans.contains { $0.upgrade != nil } }

    /// Replaces the number of each object's schema by that of its plan. If no plan can be chosen for a stored model,
    /// the error is thrown when the model is requested.
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
