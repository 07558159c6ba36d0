import PalliumAdapter
import PalliumCore
import PalliumJSON

/// The problems of reading an archive that did not end it.
struct ReadingProblems {
    let options: ModelUnarchiverOptions
    /// Whether every problem is reported.
    let isReporting: Bool
    private(set) var all: [ModelError] = []
    /// The models that could not be read or were refused, by number, with the errors.
    private(set) var failed: [Int: ModelError] = [:]
    /// The roots of another schema than the requested one, by number, with the errors. Other models may still hold
    /// them.
    private var refusedRoots: [Int: ModelError] = [:]
    private var isFull = false

    init(_ options: ModelUnarchiverOptions = ModelUnarchiverOptions(), isReporting: Bool = false) {
        self.options = options
        self.isReporting = isReporting
    }

    /// Whether models with problems are left out.
    var dropsModels: Bool { isReporting || options.elements == .skip }

    /// Whether reading continues after a problem with a value.
    var areSurvived: Bool { dropsModels || options.validation != .enforce }

    /// Whether lists are kept without the elements that have problems.
    var dropsElements: Bool { options.elements == .skip }

    func hasFailed(_ number: Int) -> Bool { failed[number] != nil }

    /// Records a problem; beyond the limit of the options, records that there are more.
    mutating func record(_ error: ModelError) {
        guard isReporting, !isFull else { return }
        let room = options.maximumProblems - all.count
        all += error.problems.prefix(max(room, 0))
        guard error.problems.count > room else { return }
        isFull = true
        all.append(
            ModelError(.limitExceeded, expected: "at most \(options.maximumProblems.counted("problem"))", found: "more")
        )
    }

    /// Records that a model is left out.
    mutating func fail(_ number: Int, _ error: ModelError) {
        if failed.updateValue(error, forKey: number) == nil { record(error) }
    }

    /// Records a root that is left out, or throws the error if roots cannot be left out.
    mutating func refuse(root: Int, _ error: ModelError) throws(ModelError) {
        guard dropsModels else { throw error }
        if refusedRoots.updateValue(error, forKey: root) == nil { record(error) }
    }

    /// The error of a root that is left out; nil for others.
    func error(ofRoot root: Int) -> ModelError? { failed[root] ?? refusedRoots[root] }

    /// Records that a model is left out because it requires another one whose problem is recorded.
    mutating func fail(_ number: Int, becauseOf other: Int) {
        if let error = failed[other], failed[number] == nil { failed[number] = error }
    }
}

/// The result of reading an archive.
struct ReadModels {
    /// The roots that could be read.
    let models: [DynamicModel]
    let problems: [ModelError]
    /// How many roots the archive has.
    let rootCount: Int
    /// The error of the first missing root.
    let missing: ModelError?
}
