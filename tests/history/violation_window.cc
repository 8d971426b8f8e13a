#include "history/violation_window.h"

#include <algorithm>
#include <deque>
#include <set>

namespace orrery::history {
namespace {

// Windows of more operations, or more that overlap them, show nothing to anybody.
constexpr size_t kWindowMax = 48;
constexpr size_t kOverlappingMax = 24;
constexpr size_t kContextShown = 8;
constexpr SearchLimits kLimits{.tried_max = 5'000, .steps_max = 100'000};
// Stands for a content that no operation of the window names.
constexpr const char* kAnythingElse = "\x01 anything else";

// All that the key may have held before the window, as far as its operations can tell it apart.
std::set<Content> ContentsBefore(std::span<const Operation* const> window) {
  std::set<Content> contents{std::nullopt, kAnythingElse};
  for (const Operation* operation : window) {
    contents.insert(operation->expected);
    if (operation->saw.has_value()) contents.insert(*operation->saw);
    if (operation->kind != Kind::kRead || !operation->value.has_value()) continue;
    // Of a list, everything that it may have grown from.
    const std::string& list = *operation->value;
    for (size_t comma = list.find(','); comma != std::string::npos;
         comma = list.find(',', comma + 1))
      contents.insert(list.substr(0, comma));
    contents.insert(list);
  }
  return contents;
}

bool CannotBe(std::span<const Operation* const> window) {
  for (const Content& before : ContentsBefore(window)) {
    RegisterModel model;
    const ContentId initial = model.Learn(before);
    if (SearchOrder(window, model, initial, kLimits).verdict != Verdict::kViolated) return false;
  }
  return true;
}

class WindowFinder {
 public:
  WindowFinder(std::span<const Operation* const> operations, const Operation& culprit)
      : culprit_(culprit) {
    for (const Operation* operation : operations) {
      const bool counts =
          operation->outcome != Outcome::kFail &&
          (operation->outcome != Outcome::kUnknown || operation->kind != Kind::kRead);
      if (counts && operation->invoked <= culprit.completed) earlier_.push_back(operation);
    }
    std::ranges::sort(earlier_, {}, By<&Operation::completed>);
  }

  std::vector<const Operation*> Find() {
    // Backwards from the culprit: each time one more that completed before it.
    const auto end = std::ranges::find(earlier_, &culprit_) + 1;
    for (auto begin = end; begin != earlier_.begin() && end - begin < kLargest;) {
      --begin;
      required_.assign(begin, end);
      FindOverlapping();
      if (overlapping_.size() > kOverlappingMax) break;
      if (!CannotBe(Window())) continue;
      LeaveOutReads();
      return Shown();
    }
    const auto context = std::min<std::ptrdiff_t>(kContextShown, end - earlier_.begin());
    required_.assign(end - context, end);
    overlapping_.clear();
    return Shown();
  }

 private:
  static constexpr std::ptrdiff_t kLargest = kWindowMax;

  // Others that may have taken effect after the first of the window, or not within it at all.
  void FindOverlapping() {
    const uint64_t first = std::ranges::min(required_, {}, &Operation::invoked)->invoked;
    overlapping_.clear();
    for (const Operation* operation : earlier_) {
      const bool changes =
          operation->kind != Kind::kRead && operation->outcome != Outcome::kMismatch;
      const bool is_required = std::ranges::find(required_, operation) != required_.end();
      if (is_required || !changes || operation->completed < first) continue;
      overlapping_.push_back(operation);
    }
  }

  std::vector<const Operation*> Window() {
    optional_.clear();
    std::vector<const Operation*> window = required_;
    for (const Operation* operation : overlapping_) {
      optional_.push_back(*operation);
      optional_.back().outcome = Outcome::kUnknown;
      window.push_back(&optional_.back());
    }
    return window;
  }

  void LeaveOutReads() {
    for (size_t i = 0; i < required_.size();) {
      const Operation* operation = required_[i];
      const bool only_looks =
          operation->kind == Kind::kRead || operation->outcome == Outcome::kMismatch;
      if (!only_looks || operation == &culprit_) {
        ++i;
        continue;
      }
      required_.erase(required_.begin() + static_cast<std::ptrdiff_t>(i));
      if (CannotBe(Window())) continue;
      required_.insert(required_.begin() + static_cast<std::ptrdiff_t>(i), operation);
      ++i;
    }
  }

  std::vector<const Operation*> Shown() const {
    std::vector<const Operation*> shown = required_;
    shown.insert(shown.end(), overlapping_.begin(), overlapping_.end());
    std::ranges::sort(shown, {}, By<&Operation::invoked>);
    return shown;
  }

  const Operation& culprit_;
  std::vector<const Operation*> earlier_;  // that may bear on the culprit, by completion
  std::vector<const Operation*> required_;
  std::vector<const Operation*> overlapping_;
  std::deque<Operation> optional_;  // overlapping_, as of unknown outcome
};

}  // namespace

std::vector<const Operation*> FindWindow(std::span<const Operation* const> operations,
                                         size_t culprit) {
  return WindowFinder(operations, *operations[culprit]).Find();
}

}  // namespace orrery::history
