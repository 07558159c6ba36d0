/// Uses a value in a way the optimiser cannot see through, so that the work that made it stays.
@_optimize(none)
@inline(never)
func blackHole<Value>(_ value: Value) {}
