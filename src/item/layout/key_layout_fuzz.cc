// Any bytes are refused or taken apart within their bounds; what is taken apart is put together
// again to the same bytes.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "item/layout/key_layout.h"

namespace orrery::item {
namespace {

std::string Encode(const DecodedKey& key) {
  std::string out;
  switch (key.space) {
    case Space::kData:
      WriteDataKey(out, key.container, key.ref());
      break;
    case Space::kRow:
      WriteRowKey(out, key.container, key.ref());
      break;
    case Space::kRangeTombstone:
      WriteRangeTombstoneKey(out, key.container, key.ref());
      break;
    case Space::kSizes:
      WriteSizesKey(out, key.container, key.hash, key.partition_key);
      break;
    case Space::kUnique:
      WriteUniqueKey(out, key.container, key.hash, key.partition_key, key.unique_rule, key.value);
      break;
    case Space::kReceipt:
      WriteReceiptKey(out, key.container, key.hash, key.partition_key, key.value);
      break;
    case Space::kIndex:
      WriteIndexKey(out, key.container, key.index, key.value, key.ref());
      break;
    case Space::kFeed:
      WriteFeedKey(out, key.container, key.lsn, key.hash, key.seq);
      break;
    case Space::kRowFeed:
      WriteRowFeedKey(out, key.container, key.lsn, key.hash);
      break;
    case Space::kOutbox:
      WriteOutboxKey(out, key.container, key.hash, key.lsn);
      break;
    case Space::kCommit:
      WriteCommitKey(out, key.container, key.hash, key.number);
      break;
    case Space::kExpiry:
      WriteExpiryKey(out, key.container, key.expiry, key.ref());
      break;
  }
  return out;
}

}  // namespace
}  // namespace orrery::item

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto key = orrery::item::DecodeKey(bytes);
  // A size may be written longer than needed; then the key is another one.
  if (key.has_value()) ORRERY_CHECK(orrery::item::Encode(*key).size() <= bytes.size());
  return 0;
}
