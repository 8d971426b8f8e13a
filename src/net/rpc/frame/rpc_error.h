// An Error as bytes, so that the caller gets the callee's own: the payload of an error frame.
//
//   error := retry_after_ms:uint32 size:uint8 name[size] message
//
// `name` is the code's (CodeName), which stays the same however the codes are numbered.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

// Longer messages are cut.
inline constexpr size_t kRpcErrorMessageBytesMax = 64 << 10;

std::string EncodeRpcError(const Error& error);
// A code that this build does not know becomes kInternal, and is named in the message; so do bytes
// that are no error.
Error DecodeRpcError(std::string_view bytes);

}  // namespace orrery::net
