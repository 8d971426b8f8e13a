// A point read of a row at its partition's owner (kReadRow).
//
//   read   := partition_key:bytes clustering:bytes want_head:flag
//   answer := charge shadow:deletion row:maybe head:maybe
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/row/row_requests.h"

namespace orrery::gateway {

struct RowRead {
  std::string partition_key;
  std::string clustering;
  bool want_head = false;
};

std::string EncodeRowRead(std::string_view partition_key, std::string_view clustering,
                          bool want_head);
Result<RowRead> DecodeRowRead(std::string_view bytes);

std::string EncodeRowReadResponse(const RowReadResponse& response);
Result<RowReadResponse> DecodeRowReadResponse(std::string_view bytes);

}  // namespace orrery::gateway
