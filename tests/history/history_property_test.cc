// Generated histories: those of a register that is linearizable always pass, those with a fault put
// in always fail, and on small ones the search agrees with trying every order.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "history/history_checker.h"
#include "history/history_testing.h"
#include "history/plain_checks.h"
#include "history/unobserved.h"
#include "history/violation_window.h"

namespace orrery::history {
namespace {

// A register that several clients use at once. Each operation takes effect at some moment between
// its invocation and its completion; some clients never hear of theirs.
class SimulatedRegister {
 public:
  SimulatedRegister(uint64_t seed, bool appends) : random_(seed), appends_(appends) {}

  std::vector<Operation> Run(int clients, int operations_each) {
    std::vector<Planned> planned;
    for (int client = 0; client < clients; ++client) Plan(client, operations_each, planned);
    std::ranges::sort(planned, {}, &Planned::effect);
    for (Planned& each : planned) TakeEffect(each.operation, each.effect != kNever);
    std::vector<Operation> operations;
    for (Planned& each : planned) {
      end_ = std::max(end_, each.operation.invoked);
      if (each.operation.completed != kNever) end_ = std::max(end_, each.operation.completed);
      operations.push_back(std::move(each.operation));
    }
    std::ranges::shuffle(operations, random_);
    return operations;
  }

  uint64_t end() const { return end_; }
  const Content& content() const { return content_; }

 private:
  struct Planned {
    Operation operation;
    uint64_t effect;
  };

  void Plan(int client, int count, std::vector<Planned>& planned) {
    uint64_t now = random_() % 20;
    for (int i = 0; i < count; ++i) {
      Planned each{.operation = Draw(), .effect = now + random_() % 30};
      Operation& operation = each.operation;
      operation.process = static_cast<uint64_t>(client);
      operation.invoked = now;
      operation.completed = each.effect + random_() % 30;
      now = operation.completed + 1 + random_() % 10;
      const uint64_t fate = random_() % 100;
      if (fate < 4) {
        operation.outcome = Outcome::kFail;
        each.effect = kNever;
      } else if (fate < 10) {
        operation.outcome = Outcome::kUnknown;
        operation.completed = kNever;
        if (fate < 7) each.effect = kNever;
        if (fate == 7) each.effect += random_() % 500;
      }
      planned.push_back(std::move(each));
    }
  }

  Operation Draw() {
    const std::string fresh = "v" + std::to_string(++values_);
    switch (random_() % 6) {
      case 0:
      case 1:
        return Read(std::nullopt, {0, 0});
      case 2:
        return appends_ ? Append(fresh, {0, 0}) : Cas("?", fresh, {0, 0});
      case 3:
        return appends_ ? Append(fresh, {0, 0}) : Delete({0, 0});
      default:
        return appends_ ? Append(fresh, {0, 0}) : Write(fresh, {0, 0});
    }
  }

  void TakeEffect(Operation& operation, bool happens) {
    // Often right, sometimes not.
    if (operation.kind == Kind::kCas)
      operation.expected = random_() % 3 == 0 ? Content("other") : content_;
    if (!happens) return;
    switch (operation.kind) {
      case Kind::kRead:
        operation.value = content_;
        break;
      case Kind::kWrite:
        content_ = operation.value;
        break;
      case Kind::kDelete:
        content_.reset();
        break;
      case Kind::kAppend:
        content_ = content_.has_value() ? *content_ + "," + *operation.value : *operation.value;
        break;
      case Kind::kCas:
        if (content_ == operation.expected) {
          content_ = operation.value;
        } else if (operation.outcome == Outcome::kOk) {
          operation.outcome = Outcome::kMismatch;
          if (random_() % 2 == 0) operation.saw = content_;
        }
        break;
    }
  }

  std::mt19937_64 random_;
  const bool appends_;
  Content content_;
  uint64_t values_ = 0;
  uint64_t end_ = 0;
};

class GeneratedHistory : public ::testing::TestWithParam<uint64_t> {
 protected:
  // After all others: `operations` one after the other, and what the checker says then.
  static bool IsFound(const SimulatedRegister& source, std::vector<Operation> history,
                      std::vector<Operation> more) {
    uint64_t now = source.end() + 10;
    for (Operation& operation : more) {
      operation.invoked = now;
      operation.completed = now + 5;
      now += 10;
      history.push_back(operation);
    }
    const HistoryReport report = CheckHistory(history);
    return report.violations.size() == 1 && !report.violations[0].operations.empty();
  }
};

TEST_P(GeneratedHistory, OfALinearizableRegisterPasses) {
  for (const bool appends : {false, true}) {
    SimulatedRegister source(GetParam(), appends);
    const auto history = source.Run(4, appends ? 12 : 60);
    const HistoryReport report = CheckHistory(history);
    EXPECT_TRUE(report.holds()) << "seed " << GetParam() << "\n" << ToText(report);
  }
}

TEST_P(GeneratedHistory, WithAFaultIsFound) {
  SimulatedRegister source(GetParam(), /*appends=*/false);
  const auto history = source.Run(4, 40);
  const Span any{0, 0};
  const auto expect_found = [&](const char* what, std::vector<Operation> more) {
    EXPECT_TRUE(IsFound(source, history, std::move(more))) << what << ", seed " << GetParam();
  };
  expect_found("stale read", {Write("x", any), Write("y", any), Read("x", any)});
  expect_found("lost write", {Write("x", any), Delete(any), Write("y", any), Read("x", any)});
  expect_found("broken chain", {Write("x", any), Cas("x", "y", any), Cas("x", "z", any)});
  expect_found("resurrected delete", {Write("x", any), Delete(any), Read("x", any)});
  expect_found("refused write seen", {Failed(Write("x", any)), Read("x", any)});
  expect_found("wrong mismatch", {Write("x", any), Mismatch(Cas("y", "z", any), Content("w"))});
}

TEST_P(GeneratedHistory, WithAFaultyAppendIsFound) {
  SimulatedRegister source(GetParam(), /*appends=*/true);
  const auto history = source.Run(3, 10);
  const Span any{0, 0};
  const std::string before = source.content().has_value() ? *source.content() + "," : "";
  EXPECT_TRUE(IsFound(source, history, {Append("x", any), Read(before + "x,x", any)}));
  EXPECT_TRUE(
      IsFound(source, history, {Append("x", any), Append("y", any), Read(before + "y", any)}));
}

TEST_P(GeneratedHistory, AReadOfTheFutureIsFound) {
  SimulatedRegister source(GetParam(), /*appends=*/false);
  auto history = source.Run(4, 40);
  const auto read = std::ranges::min_element(history, {}, [](const Operation& operation) {
    const bool is_read = operation.kind == Kind::kRead && operation.outcome == Outcome::kOk;
    return is_read ? operation.completed : kNever;
  });
  const auto write = std::ranges::find_if(history, [&](const Operation& operation) {
    return operation.kind == Kind::kWrite && operation.invoked > read->completed;
  });
  ASSERT_NE(write, history.end());
  read->value = write->value;
  EXPECT_EQ(CheckHistory(history).violations.size(), 1) << "seed " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedHistory, ::testing::Range<uint64_t>(1, 101));

// Small histories of arbitrary answers, right and wrong.
std::vector<Operation> ArbitraryHistory(std::mt19937_64& random) {
  const auto content = [&random] {
    const uint64_t draw = random() % 3;
    return draw == 0 ? Content() : Content(draw == 1 ? "a" : "b");
  };
  std::vector<Operation> operations;
  const size_t count = 2 + random() % 5;
  const bool appends = random() % 3 == 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t invoked = random() % 12;
    const Span when{invoked, invoked + random() % 6};
    Operation operation = Read(content(), when);
    switch (random() % 6) {
      case 0:
        operation = appends ? Append("a", when) : Delete(when);
        break;
      case 1:
        operation = Cas(content(), content(), when);
        if (random() % 2 == 0) operation = Mismatch(operation);
        break;
      case 2:
      case 3:
        operation = Write(random() % 2 == 0 ? "a" : "b", when);
        break;
      default:
        if (appends && random() % 3 == 0) operation.value = "a,a";
    }
    if (operation.outcome == Outcome::kOk && random() % 4 == 0) operation = Unknown(operation);
    operations.push_back(std::move(operation));
  }
  return operations;
}

// By trying everything: which of the unknown ones happened, and in which order all.
bool HasOrder(const std::vector<Operation>& operations) {
  for (uint32_t chosen = 0; chosen < 1U << operations.size(); ++chosen) {
    std::vector<size_t> order;
    bool legal = true;
    for (size_t i = 0; i < operations.size(); ++i) {
      const bool happened = (chosen >> i & 1) != 0;
      if (happened) order.push_back(i);
      legal = legal && (happened || operations[i].outcome == Outcome::kUnknown);
      legal = legal && !(happened && operations[i].outcome == Outcome::kUnknown &&
                         operations[i].kind == Kind::kRead);
    }
    if (!legal) continue;
    do {
      bool in_time = true;
      for (size_t a = 0; a < order.size(); ++a) {
        for (size_t b = a + 1; b < order.size(); ++b)
          in_time = in_time && operations[order[b]].completed >= operations[order[a]].invoked;
      }
      if (!in_time) continue;
      RegisterModel model;
      std::optional<ContentId> now = kNothing;
      for (const size_t i : order) {
        if (now.has_value()) now = model.Apply(model.StepOf(operations[i]), *now);
      }
      if (now.has_value()) return true;
    } while (std::ranges::next_permutation(order).found);
  }
  return false;
}

TEST(ArbitraryHistories, TheSearchAgreesWithTryingEverything) {
  std::mt19937_64 random(20'261'116);
  int right = 0;
  int wrong = 0;
  for (int round = 0; round < 4'000; ++round) {
    const auto history = ArbitraryHistory(random);
    const bool expected = HasOrder(history);
    ++(expected ? right : wrong);
    const auto pointers = PointersTo(history);
    RegisterModel model;
    const SearchResult result = SearchOrder(pointers, model, kNothing, {});
    ASSERT_EQ(result.verdict == Verdict::kLinearizable, expected) << "round " << round;
    RegisterModel again;
    ASSERT_EQ(SearchOrder(WithoutUnobserved(pointers), again, kNothing, {}).verdict, result.verdict)
        << "round " << round;
    if (expected) {
      EXPECT_TRUE(CheckPlainly(pointers).empty()) << "round " << round;
    } else {
      EXPECT_FALSE(FindWindow(pointers, result.culprit).empty()) << "round " << round;
    }
  }
  // Both kinds were tried often.
  EXPECT_GT(right, 500);
  EXPECT_GT(wrong, 500);
}

}  // namespace
}  // namespace orrery::history
