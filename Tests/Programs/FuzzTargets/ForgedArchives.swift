import Foundation
import Pallium

/// An archive with fitting checksums is refused with a useful error, or its models can be used and archived again.
enum ForgedArchives {
    private static let unarchiver = ModelUnarchiver(
        registry: FuzzedModels.registry, allowing: ["Everything", "Shape", "Circle", "Box"])

    static func check(_ bytes: [UInt8]) throws {
        var bytes = bytes
        ArchiveHeader.repairChecksums(of: &bytes)
        let models: [DynamicModel]
        do { models = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: bytes) } catch {
            return try promise("\(error)".utf8.count <= 512, "an error of more than 512 bytes: \(error)")
        }
        defer { for model in models { release(model) } }
        for model in models { _ = (model.debugDescription, model.hashValue) }
        let written = try ModelArchiver().archive(models)
        let again = try unarchiver.unarchive(arrayOf: DynamicModel.self, from: written)
        defer { for model in again { release(model) } }
        try promise(again.count == models.count, "other models after archiving again")
        try promise(try ModelArchiver().archive(again) == written, "other bytes after archiving again")
    }

    /// Breaks the cycles that an input may have made.
    private static func release(_ root: DynamicModel) {
        var pending = [root]
        while let model = pending.popLast() {
            guard model.schema.name == "Everything" else { continue }
            if let next = model["n", as: DynamicModel.self] { pending.append(next) }
            pending += model["a", as: [DynamicModel].self] ?? []
            for key in ["n", "a"] { try? model.unset(key) }
        }
    }
}
