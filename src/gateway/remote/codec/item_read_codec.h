// A point read of a document at its partition's owner (kReadItem).
//
//   read   := key session:bytes                           ; key: page_codec.h
//   answer := status charge session:bytes [lsn:number time (00 | 01 expiry:time) document]
//
// The item follows a good status only.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/requests.h"
#include "item/layout/key_layout.h"

namespace orrery::gateway {

struct ItemRead {
  item::ItemKey key;
  std::string session;
};

std::string EncodeItemRead(const item::ItemKey& key, std::string_view session);
Result<ItemRead> DecodeItemRead(std::string_view bytes);

std::string EncodeReadResponse(const ReadResponse& response);
// The item's document points into the bytes, which its keeper holds.
Result<ReadResponse> DecodeReadResponse(std::string bytes);

}  // namespace orrery::gateway
