import Foundation

/// The changes of which a reader proved that no caller of the library can see them. They are no mutants.
///
/// Each paragraph of the file is one of them: the path of the source, the lines before and after as the program prints
/// survivors, and the proof. White space at the ends of lines does not count. Equal lines of a source cannot be told apart,
/// so a change must be possible at one place only.
struct EquivalentMutants {
    static let path = ".ci/equivalent-mutants.txt"

    /// The paths and changes, and where each stands in the file.
    private var lines: [Change: Int] = [:]

    private struct Change: Hashable {
        let path: String
        let difference: [String]

        init(_ path: String, _ difference: some Sequence<Substring>) {
            self.path = path
            self.difference = difference.map { line in
                let line = line.trimmingCharacters(in: .whitespaces)
                return line.prefix(1) + " " + line.dropFirst().trimmingCharacters(in: .whitespaces)
            }
        }

        init(_ mutation: Mutation, in source: SourceText) {
            self.init(mutation.path, mutation.difference(in: source).split(separator: "\n"))
        }
    }

    /// Reads the file.
    ///
    /// - Throws: `MutatedPackage.Failure` with the line of what is no change with a proof, or of a change that is not
    ///   possible at exactly one place of its source.
    init(of sources: [String: SourceText]) throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        var number = 1
        for paragraph in text.split(separator: "\n\n", omittingEmptySubsequences: false) {
            let rows = paragraph.split(separator: "\n")
            defer { number += rows.count + 1 }
            guard let path = rows.first, !path.hasPrefix("#") else { continue }
            let difference = rows.dropFirst().prefix { $0.hasPrefix("-") || $0.hasPrefix("+") }
            guard !difference.isEmpty, difference.count + 1 < rows.count else {
                throw Self.failure(number, "expected a path, lines with - and +, and a proof")
            }
            guard lines.updateValue(number, forKey: Change(String(path), difference)) == nil else {
                throw Self.failure(number, "the change is in the file already")
            }
        }
        var places: [Change: Int] = [:]
        for path in Set(lines.keys.map(\.path)) {
            guard let source = sources[path] else { continue }
            for mutation in MutationSearch(source).found { places[Change(mutation, in: source), default: 0] += 1 }
        }
        for (change, number) in lines.sorted(by: { $0.value < $1.value }) where places[change] != 1 {
            throw Self.failure(
                number, "\(change.path) can be changed like this at \(places[change] ?? 0) places, not at one")
        }
    }

    private static func failure(_ line: Int, _ problem: String) -> MutatedPackage.Failure {
        MutatedPackage.Failure(description: "\(path):\(line): \(problem)")
    }

    func contains(_ mutation: Mutation, in source: SourceText) -> Bool { lines[Change(mutation, in: source)] != nil }
}
