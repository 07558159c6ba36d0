import PalliumCore

/// What reading an archive found wrong and survived.
struct ReadingProblems {
    let options: ModelUnarchiverOptions
    /// Whether somebody wants to know every problem.
    let isReporting: Bool
    private(set) var all: [ModelError] = []
    /// The models that could not be read or were refused, by number, and why.
    private(set) var failed: [Int: ModelError] = [:]
    /// The roots that are models of another schema than was asked for, by number, and why they are left out. Others may
    /// hold them all the same.
    private var refusedRoots: [Int: ModelError] = [:]
    private var isFull = false

    init(_ options: ModelUnarchiverOptions = ModelUnarchiverOptions(), isReporting: Bool = false) {
        self.options = options
        self.isReporting = isReporting
    }

    /// Whether a model with a problem may be left out.
    var dropsModels: Bool { isReporting || options.elements == .skip }

    /// Whether any problem with a value may be survived.
    var areSurvived: Bool { dropsModels || options.validation != .enforce }

    /// Whether lists are kept without the elements that have problems.
    var dropsElements: Bool { options.elements == .skip }

    var haveFailures: Bool { !failed.isEmpty }

    func hasFailed(_ number: Int) -> Bool { haveFailures && failed[number] != nil }

    /// Notes a problem; beyond the limit of the options, that there are more.
    mutating func note(_ error: ModelError) {
        guard isReporting, !isFull else { return }
        let room = options.maximumProblems - all.count
        all += error.problems.prefix(max(room, 0))
        guard error.problems.count > room else { return }
        isFull = true
        all.append(
            ModelError(.limitExceeded, expected: "at most \(options.maximumProblems) problems", found: "more"))
    }

    /// Notes that a model is left out.
    mutating func fail(_ number: Int, _ error: ModelError) {
        if failed.updateValue(error, forKey: number) == nil { note(error) }
    }

    /// Notes a root that is left out, or throws the error where none can be.
    mutating func refuse(root: Int, _ error: ModelError) throws(ModelError) {
        guard dropsModels else { throw error }
        if refusedRoots.updateValue(error, forKey: root) == nil { note(error) }
    }

    /// Why a root is left out; nil where it is not.
    func error(ofRoot root: Int) -> ModelError? { failed[root] ?? refusedRoots[root] }

    /// Notes that a model is left out since it needs one that is: whose problem is known.
    mutating func fail(_ number: Int, becauseOf other: Int) {
        if let error = failed[other], failed[number] == nil { failed[number] = error }
    }
}

/// What an archive gave.
struct ReadModels {
    /// The roots that could be read.
    let models: [DynamicModel]
    let problems: [ModelError]
    /// How many roots the archive has.
    let rootCount: Int
    /// Why the first of the roots is missing that are.
    let missing: ModelError?
}
