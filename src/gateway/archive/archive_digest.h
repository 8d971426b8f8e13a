// An ArchiveDigest tells whether two servers have the same items without sending them: their
// number, and the sum of their hashes, independent of the order and the pages in which they were
// read.
//
// In the sum is what a reader sees and when it was written: keys, values and times of what lives.
// Tombstones are not, as every server forgets them when it likes; nor are mortal items
// (archive_batch.h), which may end between two looks: these are only counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash128.h"
#include "base/status.h"
#include "gateway/archive/archive_batch.h"

namespace orrery::gateway {

struct ArchiveDigest {
  uint64_t items = 0;   // mortal ones too
  uint64_t mortal = 0;  // of these
  Hash128 sum;          // of the others

  uint64_t lasting() const { return items - mortal; }
  // Returns whether all items that do not expire are the same in both.
  bool Agrees(const ArchiveDigest& other) const {
    return lasting() == other.lasting() && sum == other.sum;
  }
  ArchiveDigest& operator+=(const ArchiveDigest& other);
  friend bool operator==(const ArchiveDigest&, const ArchiveDigest&) = default;
};

ArchiveDigest DigestOf(const ArchiveBatch& batch);

// The sum as Hash128::ToString writes it. kInvalidArgument when `text` is none.
Result<Hash128> ParseDigestSum(std::string_view text);

}  // namespace orrery::gateway
