/// Ends the program with a message that optimised builds print, too.
///
/// This is how the library answers a mistake of the program that only a new build, or another schema, can mend, and a
/// system that has no memory left. `preconditionFailure` would drop the message when it is optimised, and a schema from a
/// document makes such mistakes where the program is deployed. `precondition` is left for what the library itself
/// guarantees, where nobody is to be told and a check must cost next to nothing.
///
/// Never inlined, so that callers hold no more than a call.
@inline(never)
package func stop(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    // Ends the program on purpose; see above.
    fatalError(message, file: file, line: line)
}
