#include "gateway/archive/archive_digest.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/murmur3.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::gateway {
namespace {

// Before every expiry: what expires is kept, what was deleted is not.
constexpr uint32_t kBeforeAll = 0;

Hash128 Sum(const Hash128& a, const Hash128& b) {
  const uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}

Hash128 HashOf(const ArchivedDocument& item) {
  std::string bytes;
  AppendBigEndian(bytes, item.time.count());
  bytes += item.document.bson();
  return Murmur3(bytes);
}

Hash128 HashOf(const ArchivedRow& item) {
  model::Row row;
  ORRERY_CHECK(model::DecodeRow(item.row, row).has_value());  // whoever made the item looked
  model::Purge(row, {}, kBeforeAll);
  row.lsn = Lsn();
  row.deletion = {};
  row.column_deletions.clear();
  std::string seen;
  model::EncodeRow(seen, row);
  std::string bytes;
  AppendLengthPrefixed(bytes, item.partition_key);
  AppendLengthPrefixed(bytes, item.clustering);
  bytes += seen;
  return Murmur3(bytes);
}

}  // namespace

ArchiveDigest& ArchiveDigest::operator+=(const ArchiveDigest& other) {
  items += other.items;
  mortal += other.mortal;
  sum = Sum(sum, other.sum);
  return *this;
}

ArchiveDigest DigestOf(const ArchiveBatch& batch) {
  ArchiveDigest digest;
  std::visit(
      [&digest](const auto& items) {
        for (const auto& item : items) {
          if (item.mortal) {
            digest += {.items = 1, .mortal = 1, .sum = {}};
          } else {
            digest += {.items = 1, .mortal = 0, .sum = HashOf(item)};
          }
        }
      },
      batch);
  return digest;
}

Result<Hash128> ParseDigestSum(std::string_view text) {
  std::string bytes;
  if (!FromHex(text, bytes) || bytes.size() != Hash128::kBytes)
    return Fail(Code::kInvalidArgument, "a digest has 32 hex digits");
  return Hash128::Load(bytes.data());
}

}  // namespace orrery::gateway
