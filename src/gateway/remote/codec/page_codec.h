// The fields that pages of scans and feeds share in messages between gateways.
//
//   limits := items:number bytes:number examined:number
//   key    := hash partition_key:bytes row_key:bytes
//   feed   := range start:number start_time:time after:number tells_position:flag limits
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "gateway/remote/message.h"
#include "gateway/requests.h"
#include "item/layout/key_layout.h"
#include "item/read/reader.h"

namespace orrery::gateway {

// The part of one partition's feed that is asked for.
struct FeedPlace {
  partition::HashRange range;  // of one physical partition
  // From `after` on, or from where a feed that begins now or at a time begins.
  FeedSpec::Start start = FeedSpec::Start::kBeginning;
  Micros start_time{0};
  Lsn after;  // of kBeginning
  // Only where that is: no entries.
  bool tells_position = false;
  item::PageLimits limits;
};

void AppendLimits(MessageWriter& out, const item::PageLimits& limits);
item::PageLimits ReadLimits(MessageReader& in);

void AppendItemKey(MessageWriter& out, const item::ItemKey& key);
item::ItemKey ReadItemKey(MessageReader& in);

void AppendFeedPlace(MessageWriter& out, const FeedPlace& place);
FeedPlace ReadFeedPlace(MessageReader& in);

}  // namespace orrery::gateway
