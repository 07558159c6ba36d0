/// Ends the program with a message that optimised builds print, too.
///
/// The library traps for a mistake in your code or schema that no caller could handle, and when the system is
/// out of memory. `preconditionFailure` would drop its message in optimised builds, where a schema loaded from a
/// document can make such a mistake. `precondition` checks only what the library itself guarantees.
///
/// Never inlined, to keep its callers small.
@inline(never)
package func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    // Ends the program on purpose; see above.
    fatalError(message, file: file, line: line)
}
