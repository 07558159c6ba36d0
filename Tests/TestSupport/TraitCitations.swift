import Foundation

/// What the sources of the tests give to a trait.
///
/// Swift Testing does not tell at run time which traits exist, so the sources are read.
package struct TraitCitations {
    /// An argument of the trait, and the file it stands in.
    package struct Citation {
        package let argument: String
        package let file: String
    }

    package private(set) var citations: [Citation] = []

    private static let folder = SharedData.repository.appendingPathComponent("Tests")

    package static var sourcesAreThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// Finds `.trait(…)` in all sources.
    package init(of trait: String) throws {
        let files = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            // A citation in a comment is none.
            let code = text.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            for call in code.joined(separator: "\n").split(separator: ".\(trait)(").dropFirst() {
                for argument in call.prefix(while: { $0 != ")" }).split(separator: ",") {
                    citations.append(
                        Citation(
                            argument: argument.trimmingCharacters(in: .whitespacesAndNewlines),
                            file: file.lastPathComponent))
                }
            }
        }
    }
}
