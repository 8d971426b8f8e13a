#include "history/linearizability.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "history/tried.h"

namespace orrery::history {
namespace {

bool IsRequired(const Operation& operation) {
  return operation.outcome == Outcome::kOk || operation.outcome == Outcome::kMismatch;
}
bool IsOptional(const Operation& operation) {
  return operation.outcome == Outcome::kUnknown && operation.kind != Kind::kRead;
}

// The read that saw most, when nothing but appends can have changed the key.
const Operation* LongestIfOnlyGrowing(std::span<const Operation* const> operations) {
  const Operation* longest = nullptr;
  for (const Operation* operation : operations) {
    const bool counts = IsRequired(*operation) || IsOptional(*operation);
    if (!counts || operation->kind == Kind::kAppend) continue;
    if (operation->kind != Kind::kRead) return nullptr;
    const bool longer = operation->value.has_value() &&
                        (longest == nullptr || operation->value->size() > longest->value->size());
    if (longer) longest = operation;
  }
  return longest;
}

class Search {
 public:
  Search(std::span<const Operation* const> operations, RegisterModel& model, ContentId initial,
         const SearchLimits& limits)
      : model_(model), limits_(limits), content_(initial) {
    ListEvents(Enter(operations));
  }

  SearchResult Run() {
    Restart();
    while (done_.count() < required_.size()) {
      if (++steps_ + tried_.compared() > limits_.steps_max || tried_.size() > limits_.tried_max)
        return {Verdict::kTooConcurrent};
      if (among_required_) {
        TryRequired();
      } else if (next_optional_ < optional_.size() &&
                 optional_[next_optional_].invoked <= deadline_) {
        TryOptional();
      } else if (path_.empty()) {
        return {Verdict::kViolated, required_[farthest_entry_].index};
      } else {
        TakeBack();
      }
    }
    return {Verdict::kLinearizable};
  }

 private:
  struct Required {
    size_t index;  // of the caller's operations
    RegisterModel::Step step;
  };
  struct Optional {
    uint64_t invoked;
    RegisterModel::Step step;
    std::optional<size_t> twin;  // the one before it that does the same
  };
  // Moments at which required operations begin and end, in order, in a ring through a head; those
  // of operations that have taken effect are taken out.
  struct Event {
    uint64_t time = 0;
    bool is_call = true;
    size_t entry = 0;
    size_t previous = 0;
    size_t next = 0;
    size_t completion = 0;  // of a call
  };
  struct Taken {
    bool required;
    size_t which;  // the event of its call; or the number of an optional one
    ContentId before;
  };

  // Returns the moments, in no order.
  std::vector<Event> Enter(std::span<const Operation* const> operations) {
    std::vector<Event> moments;
    std::vector<size_t> order(operations.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::sort(order, {}, [&](size_t i) { return std::pair(operations[i]->invoked, i); });
    for (const size_t i : order) {
      const Operation& operation = *operations[i];
      if (IsRequired(operation)) {
        moments.push_back({.time = operation.invoked, .is_call = true, .entry = required_.size()});
        moments.push_back(
            {.time = operation.completed, .is_call = false, .entry = required_.size()});
        required_.push_back({i, model_.StepOf(operation)});
      } else if (IsOptional(operation)) {
        const RegisterModel::Step step = model_.StepOf(operation);
        std::optional<size_t> twin;
        for (size_t other = optional_.size(); other-- > 0 && !twin.has_value();) {
          if (optional_[other].step == step) twin = other;
        }
        optional_.push_back({operation.invoked, step, twin});
      }
    }
    if (const Operation* longest = LongestIfOnlyGrowing(operations); longest != nullptr)
      model_.GrowInto(*longest->value);
    done_ = FillingSet(required_.size());
    used_.resize(optional_.size() / 64 + 1);
    return moments;
  }

  void ListEvents(std::vector<Event> moments) {
    // At one moment calls come first: what only touches is concurrent.
    std::ranges::sort(moments, {}, [](const Event& event) {
      return std::tuple(event.time, !event.is_call, event.entry);
    });
    events_.resize(1);
    events_.insert(events_.end(), moments.begin(), moments.end());
    std::vector<size_t> calls(required_.size());
    for (size_t i = 0; i < events_.size(); ++i) {
      events_[i].previous = i == 0 ? events_.size() - 1 : i - 1;
      events_[i].next = i + 1 == events_.size() ? 0 : i + 1;
      if (i == 0) continue;
      if (events_[i].is_call) {
        calls[events_[i].entry] = i;
      } else {
        events_[calls[events_[i].entry]].completion = i;
      }
    }
  }

  void Restart() {
    among_required_ = true;
    event_ = events_[0].next;
  }

  void TryRequired() {
    const Event event = events_[event_];
    if (!event.is_call) {
      // It should have taken effect by now. Only an optional one can help, or another past.
      Blocked(event_);
      TurnToOptional(0, event.time);
      return;
    }
    const auto after = model_.Apply(required_[event.entry].step, content_);
    const size_t call = event_;
    event_ = event.next;
    if (!after.has_value()) return;
    done_.Insert(event.entry);
    if (!tried_.Add(Situation(*after), used_)) {
      done_.Erase(event.entry);
      return;
    }
    path_.push_back({.required = true, .which = call, .before = content_});
    content_ = *after;
    Unlink(call);
    Unlink(event.completion);
    Restart();
  }

  void TryOptional() {
    const size_t number = next_optional_++;
    const Optional& optional = optional_[number];
    // Of twins the first goes first: which one it is makes no difference.
    if (IsUsed(number) || (optional.twin.has_value() && !IsUsed(*optional.twin))) return;
    const auto after = model_.Apply(optional.step, content_);
    if (!after.has_value() || *after == content_) return;
    used_[number / 64] ^= BitOf(number);
    if (!tried_.Add(Situation(*after), used_)) {
      used_[number / 64] ^= BitOf(number);
      return;
    }
    path_.push_back({.required = false, .which = number, .before = content_});
    content_ = *after;
    Restart();
  }

  // The last one did not help: what comes after it.
  void TakeBack() {
    const Taken last = path_.back();
    path_.pop_back();
    content_ = last.before;
    if (!last.required) {
      used_[last.which / 64] ^= BitOf(last.which);
      size_t completion = events_[0].next;
      while (events_[completion].is_call) completion = events_[completion].next;
      TurnToOptional(last.which + 1, events_[completion].time);
      return;
    }
    done_.Erase(events_[last.which].entry);
    Link(events_[last.which].completion);
    Link(last.which);
    among_required_ = true;
    event_ = events_[last.which].next;
  }

  void TurnToOptional(size_t first, uint64_t deadline) {
    among_required_ = false;
    next_optional_ = first;
    deadline_ = deadline;
  }

  std::string Situation(ContentId content) const {
    std::string text(reinterpret_cast<const char*>(&content), sizeof(content));
    done_.AppendTo(text);
    return text;
  }

  void Blocked(size_t completion) {
    if (completion < farthest_) return;
    farthest_ = completion;
    farthest_entry_ = events_[completion].entry;
  }

  static uint64_t BitOf(size_t number) { return uint64_t{1} << (number % 64); }
  bool IsUsed(size_t number) const { return (used_[number / 64] & BitOf(number)) != 0; }

  void Unlink(size_t event) {
    events_[events_[event].previous].next = events_[event].next;
    events_[events_[event].next].previous = events_[event].previous;
  }
  void Link(size_t event) {
    events_[events_[event].previous].next = event;
    events_[events_[event].next].previous = event;
  }

  RegisterModel& model_;
  const SearchLimits& limits_;
  std::vector<Required> required_;  // by invocation
  std::vector<Optional> optional_;  // by invocation
  std::vector<Event> events_;       // by time; [0] is the head

  // The operations that have taken effect.
  ContentId content_;
  FillingSet done_{0};
  Tried::Used used_;
  std::vector<Taken> path_;

  // The next operations to try: required ones first, since optional ones are not given back.
  bool among_required_ = true;
  size_t event_ = 0;
  size_t next_optional_ = 0;
  uint64_t deadline_ = 0;  // when the first required operation must have taken effect

  Tried tried_;
  uint64_t steps_ = 0;
  size_t farthest_ = 0;  // the latest completion that stopped the search
  size_t farthest_entry_ = 0;
};

}  // namespace

SearchResult SearchOrder(std::span<const Operation* const> operations, RegisterModel& model,
                         ContentId initial, const SearchLimits& limits) {
  return Search(operations, model, initial, limits).Run();
}

}  // namespace orrery::history
