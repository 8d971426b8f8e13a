#include "base/visit_tally.h"

#include <utility>

namespace orrery {
namespace {

thread_local std::shared_ptr<VisitTally> current_tally;

}  // namespace

VisitTally::Scope::Scope(std::shared_ptr<VisitTally> tally)
    : former_(std::exchange(current_tally, std::move(tally))) {}

VisitTally::Scope::~Scope() { current_tally = std::move(former_); }

const std::shared_ptr<VisitTally>& VisitTally::Current() { return current_tally; }

}  // namespace orrery
