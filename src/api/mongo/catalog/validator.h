// A Validator is a collection's rule for its documents: a filter that new versions must match.
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <optional>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "model/document/document.h"

namespace orrery::mongo {

class Validator {
 public:
  // Of a collection's options (validator, validationLevel, validationAction); null when they ask
  // for nothing. The error is that of the filter.
  static Answer<std::shared_ptr<const Validator>> Make(model::DocumentView options);

  // kDocumentValidationFailure if `after` must not be written. `before` is the version that it
  // replaces, if there is one: under validationLevel "moderate" one that broke the rule already may
  // be replaced by another that does.
  Outcome Check(model::DocumentView after, std::optional<model::DocumentView> before) const;

 private:
  Validator(MatcherPtr rule, bool is_moderate)
      : rule_(std::move(rule)), is_moderate_(is_moderate) {}

  const MatcherPtr rule_;
  const bool is_moderate_;
};
using ValidatorPtr = std::shared_ptr<const Validator>;

}  // namespace orrery::mongo
