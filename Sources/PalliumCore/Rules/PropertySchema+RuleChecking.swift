extension PropertySchema.Rule {
    /// Checks that the rule means something for values of a kind.
    ///
    /// - Throws: ``RuleProblem`` otherwise.
    package func check(for kind: PropertyKind, formats: FormatRegistry) throws(RuleProblem) {
        _ = try ValueCheck(self, kind: kind, formats: formats)
    }
}
