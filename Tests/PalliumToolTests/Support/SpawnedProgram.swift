import Foundation
import TestSupport

/// Runs a program to its end, with files as its input and outputs, and with signals as the system sets them at first;
/// returns its exit status, or 128 and the signal that ended it, as a shell does.
///
/// Foundation's `Process` looks for open files in a way that reads beyond the entries of a folder, which ends the tests
/// now and then.
///
/// - Parameter files: The paths of standard input, standard output and standard error, which exist.
func spawn(_ program: String, _ arguments: [String], in folder: String, files: [String]) async throws -> Int32 {
    #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
    #else
        var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, path) in files.enumerated() {
        posix_spawn_file_actions_addopen(&actions, Int32(number), path, number == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    // Whoever runs the tests may ignore signals or block them, which programs inherit, and a shell cannot undo.
    #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
    #else
        var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in Int32(1)..<32 where signal != SIGKILL && signal != SIGSTOP { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // A group of its own, so that all that a script has started can be ended together.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    var process = pid_t()
    // Only some systems can be told the folder, so a shell goes there and becomes the program.
    let shell = "/bin/sh"
    let command = [shell, "-c", #"cd "$0" && exec "$@""#, folder, program] + arguments
    let error = withArrayOfTexts(command) { command in
        withArrayOfTexts(environment) { posix_spawn(&process, shell, &actions, &attributes, command, $0) }
    }
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    return await status(of: process)
}

private func withArrayOfTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    // Safety: the texts outlive the call, and nil ends the array.
    return (pointers + [nil]).withUnsafeBufferPointer { array in
        guard let start = array.baseAddress else { preconditionFailure("the array has nil at least") }
        return body(start)
    }
}

private func status(of process: pid_t) async -> Int32 {
    await withCheckedContinuation { continuation in
        // Waiting blocks a thread, and those of tasks are few.
        Thread.detachNewThread {
            let limit = DispatchWorkItem { kill(-process, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Patience.minutes * 60), execute: limit)
            defer { limit.cancel() }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : 128 + signal)
        }
    }
}
