// A point read of a row at its partition's owner (kReadRow).
//
//   read   := partition_key:bytes clustering:bytes want_static_row:flag
//   answer := charge covering:deletion row:maybe static_row:maybe
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/row/row_requests.h"

namespace orrery::gateway {

struct RowRead {
  std::string partition_key;
  std::string clustering;
  bool want_static_row = false;
};

std::string EncodeRowRead(std::string_view partition_key, std::string_view clustering,
                          bool want_static_row);
Result<RowRead> DecodeRowRead(std::string_view bytes);

std::string EncodeRowReadResponse(const RowReadResponse& response);
Result<RowReadResponse> DecodeRowReadResponse(std::string_view bytes);

}  // namespace orrery::gateway
