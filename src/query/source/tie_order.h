// A TieOrder is the order in which documents of one value are given, where it is another than their
// order on the ring.
//
// The two may differ only within buckets of the ring: documents of different buckets are in the
// same order by both, so that what is gathered to be sorted is bounded by a bucket.
//
// Immutable, so thread-safe.
#pragma once

#include <string>

#include "gateway/requests.h"

namespace orrery::query {

class TieOrder {
 public:
  virtual ~TieOrder() = default;

  // Bytes that order documents, and tell them apart.
  virtual std::string KeyOf(const item::ItemKey& key) const = 0;
  // The bucket that a position of the ring is in.
  virtual partition::HashRange BucketOf(Hash128 position) const = 0;
};

}  // namespace orrery::query
