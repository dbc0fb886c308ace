#pragma once

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/// Returns this process's environment (`environ`): texts that end with a zero byte, and NULL after the last one.
///
/// Swift can't use the variable itself, which any thread may change.
char *_Nullable *_Nonnull cenvironment_entries(void);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
