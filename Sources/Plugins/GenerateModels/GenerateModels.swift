import Foundation
import PackagePlugin

/// `swift package generate-models`: runs `pallium generate` with the same arguments, in the folder of the package.
///
/// The plugin asks for the tool when it runs and does not depend on it, so packages that never run it do not build the
/// tool.
@main
struct GenerateModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let build = try packageManager.build(.product("pallium"), parameters: .init())
        guard build.succeeded, let tool = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            Diagnostics.error("the product pallium could not be built:\n\(build.logText)")
            return
        }
        let process = Process()
        process.executableURL = tool.url
        process.arguments = ["generate"] + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // The tool has said why. A plugin without an error would end with the status 0.
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            Diagnostics.error("pallium generate ended with the status \(process.terminationStatus)")
        }
    }
}
