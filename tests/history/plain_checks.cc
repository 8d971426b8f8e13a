#include "history/plain_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace orrery::history {
namespace {

bool IsAnswered(const Operation& operation) { return operation.outcome == Outcome::kOk; }
bool MayHaveHappened(const Operation& operation) {
  return operation.outcome == Outcome::kOk || operation.outcome == Outcome::kUnknown;
}

class KeyChecker {
 public:
  explicit KeyChecker(std::span<const Operation* const> operations) : operations_(operations) {
    for (const Operation* operation : operations) {
      if (operation->kind == Kind::kRead) {
        if (IsAnswered(*operation)) reads_.push_back(operation);
        continue;
      }
      appends_only_ = appends_only_ && operation->kind == Kind::kAppend;
      has_appends_ = has_appends_ || operation->kind == Kind::kAppend;
    }
  }

  std::vector<PlainViolation> Check() {
    if (appends_only_) {
      CheckElements();
      CheckLostAppends();
      CheckOrder();
    } else if (!has_appends_) {
      CheckStrangers();
      CheckLostWrites();
    }
    return std::move(found_);
  }

 private:
  void CheckStrangers() {
    std::unordered_map<std::string_view, const Operation*> written;
    for (const Operation* operation : operations_) {
      if (operation->kind == Kind::kRead || !operation->value.has_value()) continue;
      const auto [known, is_new] = written.emplace(*operation->value, operation);
      if (!is_new && !MayHaveHappened(*known->second)) known->second = operation;
    }
    for (const Operation* read : reads_) {
      if (!read->value.has_value()) continue;
      const auto writer = written.find(*read->value);
      if (writer == written.end()) {
        Add("a read saw a value that nobody wrote", {read});
        return;
      }
      if (!MayHaveHappened(*writer->second)) {
        Add("a read saw a value whose write was refused", {writer->second, read});
        return;
      }
    }
  }

  void CheckLostWrites() {
    const Operation* first_written = nullptr;
    uint64_t first_deletion = kNever;
    for (const Operation* operation : operations_) {
      if (operation->kind == Kind::kRead || !MayHaveHappened(*operation)) continue;
      const bool deletes = !operation->value.has_value();
      if (deletes) first_deletion = std::min(first_deletion, operation->invoked);
      if (deletes || !IsAnswered(*operation)) continue;
      if (first_written == nullptr || operation->completed < first_written->completed)
        first_written = operation;
    }
    if (first_written == nullptr) return;
    for (const Operation* read : reads_) {
      const bool too_late = read->invoked > first_written->completed;
      if (read->value.has_value() || !too_late || first_deletion <= read->completed) continue;
      Add("an acknowledged write is lost: nothing was there, and nobody deleted it",
          {first_written, read});
      return;
    }
  }

  void CheckElements() {
    std::unordered_map<std::string_view, size_t> appended;
    std::unordered_map<std::string_view, const Operation*> appender;
    for (const Operation* operation : operations_) {
      if (operation->kind != Kind::kAppend) continue;
      appender.emplace(*operation->value, operation);
      if (MayHaveHappened(*operation)) ++appended[*operation->value];
    }
    for (const Operation* read : reads_) {
      if (!read->value.has_value()) continue;
      std::unordered_map<std::string_view, size_t> seen;
      for (const std::string_view element : ElementsOf(*read->value)) {
        const auto known = appended.find(element);
        if (known != appended.end() && ++seen[element] <= known->second) continue;
        const auto by = appender.find(element);
        std::vector<const Operation*> shown{read};
        if (by != appender.end()) shown.insert(shown.begin(), by->second);
        const bool doubled = known != appended.end();
        Add(doubled ? fmt::format("the append of \"{}\" took effect more than once", element)
                    : fmt::format("a read saw \"{}\", which nobody appended", element),
            std::move(shown));
        return;
      }
    }
  }

  void CheckLostAppends() {
    std::vector<const Operation*> acknowledged;
    for (const Operation* operation : operations_) {
      if (operation->kind == Kind::kAppend && IsAnswered(*operation))
        acknowledged.push_back(operation);
    }
    std::ranges::sort(acknowledged, {}, By<&Operation::completed>);
    for (const Operation* read : reads_) {
      std::map<std::string_view, size_t> seen;
      if (read->value.has_value()) {
        for (const std::string_view element : ElementsOf(*read->value)) ++seen[element];
      }
      for (const Operation* append : acknowledged) {
        if (append->completed >= read->invoked) break;
        const auto left = seen.find(*append->value);
        if (left != seen.end() && left->second > 0) {
          --left->second;
          continue;
        }
        Add(fmt::format("the acknowledged append of \"{}\" is lost", *append->value),
            {append, read});
        return;
      }
    }
  }

  void CheckOrder() {
    std::vector<const Operation*> by_length = reads_;
    std::ranges::sort(by_length, {}, [](const Operation* read) {
      return std::pair(read->value.has_value() ? read->value->size() : 0, read);
    });
    for (size_t i = 1; i < by_length.size(); ++i) {
      const Content& shorter = by_length[i - 1]->value;
      const Content& longer = by_length[i]->value;
      if (!shorter.has_value() || !longer.has_value()) continue;
      if (*shorter == *longer || longer->starts_with(*shorter + ",")) continue;
      Add("two reads saw appends in different orders", {by_length[i - 1], by_length[i]});
      return;
    }
  }

  void Add(std::string what, std::vector<const Operation*> shown) {
    std::ranges::sort(shown, {}, By<&Operation::invoked>);
    found_.push_back({std::move(what), std::move(shown)});
  }

  std::span<const Operation* const> operations_;
  std::vector<const Operation*> reads_;  // that were answered
  bool appends_only_ = true;
  bool has_appends_ = false;
  std::vector<PlainViolation> found_;
};

}  // namespace

std::vector<PlainViolation> CheckPlainly(std::span<const Operation* const> operations) {
  return KeyChecker(operations).Check();
}

}  // namespace orrery::history
