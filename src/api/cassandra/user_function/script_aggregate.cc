#include "api/cassandra/user_function/script_aggregate.h"

#include <utility>
#include <vector>

namespace orrery::cassandra {
namespace {

using Row = std::vector<std::optional<std::string>>;

// The state and the rows that are not in it yet. Owns what it needs: the job that takes rows may go
// on after the aggregate's statement has ended.
struct Gathered {
  AggregateParts parts;
  std::optional<std::string> state;
  std::vector<Row> rows;
  const ScriptFunction* failed = nullptr;
  std::optional<Error> error{};
};

std::optional<std::string_view> View(const std::optional<std::string>& value) {
  return value.has_value() ? std::optional<std::string_view>(*value) : std::nullopt;
}

// Puts the rows into the state, and makes it the result if it is the last. False when a function
// failed.
bool TakeRows(Gathered& gathered, script::Sandbox& sandbox, bool is_last) {
  const auto call = [&](const ScriptFunction& function, FunctionArguments arguments) {
    FunctionResult result = function.CallIn(sandbox, arguments);
    if (!result.has_value()) {
      gathered.failed = &function;
      gathered.error = std::move(result).error();
      return false;
    }
    gathered.state = *std::move(result);
    return true;
  };
  std::vector<std::optional<std::string_view>> arguments;
  for (const Row& row : gathered.rows) {
    arguments.assign({View(gathered.state)});
    for (const auto& value : row) arguments.push_back(View(value));
    if (!call(*gathered.parts.state_function, arguments)) return false;
  }
  gathered.rows.clear();
  if (!is_last || gathered.parts.final_function == nullptr) return true;
  arguments.assign({View(gathered.state)});
  return call(*gathered.parts.final_function, arguments);
}

class Gatherer final : public Accumulator {
 public:
  Gatherer(const AggregateParts& parts, const ScriptRunner& runner)
      : parts_(parts), runner_(runner), state_(parts.initial_state) {}

  Status Add(FunctionArguments arguments) override {
    // A null among the arguments leaves the state as it is, where one as the state would be final.
    if (parts_.state_function->SkipsNulls(arguments, 1)) return {};
    Row row;
    row.reserve(arguments.size());
    for (const auto& argument : arguments) {
      row.emplace_back(argument);
      bytes_ += argument.has_value() ? argument->size() : 0;
    }
    rows_.push_back(std::move(row));
    if (rows_.size() < kGatheredRowsMax && bytes_ < kGatheredBytesMax) return {};
    return Take(false);
  }

  FunctionResult Finish() override {
    if (!rows_.empty() || parts_.final_function != nullptr) ORRERY_TRY(Take(true));
    return std::move(state_);
  }

  const Function* failed_function() const override { return failed_; }

 private:
  Status Take(bool is_last) {
    ORRERY_ASSIGN(
        Gathered taken,
        runner_.Run<Gathered>(
            kGatheredTimeMax,
            [gathered =
                 Gathered{.parts = parts_, .state = std::move(state_), .rows = std::move(rows_)},
             is_last](script::Sandbox& sandbox) mutable -> script::Outcome<Gathered> {
              static_cast<void>(TakeRows(gathered, sandbox, is_last));
              return std::move(gathered);
            }));
    rows_.clear();
    bytes_ = 0;
    state_ = std::move(taken.state);
    failed_ = taken.failed;
    if (taken.error.has_value()) return Fail(*std::move(taken.error));
    return {};
  }

  const AggregateParts& parts_;
  const ScriptRunner& runner_;
  std::optional<std::string> state_;
  std::vector<Row> rows_;  // not yet in the state
  size_t bytes_ = 0;       // of rows_
  const Function* failed_ = nullptr;
};

}  // namespace

ScriptAggregate::ScriptAggregate(const UserAggregate& definition, AggregateParts parts,
                                 const ScriptRunner& runner)
    : AggregateFunction({definition.keyspace, definition.name}, definition.argument_types,
                        definition.return_type),
      parts_(std::move(parts)),
      runner_(runner) {}

std::unique_ptr<Accumulator> ScriptAggregate::Start() const {
  return std::make_unique<Gatherer>(parts_, runner_);
}

}  // namespace orrery::cassandra
