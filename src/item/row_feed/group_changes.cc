#include "item/row_feed/group_changes.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace orrery::item {

void GroupChanges::Begin() { places_at_begin_ = places_.size(); }

void GroupChanges::Add(ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq,
                       const Change& change) {
  const size_t begin = bytes_.size();
  AppendChange(bytes_, change);
  places_.push_back({container, lsn, hash, seq, begin, bytes_.size()});
}

void GroupChanges::Rollback() {
  if (places_.size() == places_at_begin_) return;
  bytes_.resize(places_[places_at_begin_].begin);
  places_.resize(places_at_begin_);
}

void GroupChanges::Flush(partition::GroupWriter& writer) {
  // Within a container they are in order already.
  if (!std::ranges::is_sorted(places_, {}, &Place::container)) {
    std::ranges::sort(places_, {}, [](const Place& place) {
      return std::tie(place.container, place.lsn, place.seq);
    });
  }
  const std::string_view bytes = bytes_;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (i > 0 && (places_[i - 1].container != place.container || !pack_.TakesMoreAt(place.lsn))) {
      PutPack(writer, places_[i - 1].container);
    }
    pack_.Add(
        {place.lsn, place.hash, place.seq, bytes.substr(place.begin, place.end - place.begin)});
  }
  if (!places_.empty()) PutPack(writer, places_.back().container);
  places_.clear();
  bytes_.clear();
  places_at_begin_ = 0;
}

void GroupChanges::PutPack(partition::GroupWriter& writer, ContainerId container) {
  pack_.WriteKey(key_, container);
  writer.PutUnread(key_, pack_.bytes());
  pack_.Clear();
}

}  // namespace orrery::item
