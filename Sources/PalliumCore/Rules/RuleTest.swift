/// The test of a rule in the form of its kind.
///
/// Most tests need no object, so that running them counts no references.
package enum RuleTest: Sendable {
    case integerAtLeast(Int64)
    case integerAtMost(Int64)
    case integerMultiple(Int64)
    case unsignedAtLeast(UInt64)
    case unsignedAtMost(UInt64)
    case doubleAtLeast(Double)
    case doubleAtMost(Double)
    case doubleAbove(Double)
    case doubleBelow(Double)
    case lengthAtLeast(Int)
    case lengthAtMost(Int)
    case countAtLeast(Int)
    case countAtMost(Int)
    case other(@Sendable (PropertySlot) -> Bool)
    case elements(ValueRules)
    /// No value keeps the rule.
    case never

    /// Whether a slot with a value keeps the rule.
    @inline(__always)
    package func isKept(by slot: PropertySlot) -> Bool {
        switch self {
        case .integerAtLeast(let limit): slot.load(Int64.self) >= limit
        case .integerAtMost(let limit): slot.load(Int64.self) <= limit
        case .integerMultiple(let divisor): slot.load(Int64.self) % divisor == 0
        case .unsignedAtLeast(let limit): slot.load(UInt64.self) >= limit
        case .unsignedAtMost(let limit): slot.load(UInt64.self) <= limit
        case .doubleAtLeast(let limit): slot.load(Double.self) >= limit
        case .doubleAtMost(let limit): slot.load(Double.self) <= limit
        case .doubleAbove(let limit): slot.load(Double.self) > limit
        case .doubleBelow(let limit): slot.load(Double.self) < limit
        case .lengthAtLeast(let length): slot.withText { $0.hasScalars(atLeast: length) }
        case .lengthAtMost(let length):
            slot.withText { $0.utf8.count <= length || $0.unicodeScalars.count <= length }
        case .countAtLeast(let count): slot.list.count >= count
        case .countAtMost(let count): slot.list.count <= count
        case .other(let test): test(slot)
        case .elements(let rules): rules.areKept(byElementsOf: slot)
        case .never: false
        }
    }
}

extension String {
    /// Whether there are at least so many Unicode scalars. Mostly the number of bytes decides.
    fileprivate func hasScalars(atLeast count: Int) -> Bool {
        if utf8.count < count { return false }
        return utf8.count / 4 >= count || unicodeScalars.count >= count
    }
}
