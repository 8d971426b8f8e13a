#include "api/mongo/catalog/validator.h"

#include "api/mongo/language/match/failure_details.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

std::string_view TextOption(model::DocumentView options, std::string_view name) {
  const auto found = options.Find(name);
  return found.has_value() && found->kind() == model::Kind::kString ? found->AsString()
                                                                    : std::string_view();
}

}  // namespace

Answer<std::shared_ptr<const Validator>> Validator::Make(model::DocumentView options) {
  const auto rule = options.Find("validator");
  const bool has_rule =
      rule.has_value() && rule->kind() == model::Kind::kObject && !rule->AsDocument().empty();
  if (!has_rule || TextOption(options, "validationLevel") == "off" ||
      TextOption(options, "validationAction") == "warn")
    return nullptr;
  MONGO_ASSIGN(MatcherPtr matcher,
               Matcher::Parse(rule->AsDocument(), std::make_shared<const QueryContext>(),
                              {.near = false, .text = false, .where = false}));
  return std::shared_ptr<const Validator>(
      new Validator(std::move(matcher), TextOption(options, "validationLevel") == "moderate"));
}

Outcome Validator::Check(model::DocumentView after,
                         std::optional<model::DocumentView> before) const {
  MONGO_ASSIGN(const bool is_good, rule_->Matches(after));
  if (is_good) return {};
  if (is_moderate_ && before.has_value()) {
    MONGO_ASSIGN(const bool was_good, rule_->Matches(*before));
    if (!was_good) return {};
  }
  MongoError error{static_cast<int32_t>(ErrorCode::kDocumentValidationFailure),
                   "Document failed validation"};
  model::DocumentBuilder info;
  if (const auto id = after.Find("_id")) info.Append("failingDocumentId", *id);
  info.Append("details", FailureDetails(rule_->filter().ToObject().AsFields(), after,
                                        std::make_shared<const QueryContext>(rule_->context())));
  error.info = std::move(info).Finish();
  return std::unexpected(std::move(error));
}

}  // namespace orrery::mongo
