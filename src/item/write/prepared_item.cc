#include "item/write/prepared_item.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "item/layout/key_layout.h"

namespace orrery::item {
namespace {

constexpr int64_t kTtlMax = INT32_MAX;
constexpr int64_t kNever = -1;
// Key, value and bookkeeping of one index entry, roughly.
constexpr size_t kIndexEntryBytes = 96;

std::unexpected<Error> BadTtl(const ContainerSchema& schema) {
  return Fail(Code::kInvalidArgument,
              "the value of " + schema.ttl_path.ToString() +
                  " must be a positive whole number of seconds up to 2147483647, or -1");
}

// The item's own ttl: nullopt when it has none.
Result<std::optional<int64_t>> OwnTtl(const ContainerSchema& schema, model::DocumentView document) {
  const auto element = schema.ttl_path.Find(document);
  if (!element.has_value()) return std::nullopt;
  int64_t ttl = 0;
  switch (element->kind()) {
    case model::Kind::kNull:
      return std::nullopt;
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      ttl = element->AsInteger();
      break;
    case model::Kind::kDouble: {
      const double number = element->AsDouble();
      if (!(number >= kNever && number <= static_cast<double>(kTtlMax)) ||
          std::trunc(number) != number) {
        return BadTtl(schema);
      }
      ttl = static_cast<int64_t>(number);
      break;
    }
    default:
      return BadTtl(schema);
  }
  if (ttl != kNever && (ttl <= 0 || ttl > kTtlMax)) return BadTtl(schema);
  return ttl;
}

}  // namespace

size_t PreparedItem::bytes() const {
  size_t bytes = record.bson().size() + kRecordHeaderBytesMax + terms.size() * kIndexEntryBytes;
  for (const std::string& key : unique_keys) bytes += key.size();
  return bytes;
}

Result<PreparedItem> Prepare(const ContainerSchema& schema, Hash128 hash,
                             std::string_view partition_key, model::DocumentView document) {
  PreparedItem prepared;
  ORRERY_ASSIGN(prepared.lifetime, LifetimeOf(schema, document));
  ORRERY_ASSIGN(prepared.terms, TermsOf(schema.indexing, document, schema.order));
  ORRERY_ASSIGN(prepared.unique_keys, UniqueKeysOf(schema, hash, partition_key, document));
  prepared.record = RecordBuffer(document.bson());
  return prepared;
}

Result<std::optional<Micros>> LifetimeOf(const ContainerSchema& schema,
                                         model::DocumentView document) {
  if (!schema.default_ttl_s.has_value()) return std::nullopt;
  ORRERY_ASSIGN(const auto own, OwnTtl(schema, document));
  const int64_t ttl = own.value_or(*schema.default_ttl_s);
  if (ttl == kNever) return std::nullopt;
  return std::chrono::seconds(ttl);
}

}  // namespace orrery::item
