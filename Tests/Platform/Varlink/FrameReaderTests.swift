import Testing
import Varlink

@Suite struct FrameReaderTests {
    private func append(_ text: some Collection<UInt8>, to reader: inout FrameReader) throws {
        try Array(text).withUnsafeBytes { try reader.append($0) }
    }

    private func drain(_ reader: inout FrameReader) -> [String] {
        var frames: [String] = []
        while let frame = reader.next() { frames.append(String(decoding: frame, as: UTF8.self)) }
        return frames
    }

    @Test func `two frames are read, wherever the stream is cut`() throws {
        let bytes = Array("{\"method\":\"a.B\"}\0{\"é\":1}\0".utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var reader = FrameReader(limit: 64)
                var frames: [String] = []
                for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
                    try append(part, to: &reader)
                    frames += drain(&reader)
                }
                #expect(frames == ["{\"method\":\"a.B\"}", "{\"é\":1}"])
                #expect(!reader.isMidFrame)
            }
        }
    }

    @Test func `bytes that come one by one make frames`() throws {
        var reader = FrameReader(limit: 3)
        var frames: [String] = []
        for byte in "abc\0\0de\0".utf8 {
            try append([byte], to: &reader)
            frames += drain(&reader)
        }
        #expect(frames == ["abc", "", "de"])
    }

    @Test func `frames wait, in order, until they are taken`() throws {
        var reader = FrameReader(limit: 3)
        try append("a\0bc".utf8, to: &reader)
        try append("\0d".utf8, to: &reader)
        #expect(reader.next() == Array("a".utf8))
        try append("\0".utf8, to: &reader)
        #expect(drain(&reader) == ["bc", "d"])
        #expect(reader.next() == nil)
    }

    @Test func `ten thousand empty frames are ten thousand frames`() throws {
        var reader = FrameReader(limit: 16)
        try append(Array(repeating: 0, count: 10_000), to: &reader)
        #expect(drain(&reader) == Array(repeating: "", count: 10_000))
    }

    @Test func `an unfinished frame and its bytes so far are known`() throws {
        var reader = FrameReader(limit: 8)
        #expect(!reader.isMidFrame)
        #expect(reader.pending == [])
        try append("ab\0cd".utf8, to: &reader)
        #expect(reader.isMidFrame)
        #expect(reader.pending == ArraySlice("ab".utf8))
        #expect(drain(&reader) == ["ab"])
        #expect(reader.isMidFrame)
        #expect(reader.pending == ArraySlice("cd".utf8))
        try append("\0".utf8, to: &reader)
        #expect(!reader.isMidFrame)
        #expect(drain(&reader) == ["cd"])
        #expect(!reader.isMidFrame)
        #expect(reader.pending == [])
    }

    @Test func `a frame as long as the limit passes, and a longer one does not, finished or not`() throws {
        var reader = FrameReader(limit: 4)
        try append("1234\0abcd".utf8, to: &reader)
        #expect(drain(&reader) == ["1234"])
        #expect(throws: FrameTooLong(limit: 4)) { try append("e".utf8, to: &reader) }
        var ended = FrameReader(limit: 4)
        #expect(throws: FrameTooLong(limit: 4)) { try append("12345\0".utf8, to: &ended) }
        #expect(ended.next() == nil)
    }

    @Test func `many short frames together may exceed the limit`() throws {
        var reader = FrameReader(limit: 2)
        try append("ab\0cd\0ef\0gh".utf8, to: &reader)
        #expect(drain(&reader) == ["ab", "cd", "ef"])
    }

    @Test func `frames before a too long one can be taken, and the long one under a higher limit`() throws {
        var reader = FrameReader(limit: 4)
        #expect(reader.overlong == nil)
        #expect(throws: FrameTooLong(limit: 4)) { try append("a\0b\0123456".utf8, to: &reader) }
        #expect(reader.pending == ArraySlice("a".utf8))
        #expect(reader.overlong == ArraySlice("123456".utf8))
        #expect(drain(&reader) == ["a", "b"])
        #expect(reader.pending == ArraySlice("123456".utf8))
        reader.limit = 8
        #expect(reader.overlong == nil)
        try append("78\0c\0".utf8, to: &reader)
        #expect(drain(&reader) == ["12345678", "c"])
    }

    @Test func `a lowered limit holds for later frames`() throws {
        var reader = FrameReader(limit: 8)
        try append("12345678\0abc".utf8, to: &reader)
        reader.limit = 4
        #expect(reader.next() == nil)
        reader.limit = 8
        #expect(drain(&reader) == ["12345678"])
        reader.limit = 4
        #expect(throws: FrameTooLong(limit: 4)) { try append("de".utf8, to: &reader) }
    }

    @Test func `a frame of sixteen megabytes arrives in pieces, between other frames`() throws {
        var reader = FrameReader(limit: 16 << 20)
        let piece = Array(repeating: UInt8(ascii: "x"), count: 64 << 10)
        try append("before\0".utf8, to: &reader)
        for _ in 0..<256 { try append(piece, to: &reader) }
        try append("\0after\0".utf8, to: &reader)
        #expect(reader.next() == Array("before".utf8))
        #expect(reader.next() == Array(repeating: UInt8(ascii: "x"), count: 16 << 20))
        #expect(drain(&reader) == ["after"])
    }
}
