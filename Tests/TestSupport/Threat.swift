package import Testing

/// What hostile input, other programs and failing machines do to a library like this one.
///
/// Each has a test that is named after it by the trait ``Testing/Trait/threat(_:)``; `ThreatAuditTests` sees to that. Some
/// are also proven by programs that no test can replace, which are named here.
package enum Threat: CaseIterable, Sendable {
    // MARK: JSON text

    /// Containers in containers, wherever they stand: read, skipped, untyped, in schema documents, written.
    /// `ReliabilityCheck depth`
    case deepNesting
    /// What was read cannot be written again.
    case readerWriterDepth
    /// Documents, strings, names, numbers and counts beyond every measure.
    case hugeInput
    /// Numbers that a property cannot hold exactly, and rounding. `ReliabilityCheck numbers`, `integers`
    case numberRange
    /// Infinity and not-a-number in the writer.
    case nonFiniteNumbers
    /// Bytes that are no UTF-8, in what is read and in what is skipped. `ReliabilityCheck utf8`
    case invalidUTF8
    /// Escapes that are half of a surrogate pair.
    case loneSurrogates
    /// Byte order marks and other encodings than UTF-8.
    case otherEncodings
    /// Text behind the value, and no text at all.
    case trailingText
    /// One name twice in one object.
    case duplicateMembers

    // MARK: Text

    /// Names that are chosen to collide in a table. `ReliabilityCheck hostile --scaling`
    case hashFlooding
    /// Texts whose canonical order takes quadratic time, and spellings that are equal only canonically.
    case normalization
    /// Texts whose division into characters is slow. `ReliabilityCheck hostile --scaling`
    case characterWork
    /// Dates that are none, and dates that formatters take for others. `ReliabilityCheck dates`
    case dates
    /// Patterns that come from a document or are malformed. `.ci/audit`
    case suppliedFormats

    // MARK: Schemas and classes

    /// Names of classes that the program did not register. `.ci/audit`
    case hostileDiscriminators
    /// Schema documents that are huge, cyclic, contradictory or incomplete.
    case schemaDocuments
    /// Registration while others read. `.ci/sanitize`
    case registryRaces

    // MARK: Archives

    /// Bits that changed. `ReliabilityCheck archives`
    case archiveBitFlips
    /// Archives that are cut short or go on. `ReliabilityCheck archives`
    case archiveTruncation
    /// Archives of other formats and versions.
    case archiveVersions
    /// Counts and lengths that promise more than there is.
    case archiveLengthBombs
    /// Values and references of other types than the schema says.
    case archiveTypeConfusion
    /// Changes whose checksums fit. `ReliabilityCheck archives --forged`
    case forgedChecksums
    /// Processes that end while they save. `ReliabilityCheck kills`, `.ci/disk`
    case crashWhileSaving
    /// Full disks, limits, and calls of the system that fail. `.ci/disk`
    case failingDisk
    /// Several writers of one file.
    case concurrentWriters

    // MARK: Code of the program

    /// Transformers, hooks, validators and mergers that throw.
    case throwingUserCode
    /// Transformers whose values do not fit.
    case wrongTransformerType
    /// Code of the program that uses the library while it is used.
    case reentrancy

    // MARK: Graphs

    /// Merging a model with itself, with a part of itself, or in two places at once.
    case aliasedMerges
    /// Models that hold themselves, in everything that walks over models.
    case cycles
    /// The end of a long chain of models. `ReliabilityCheck chain`
    case freeingDeepGraphs
    /// Long chains in everything that walks over models. `ReliabilityCheck chain`
    case deepGraphs
    /// Models that keep one another alive. `.ci/sanitize`, which looks for leaks
    case retainCycles

    // MARK: Everything

    /// Input that takes many times its size. `ReliabilityCheck hostile --rss`
    case memoryBlowUp
    /// Input in errors and logs.
    case secretsInErrors
    /// Conversions, sums and offsets beyond the range of their type.
    case numericTraps
    /// The language, the time zone and the variables of the process. `.ci/audit`
    case environment
    /// Bytes that change after, or while, they are read.
    case changingBytes
}

/// Says which threats a test or suite is about.
///
///     @Test(.threat(.duplicateMembers)) func theLastWins() { … }
package struct ThreatTrait: TestTrait, SuiteTrait {
    package let threats: [Threat]
}

extension Trait where Self == ThreatTrait {
    /// The threats that the test is about.
    package static func threat(_ threats: Threat...) -> Self { ThreatTrait(threats: threats) }
}
