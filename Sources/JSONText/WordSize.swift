// Int holds file sizes, and times in nanoseconds and until after 2038.
#if !_pointerBitWidth(_64)
#error("Int must have 64 bits")
#endif
