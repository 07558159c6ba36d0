import Foundation
import Pallium

// The examples of the article about Codable, frozen views and parent links, word for word, like those in
// `ArticleExamples.swift`.

enum SwiftModels {
    final class Folder: DynamicModel {
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
        var files: [File]? {
            get { value() }
            set { set(newValue) }
        }
    }

    final class File: DynamicModel {
        var name: String? {
            get { value() }
            set { set(newValue) }
        }
        var folder: Folder? { value() }
    }

    static func register(in registry: SchemaRegistry) throws {
        try registry.register(
            ModelSchema(
                Folder.self,
                [
                    "name": .string,
                    "files": .array(of: .model(File.self)).inverse("folder"),
                ]),
            ModelSchema(
                File.self,
                ["name": .string, "folder": .model(Folder.self).weak]))
    }

    static func passThroughCodable(_ folder: Folder) throws -> [String: Folder] {
        func respond<Body: Encodable>(_ body: Body) throws -> Data {
            try JSONEncoder().encode(body)
        }

        let data = try respond(["folder": folder])
        let folders = try JSONDecoder().decode(
            [String: Folder].self, from: data)

        return folders
    }

    static func freeze(_ folder: Folder) async -> String {
        let cached = folder.frozen()  // Frozen<Folder>, which is Sendable
        async let name = cached.files?.first?.name  // accessors as usual
        let changed = Frozen.thaw(cached)  // a Folder that may be changed
        changed.name = "b"

        return "\(await name ?? "") \(changed.name ?? "")"
    }
}
