/// An entry of a document's index: a key or scalar, or one of the two entries of a container.
///
/// A container takes two slots. The first holds where it starts and the slot after all that it holds, the second its
/// number of elements or members and where it ends. A key is followed by its value.
///
///     {"a": [1], "b": 2}      0  {   next slot 8
///                             1      2 members, ends at 18
///                             2  "a"
///                             3  [   next slot 6
///                             4      1 element, ends at 9
///                             5  1
///                             6  "b"
///                             7  2
struct JSONSlot {
    private static let containerBit: UInt32 = 1 << 31
    private static let plainBit: UInt32 = 1 << 30
    private static let numberMask: UInt32 = 1 << 30 - 1

    /// The offset of the value or key in the text. In the second slot of a container, the number of elements or
    /// members.
    var start: UInt32
    /// Two flags in the highest bits, and below them a number: the ``length`` of a scalar or key, the ``nextSlot`` of a
    /// container in its first slot, and its ``end`` in its second slot.
    let extent: UInt32

    /// Makes the only slot of a scalar or key, which starts at an offset of the text and has that many bytes.
    init(scalarAt start: Int, length: Int, isPlain: Bool) {
        self.start = UInt32(truncatingIfNeeded: start)
        extent = Self.scalarExtent(length: length, isPlain: isPlain)
    }

    /// Makes the first slot of a container, which starts at an offset of the text. `nextSlot` is the slot after all
    /// that it holds.
    init(containerAt start: UInt32, nextSlot: Int) {
        self.start = start
        extent = UInt32(truncatingIfNeeded: nextSlot) | Self.containerBit
    }

    /// Makes the second slot of a container, with the number of its elements or members and the offset of its end.
    init(count: UInt32, end: Int) {
        start = count
        extent = UInt32(truncatingIfNeeded: end)
    }

    /// Returns the ``extent`` of a scalar: two scalars with the same extent have the same length and are written alike.
    @inline(__always)
    static func scalarExtent(length: Int, isPlain: Bool) -> UInt32 {
        UInt32(truncatingIfNeeded: length) | (isPlain ? plainBit : 0)
    }

    @inline(__always) var isContainer: Bool { extent & Self.containerBit != 0 }
    /// For strings: ASCII without escapes. For numbers: no fraction or exponent.
    @inline(__always) var isPlain: Bool { extent & Self.plainBit != 0 }

    /// The length of a scalar or key in bytes.
    @inline(__always) var length: Int { number }
    /// The slot after all that a container holds, in its first slot.
    @inline(__always) var nextSlot: Int { number }
    /// The offset of a container's end in the text, in its second slot.
    @inline(__always) var end: Int { number }

    /// The number below the flags, whose meaning depends on the slot.
    @inline(__always) private var number: Int { Int(extent & Self.numberMask) }
}
