public import PalliumCore
import PalliumJSON

/// Checks with samples that models of a schema keep the laws.
///
///     #expect(try SchemaLaws.check(Issue.self).isEmpty)
///
/// See ``SchemaLaw`` for the laws and ``SampleDocuments`` for the samples.
public enum SchemaLaws {
    /// Checks the schema of a class.
    ///
    /// - Parameters:
    ///   - modelClass: The class of the models.
    ///   - registry: The registry that knows the class.
    ///   - laws: The laws to check; all by default.
    ///   - count: The number of documents of each version; nil for as many as cover every choice, at most 1000.
    ///   - seed: The beginning of the random choices.
    /// - Returns: Each broken law once for each property that breaks it, with a small document that shows it.
    /// - Throws: ``SchemaError`` if the class has no schema, or no document of it can be made.
    public static func check(
        _ modelClass: DynamicModel.Type, registry: SchemaRegistry = .shared,
        laws: Set<SchemaLaw> = Set(SchemaLaw.allCases), count: Int? = nil, seed: UInt64 = 0
    ) throws(SchemaError) -> [BrokenLaw] {
        let schema: ModelSchema
        do throws(ModelError) { schema = try registry.schema(for: modelClass) } catch {
            throw SchemaError([SchemaError.Problem(message: error.description)])
        }
        return try check(schema, registry: registry, laws: laws, count: count, seed: seed)
    }

    /// Checks a schema.
    ///
    /// - Returns: Each broken law once for each property that breaks it, with a small document that shows it.
    /// - Throws: ``SchemaError`` if the schema is not registered, or no document of it can be made.
    public static func check(
        _ schema: ModelSchema, registry: SchemaRegistry = .shared,
        laws: Set<SchemaLaw> = Set(SchemaLaw.allCases), count: Int? = nil, seed: UInt64 = 0
    ) throws(SchemaError) -> [BrokenLaw] {
        var samples = try SampleDocuments(of: schema, registry: registry, seed: seed)
        return try check(&samples, of: schema, registry: registry, laws: laws, count: count, seed: seed).broken
    }

    /// Checks a schema with samples that were prepared; also returns how many documents were made.
    ///
    /// - Parameter didCheck: Called after each document of the present version.
    package static func check(
        _ samples: inout SampleDocuments, of schema: ModelSchema, registry: SchemaRegistry,
        laws: Set<SchemaLaw> = Set(SchemaLaw.allCases), count: Int?, seed: UInt64, didCheck: () -> Void = {}
    ) throws(SchemaError) -> (broken: [BrokenLaw], documents: Int) {
        let trial: LawTrial
        do throws(ModelError) {
            trial = try LawTrial(schema, registry: registry, laws: laws, seed: seed)
        } catch {
            throw SchemaError([SchemaError.Problem(schema: schema.name, message: error.description)])
        }
        var check = LawCheck(trial: trial, laws: SchemaLaw.allCases.filter(laws.contains), seed: seed)
        var made = 0
        while let document = samples.next(after: made, of: count) {
            check.add(document)
            didCheck()
            made += 1
        }
        for var former in trial.former {
            var formerMade = 0
            while let document = former.next(after: formerMade, of: count) {
                check.check(.upgrades, document)
                formerMade += 1
            }
            made += formerMade
        }
        return (check.result(), made)
    }
}

/// Checks one document after another.
private struct LawCheck {
    let trial: LawTrial
    let laws: [SchemaLaw]
    let seed: UInt64
    private var broken: [BrokenLaw] = []
    private var accepted = 0
    /// The first document that your code refused, and the error.
    private var refused: (document: JSONValue, error: ModelError)?

    init(trial: LawTrial, laws: [SchemaLaw], seed: UInt64) {
        self.trial = trial
        self.laws = laws
        self.seed = seed
    }

    /// Checks a sample by all laws about present documents.
    mutating func add(_ document: JSONValue) {
        do throws(ModelError) {
            _ = try trial.model(from: document)
            accepted += 1
        } catch { if error.category == .refusedByProgram, refused == nil { refused = (document, error) } }
        for law in laws where law != .upgrades { check(law, document) }
    }

    /// Records a law that a document breaks, unless another one broke it before, with the smallest document that does.
    mutating func check(_ law: SchemaLaw, _ document: JSONValue) {
        guard let violation = trial.violation(of: law, by: document) else { return }
        let isKnown = broken.contains {
            $0.law == law && UTF8Text.equal($0.schema, violation.schema) && $0.property == violation.property
        }
        if isKnown { return }
        let trial = trial
        var reducing = SmallestDocument(document) { trial.violation(of: law, by: $0)?.isLike(violation) ?? false }
        let smallest = reducing.reduce()
        record(law, trial.violation(of: law, by: smallest) ?? violation, smallest)
    }

    private mutating func record(_ law: SchemaLaw, _ violation: Violation, _ document: JSONValue) {
        broken.append(
            BrokenLaw(
                law: law, schema: violation.schema, property: violation.property, problem: violation.problem,
                document: document, model: trial.schema.name, seed: seed))
    }

    /// Returns the broken laws. A check that no sample reached proves nothing, so it does not pass.
    mutating func result() -> [BrokenLaw] {
        if accepted == 0, broken.isEmpty, laws.contains(.decoding), let (document, error) = refused {
            record(.decoding, Violation(error, schema: trial.schema.name, "your code refuses every sample"), document)
        }
        return broken
    }
}
