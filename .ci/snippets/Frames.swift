// A frame of a walk is used where it lies: nothing keeps one, and no frame is pushed or removed while one is in use.
@testable import PalliumAdapter

struct Frame: ~Copyable {
    var index = 0

    mutating func advance() { index += 1 }
}

struct Walk: ~Copyable {
    var frames = FrameStack<Frame>()

    mutating func step() {
        frames.push(Frame())
        frames.top.index += 1
        frames.top.advance()
        if frames.top.index > frames[0].index { frames.pop() }
    }

    mutating func keep() {
        // expected-error@+1 {{'self.frames.top' is borrowed and cannot be consumed}}
        let frame = frames.top  // expected-note {{consumed here}}
        frames.pop()
        _ = frame.index
    }

    mutating func pushBeside(_ frame: inout Frame) {
        frames.push(Frame())
        frame.index += 1
    }

    mutating func pushInAccess() {
        // expected-error@+1 {{overlapping accesses to 'self'}}
        pushBeside(&frames.top)  // expected-note {{conflicting access is here}}
    }

    mutating func popBeside(_ frame: borrowing Frame) -> Int {
        frames.pop()
        return frame.index
    }

    mutating func popInAccess() -> Int {
        // expected-error@+1 {{overlapping accesses to 'self'}}
        popBeside(frames.top)  // expected-note {{conflicting access is here}}
    }

    mutating func replace() {
        // expected-error@+1 {{overlapping accesses to 'self.frames'}}
        withUnsafeMutablePointer(to: &frames.top.index) {
            frames = FrameStack()  // expected-note {{conflicting access is here}}
            $0.pointee += 1
        }
    }
}

// expected-error@+1 {{'frames' is borrowed and cannot be consumed}}
func copy(_ frames: borrowing FrameStack<Frame>) -> FrameStack<Frame> {
    frames  // expected-note@+1 {{consumed here}}
}

// expected-error@+2 {{'frames.top' is borrowed and cannot be consumed}}
func last(_ frames: inout FrameStack<EncodingFrame>) -> EncodingFrame {
    frames.top  // expected-note@+1 {{consumed here}}
}
