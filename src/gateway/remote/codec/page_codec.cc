#include "gateway/remote/codec/page_codec.h"

namespace orrery::gateway {

void AppendLimits(MessageWriter& out, const item::PageLimits& limits) {
  out.Number(limits.items_max);
  out.Number(limits.bytes_max);
  out.Number(limits.examined_max);
}

item::PageLimits ReadLimits(MessageReader& in) {
  item::PageLimits limits;
  limits.items_max = in.Number();
  limits.bytes_max = in.Number();
  limits.examined_max = in.Number();
  return limits;
}

void AppendItemKey(MessageWriter& out, const item::ItemKey& key) {
  out.Hash(key.hash);
  out.Bytes(key.partition_key);
  out.Bytes(key.row_key);
}

item::ItemKey ReadItemKey(MessageReader& in) {
  item::ItemKey key;
  key.hash = in.Hash();
  key.partition_key = in.String();
  key.row_key = in.String();
  return key;
}

void AppendFeedPlace(MessageWriter& out, const FeedPlace& place) {
  out.Range(place.range);
  out.Number(static_cast<uint64_t>(place.start));
  out.Time(place.start_time);
  out.Number(place.after.value());
  out.Flag(place.tells_position);
  AppendLimits(out, place.limits);
}

FeedPlace ReadFeedPlace(MessageReader& in) {
  FeedPlace place;
  place.range = in.Range();
  place.start = in.Choice(FeedSpec::Start::kTime);
  place.start_time = in.Time();
  place.after = Lsn(in.Number());
  place.tells_position = in.Flag();
  place.limits = ReadLimits(in);
  return place;
}

}  // namespace orrery::gateway
