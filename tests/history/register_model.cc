#include "history/register_model.h"

namespace orrery::history {
namespace {

bool IsBeginning(const std::string& list, const std::string& of) {
  return of.starts_with(list) && (of.size() == list.size() || of[list.size()] == ',');
}

}  // namespace

ContentId RegisterModel::Learn(const Content& content) {
  if (!content.has_value()) {
    if (contents_.empty()) contents_.emplace_back();
    return kNothing;
  }
  const auto [known, is_new] = ids_.emplace(*content, static_cast<ContentId>(contents_.size()));
  if (is_new) contents_.push_back(content);
  return known->second;
}

RegisterModel::Step RegisterModel::StepOf(const Operation& operation) {
  Step step{.kind = operation.kind,
            .value = Learn(operation.value),
            .expected = Learn(operation.expected),
            .mismatch = operation.outcome == Outcome::kMismatch};
  if (operation.saw.has_value()) step.saw = Learn(*operation.saw);
  return step;
}

std::optional<ContentId> RegisterModel::Apply(const Step& step, ContentId before) {
  switch (step.kind) {
    case Kind::kRead:
      return before == step.value ? std::optional(before) : std::nullopt;
    case Kind::kWrite:
      return step.value;
    case Kind::kDelete:
      return kNothing;
    case Kind::kAppend:
      return Append(before, step.value);
    case Kind::kCas:
      break;
  }
  if (!step.mismatch) return before == step.expected ? std::optional(step.value) : std::nullopt;
  const bool possible = before != step.expected && before == step.saw.value_or(before);
  return possible ? std::optional(before) : std::nullopt;
}

std::optional<ContentId> RegisterModel::Append(ContentId before, ContentId value) {
  const auto [known, is_new] = appended_.emplace(uint64_t{before} << 32 | value, std::nullopt);
  if (!is_new) return known->second;
  const Content& list = contents_[before];
  const std::string after = list.has_value() ? *list + "," + *contents_[value] : *contents_[value];
  if (!grows_into_.has_value() || IsBeginning(after, *grows_into_) ||
      IsBeginning(*grows_into_, after))
    known->second = Learn(after);
  return known->second;
}

}  // namespace orrery::history
