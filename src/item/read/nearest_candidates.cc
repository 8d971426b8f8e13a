#include "item/read/nearest_candidates.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace orrery::item {
namespace {

constexpr size_t kDropAtMin = 1'024;

}  // namespace

NearestCandidates::NearestCandidates(size_t wanted, const std::optional<NearestPosition>& after)
    : wanted_(wanted), after_(after), drop_at_(kDropAtMin) {}

double NearestCandidates::limit() const {
  return most_.size() < wanted_ ? std::numeric_limits<double>::infinity() : most_.front();
}

void NearestCandidates::Add(ItemRef key, double least, double most) {
  if (after_.has_value() && most < after_->rank) return;
  if (least > limit()) {
    left_out_ = true;
    return;
  }
  candidates_.push_back(
      {least, {key.hash, std::string(key.partition_key), std::string(key.row_key)}});
  // One that may come before the position is none of the wanted for certain.
  if (!after_.has_value() || least > after_->rank) {
    most_.push_back(most);
    std::ranges::push_heap(most_);
    if (most_.size() > wanted_) {
      std::ranges::pop_heap(most_);
      most_.pop_back();
    }
  }
  if (candidates_.size() >= drop_at_) DropAboveLimit();
}

void NearestCandidates::DropAboveLimit() {
  const double limit = this->limit();
  const size_t dropped =
      std::erase_if(candidates_, [limit](const Candidate& each) { return each.least > limit; });
  left_out_ = left_out_ || dropped > 0;
  drop_at_ = std::max(kDropAtMin, 2 * candidates_.size());
}

std::vector<NearestCandidates::Candidate> NearestCandidates::Take() {
  DropAboveLimit();
  std::ranges::sort(candidates_, {}, &Candidate::least);
  return std::move(candidates_);
}

}  // namespace orrery::item
