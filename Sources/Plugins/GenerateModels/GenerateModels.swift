import Foundation
import PackagePlugin

/// `swift package generate-models`: does what `pallium generate` does with the same arguments, in the folder of the package.
///
/// The plugin asks for the program when it runs and does not depend on it, so packages that never run it do not build the
/// program.
@main
struct GenerateModels: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let build = try packageManager.build(.product("PalliumGenerator"), parameters: .init())
        guard build.succeeded, let program = build.builtArtifacts.first(where: { $0.kind == .executable }) else {
            Diagnostics.error("the product PalliumGenerator could not be built:\n\(build.logText)")
            return
        }
        let process = Process()
        process.executableURL = program.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // The program has said why. A plugin without an error would end with the status 0.
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            Diagnostics.error("PalliumGenerator ended with the status \(process.terminationStatus)")
        }
    }
}
