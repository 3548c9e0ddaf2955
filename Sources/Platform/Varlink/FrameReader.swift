/// Cuts a stream of bytes into frames. A frame is one message and ends with a NUL byte.
///
/// A frame may come in any number of pieces, and any number of frames in one piece. Specification: varlink.org/FAQ, "Why
/// are records separated by a NUL character and do not specify a length?".
public struct FrameReader {
    /// Bytes of memory kept between frames. A larger frame's memory is freed once the frame is taken.
    private static let keptCapacity = 128 * 1024

    /// The most bytes of a frame, without its NUL. After it is raised, a frame that was too long can be taken.
    public var limit: Int

    private var buffer: [UInt8] = []
    /// The place of the first frame that was not taken.
    private var start = 0
    /// There is no NUL between `start` and here.
    private var searched = 0

    /// A reader that has seen nothing yet.
    public init(limit: Int) { self.limit = limit }

    /// Adds bytes of the stream. They are kept even if ``FrameTooLong`` is thrown: the frames before the long one can be
    /// taken, and after raising ``limit`` the long one too. Frames that are not taken stay in memory.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FrameTooLong) {
        dropTaken()
        buffer.append(contentsOf: bytes)
        guard overlong == nil else { throw FrameTooLong(limit: limit) }
    }

    /// Takes the next whole frame, without its NUL; nil if there is none, or none within the limit.
    public mutating func next() -> [UInt8]? {
        guard let end = buffer[searched...].firstIndex(of: 0) else {
            searched = buffer.count
            return nil
        }
        searched = end
        guard end - start <= limit else { return nil }
        let frame = Array(buffer[start..<end])
        start = end + 1
        searched = start
        if start == buffer.count { dropTaken() }
        return frame
    }

    /// True if the last frame has not ended.
    public var isMidFrame: Bool { start < buffer.count && buffer.last != 0 }

    /// The bytes so far of the first frame that was not taken, without its NUL.
    public var pending: ArraySlice<UInt8> { buffer[start..<(buffer[searched...].firstIndex(of: 0) ?? buffer.count)] }

    /// The bytes so far of the first frame over the ``limit``, also behind frames that were not taken yet; nil if there
    /// is none. After ``FrameTooLong`` a server looks at them to decide whether to raise the limit.
    public var overlong: ArraySlice<UInt8>? {
        var (begin, unsearched) = (start, searched)
        while buffer.count - begin > limit {
            let end = buffer[unsearched...].firstIndex(of: 0) ?? buffer.count
            if end - begin > limit { return buffer[begin..<end] }
            (begin, unsearched) = (end + 1, end + 1)
        }
        return nil
    }

    private mutating func dropTaken() {
        // Not before it is half of the buffer: moving the rest for every frame would take quadratic time.
        guard start > 0, start * 2 >= buffer.count else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
        } else {
            buffer.removeFirst(start)
        }
        searched -= start
        start = 0
    }
}

/// A frame has more bytes than allowed, ended or not.
/// Specification: varlink.org/FAQ.
public struct FrameTooLong: Error, Equatable, Sendable {
    /// The limit, in bytes.
    public let limit: Int

    /// A frame went over this limit.
    public init(limit: Int) { self.limit = limit }
}
