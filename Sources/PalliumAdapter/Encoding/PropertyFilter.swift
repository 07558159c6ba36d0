import PalliumCore

/// Chooses the properties that a call writes by your closures. Selections by keys are compiled into plans instead.
struct PropertyFilter {
    private let only: ((DynamicModel, String) -> Bool)?
    private let except: ((DynamicModel, String) -> Bool)?

    /// Makes a filter from the arguments of a call; nil if no closure chooses.
    init?(only: PropertySelection?, except: PropertySelection?) {
        self.only = only?.includes
        self.except = except?.includes
        if self.only == nil, self.except == nil { return nil }
    }

    /// Whether models keep their unknown members. They do not if `only:` chooses the properties that are written.
    var keepsUnknownMembers: Bool { only == nil }

    /// Returns for each slot of a model whether it is written.
    func choose(of model: DynamicModel, among written: [Int]) -> [Bool] {
        var slots = Array(repeating: false, count: model.layout.properties.count)
        // A slot with parts is written into several members, but your closure sees it once.
        var isAsked = slots
        for slot in written where !isAsked[slot] {
            isAsked[slot] = true
            let key = model.layout.properties[slot].key
            slots[slot] = (only?(model, key) ?? true) && !(except?(model, key) ?? false)
        }
        return slots
    }
}
