import Foundation
import FuzzTargets

/// The target that the environment names in `FUZZ_TARGET`.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "none"
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        preconditionFailure("FUZZ_TARGET is \(name), not one of \(names)")
    }
    return target
}()

/// What libFuzzer calls with each input. A broken promise ends the process, which saves the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do { try target.check(bytes) } catch {
        // An optimised build would end without the message of a failed precondition.
        FileHandle.standardError.write(Data("broken promise: \(error)\n".utf8))
        abort()
    }
    return 0
}
