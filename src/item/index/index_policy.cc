#include "item/index/index_policy.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/scramble.h"
#include "model/expression/expression_json.h"

namespace orrery::item {
namespace {

constexpr std::string_view kRootPattern = "/*";
constexpr std::string_view kEtagPattern = "/\"_etag\"/?";

// Ids are stored: none of these may change.
constexpr uint64_t kFnvPrime = 0x100000001b3;
constexpr uint64_t kNamedBit = uint64_t{1} << 63;
constexpr uint8_t kFieldMark = 0x01;
constexpr uint8_t kElementMark = 0x02;
constexpr uint8_t kKindMark = 0x03;
constexpr uint8_t kStepEnd = 0x00;

PathIndexHash HashOf(std::span<const model::PathStep> place) {
  PathIndexHash hash;
  for (const model::PathStep& step : place) hash = hash.Then(step);
  return hash;
}

ExactPlace ExactPlaceAt(std::vector<std::string> fields) {
  PathIndexHash hash;
  for (const std::string& field : fields) hash = hash.Then(model::PathStep::Field(field));
  return {std::move(fields), hash.id()};
}

}  // namespace

bool operator==(const NamedIndex& a, const NamedIndex& b) {
  const auto same_only = [&] {
    if (a.only.has_value() != b.only.has_value()) return false;
    return !a.only.has_value() ||
           model::ExpressionToJson(*a.only) == model::ExpressionToJson(*b.only);
  };
  return a.id == b.id && a.name == b.name && a.paths == b.paths && a.kind == b.kind &&
         a.directions == b.directions && a.vectors == b.vectors && a.unique == b.unique &&
         a.sparse == b.sparse && a.collation == b.collation && a.wildcard == b.wildcard &&
         a.search == b.search && same_only();
}

Status SetCollation(NamedIndex& index, const model::CollationRules& rules) {
  ORRERY_ASSIGN(index.collator, model::TextCollator::Make(rules));
  index.collation = rules;
  return {};
}

IndexPolicy IndexPolicy::All() {
  auto policy = FromPatterns({std::string(kRootPattern)}, {std::string(kEtagPattern)});
  ORRERY_CHECK(policy.has_value());
  return *std::move(policy);
}

Result<IndexPolicy> IndexPolicy::FromPatterns(const std::vector<std::string>& included,
                                              const std::vector<std::string>& excluded) {
  IndexPolicy policy;
  ORRERY_ASSIGN(const model::PathPattern root, model::PathPattern::Parse(kRootPattern));
  for (const auto* list : {&included, &excluded}) {
    for (const std::string& text : *list) {
      ORRERY_ASSIGN(model::PathPattern pattern, model::PathPattern::Parse(text));
      if (std::ranges::find(policy.patterns_, pattern) != policy.patterns_.end()) {
        return Fail(Code::kInvalidArgument,
                    "the indexing policy names the path " + text + " more than once");
      }
      policy.patterns_.push_back(std::move(pattern));
    }
    if (list == &included) policy.included_count_ = policy.patterns_.size();
  }
  for (const model::PathPattern& pattern :
       std::span(policy.patterns_).first(policy.included_count_))
    if (auto fields = pattern.ExactFields())
      policy.exact_.push_back(ExactPlaceAt(*std::move(fields)));
  if (std::ranges::find(policy.patterns_, root) == policy.patterns_.end()) {
    return Fail(Code::kInvalidArgument,
                "the indexing policy must include or exclude the root path \"/*\"");
  }
  return policy;
}

IndexPolicy IndexPolicy::WithNamed(std::vector<NamedIndex> named) const {
  IndexPolicy policy = *this;
  policy.named_ = std::move(named);
  policy.has_unique_ = std::ranges::any_of(policy.named_, &NamedIndex::unique);
  return policy;
}

IndexPolicy IndexPolicy::WithTypeIndex() const {
  IndexPolicy policy = *this;
  policy.has_type_index_ = true;
  return policy;
}

IndexPolicy IndexPolicy::WithWholeValues(std::span<const model::Path> paths) const {
  IndexPolicy policy = *this;
  for (const model::Path& path : paths) policy.whole_.push_back(ExactPlaceAt(path.steps()).index);
  return policy;
}

bool IndexPolicy::KeepsWhole(IndexId index) const {
  return std::ranges::find(whole_, index) != whole_.end();
}

IndexPolicy IndexPolicy::WithComputed(std::vector<ComputedDefinition> definitions,
                                      std::shared_ptr<const ComputedValues> values) const {
  IndexPolicy policy = *this;
  policy.definitions_ = std::move(definitions);
  policy.computed_ = std::move(values);
  return policy;
}

const ComputedDefinition* IndexPolicy::FindComputed(std::string_view name) const {
  const auto found = std::ranges::find(definitions_, name, &ComputedDefinition::name);
  return found == definitions_.end() ? nullptr : &*found;
}

bool IndexPolicy::Indexes(std::span<const model::PathStep> place) const {
  const model::PathPattern* decides = model::MostPrecise(patterns_, place);
  return decides != nullptr && static_cast<size_t>(decides - patterns_.data()) < included_count_;
}

bool IndexPolicy::MayIndexBelow(std::span<const model::PathStep> place) const {
  return std::any_of(
      patterns_.begin(), patterns_.begin() + static_cast<std::ptrdiff_t>(included_count_),
      [place](const model::PathPattern& pattern) { return pattern.CanMatchBelow(place); });
}

PathIndexHash PathIndexHash::Add(uint8_t byte) const {
  PathIndexHash next;
  next.state_ = (state_ ^ byte) * kFnvPrime;
  return next;
}

PathIndexHash PathIndexHash::Then(const model::PathStep& step) const {
  PathIndexHash next = Add(step.is_element ? kElementMark : kFieldMark);
  for (const char c : step.name) next = next.Add(static_cast<uint8_t>(c));
  return next.Add(kStepEnd);
}

IndexId PathIndexHash::id() const { return IndexId(Scramble(state_) & ~kNamedBit); }

IndexId PathIndexHash::kind_id() const { return Add(kKindMark).Add(kStepEnd).id(); }

IndexId PathIndexId(std::span<const model::PathStep> place) { return HashOf(place).id(); }

IndexId KindIndexId(std::span<const model::PathStep> place) { return HashOf(place).kind_id(); }

model::Value KindValue(model::Kind kind) {
  ORRERY_CHECK(kind == model::Kind::kArray || kind == model::Kind::kObject);
  return model::Value::String(kind == model::Kind::kArray ? "array" : "object");
}

IndexId NamedIndexId(uint32_t id) { return IndexId(kNamedBit | id); }

}  // namespace orrery::item
