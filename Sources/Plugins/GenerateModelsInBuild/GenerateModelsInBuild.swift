import Foundation
import PackagePlugin

/// Generates the classes of a target in each build, from the documents in its folder `Schemas`.
///
/// A build command must name its outputs before it has run, and the names of classes stand in the documents. So there is
/// one file for all classes. Commands that need not name their outputs cannot run tools that are built from source.
@main
struct GenerateModelsInBuild: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let schemas = target.directoryURL.appending(path: "Schemas")
        let documents = try FileManager.default.contentsOfDirectory(at: schemas, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .sorted { $0.path < $1.path }
        let classes = context.pluginWorkDirectoryURL.appending(path: "Models.swift")
        return [
            .buildCommand(
                displayName: "Generating the models of \(target.name)",
                executable: try context.tool(named: "PalliumGenerator").url,
                arguments: [schemas.path, "--output", classes.path, "--access", "package"],
                inputFiles: documents,
                outputFiles: [classes])
        ]
    }
}
