import Foundation
import PalliumMemory

// Without the signals, writing to a closed pipe or beyond the limit for files fails. Then the tool decides about its exit
// status, whatever its parent did with the signals.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
Descriptor.openStandardDescriptors()
EndRequest.waitForSignals()
// Input and output pass in blocks of the same size, which are made and freed all the time.
pallium_keep_freed_bytes(32 << 20)
let status = Tool(output: ByteOutput(.standardOutput), errors: .standardError)
    .run(ProcessArguments.texts)
if status == .ended, let signal = EndRequest.signal { EndRequest.end(by: signal) }
exit(status.rawValue)
