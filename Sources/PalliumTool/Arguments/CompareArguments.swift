import Pallium
import PalliumTrials

/// The arguments of the command `compare`.
struct CompareArguments {
    /// The schemas of both versions.
    let old: SchemaPaths
    let new: SchemaPaths
    let directions: Set<SchemaChange.Direction>
    /// Whether changes without a proof count as harmless ones.
    let allowsUnproved: Bool
    /// Whether other changes than breaking ones are not listed.
    let isBreakingOnly: Bool
    let seed: UInt64
    /// Whether unregistered kinds, transformers and formats are accepted; their properties are left out.
    let hasOpaqueTransformers: Bool

    /// Reads the arguments of the command.
    ///
    /// - Throws: ``UsageError`` if an argument is missing, superfluous or not understood.
    init(_ parsed: ParsedArguments) throws(UsageError) {
        guard parsed.operands.count == 2 else {
            throw parsed.error("compare needs two folders or files with schema documents, the old and the new version")
        }
        old = SchemaPaths(operand: parsed.operands[0], parsed)
        new = SchemaPaths(operand: parsed.operands[1], parsed)
        directions =
            parsed.has(.direction)
            ? [try parsed.choice(.direction, default: .backward)]
            : Set(SchemaChange.Direction.allCases)
        allowsUnproved = parsed.has(.allowUnproved)
        isBreakingOnly = parsed.has(.breakingOnly)
        seed = try parsed.number(.seed, from: 0) ?? 0
        hasOpaqueTransformers = parsed.has(.opaqueTransformers)
    }
}
