// Questions and answers about partition keys as JSON (docs/admin-interface.md).
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "gateway/advice/key_adviser.h"
#include "model/document/document.h"

namespace orrery::portal {

// The members of a question that clients give: candidates, statements, factors. kInvalidArgument
// says what is wrong.
struct AskedAdvice {
  gateway::AdviceQuestion question;
  int64_t sample_items = 20'000;
  int64_t seed = 7;
};
Result<AskedAdvice> AskedAdviceFrom(model::DocumentView body);

// {"sampled":..,"items":..,"bytes":..,"seed":..,"candidates":[..]}
std::string AdviceJson(const AskedAdvice& asked,
                       const std::vector<gateway::CandidateAdvice>& advice);

}  // namespace orrery::portal
