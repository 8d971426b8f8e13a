#include "api/mongo/catalog/capped_form.h"

#include <algorithm>
#include <string>

#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr int64_t kSizeUnit = 256;

int64_t WholeAt(model::DocumentView options, std::string_view name, int64_t otherwise) {
  const auto found = options.Find(name);
  if (!found.has_value()) return otherwise;
  return TruncatedInt64(found->ToValue()).value_or(otherwise);
}

}  // namespace

bool AreCapped(model::DocumentView options) {
  const auto capped = options.Find("capped");
  return capped.has_value() && capped->kind() == model::Kind::kBool && capped->AsBool();
}

CappedLimits CappedLimitsOf(model::DocumentView options) {
  return {.bytes_max = WholeAt(options, "size", 0),
          .documents_max = WholeAt(options, "max", INT64_MAX)};
}

int64_t RoundedCappedSize(int64_t bytes) {
  return std::max(bytes + kSizeUnit - 1, kSizeUnit) / kSizeUnit * kSizeUnit;
}

int64_t KeptCappedMax(int64_t documents) { return documents <= 0 ? INT32_MAX : documents; }

item::NamedIndex SequenceIndex() {
  item::NamedIndex index;
  index.id = kSequenceIndexId;
  index.name = std::string(kSequenceField);
  index.paths = {PathOf(kSequenceField)};
  index.directions = {model::Direction::kAscending};
  return index;
}

int64_t SequenceOf(model::DocumentView stored) {
  if (stored.empty()) return 0;
  const model::ElementView first = *stored.begin();
  if (first.name() != kSequenceField || first.kind() != model::Kind::kInt64) return 0;
  return first.AsInteger();
}

model::Document WithSequence(model::DocumentView document, int64_t sequence) {
  model::DocumentBuilder builder;
  builder.Reserve(document.bson().size() + kSequenceBytes);
  builder.AppendInt64(kSequenceField, sequence);
  for (const model::ElementView field : document) builder.Append(field.name(), field);
  return std::move(builder).Finish();
}

}  // namespace orrery::mongo
