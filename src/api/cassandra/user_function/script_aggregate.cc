#include "api/cassandra/user_function/script_aggregate.h"

#include <utility>
#include <vector>

namespace orrery::cassandra {
namespace {

using Row = std::vector<std::optional<std::string>>;

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
    return runner_.Run([this](script::Sandbox& sandbox) { return TakeRows(sandbox); });
  }

  FunctionResult Finish() override {
    if (rows_.empty() && parts_.final_function == nullptr) return std::move(state_);
    std::optional<std::string> result;
    ORRERY_TRY(runner_.Run([&](script::Sandbox& sandbox) -> Status {
      ORRERY_TRY(TakeRows(sandbox));
      if (parts_.final_function == nullptr) {
        result = std::move(state_);
        return {};
      }
      const std::optional<std::string_view> last[] = {View(state_)};
      ORRERY_ASSIGN(result, Call(*parts_.final_function, sandbox, last));
      return {};
    }));
    return result;
  }

  const Function* failed_function() const override { return failed_; }

 private:
  static std::optional<std::string_view> View(const std::optional<std::string>& value) {
    return value.has_value() ? std::optional<std::string_view>(*value) : std::nullopt;
  }

  Status TakeRows(script::Sandbox& sandbox) {
    std::vector<std::optional<std::string_view>> arguments;
    for (const Row& row : rows_) {
      arguments.assign({View(state_)});
      for (const auto& value : row) arguments.push_back(View(value));
      ORRERY_ASSIGN(std::optional<std::string> next,
                    Call(*parts_.state_function, sandbox, arguments));
      state_ = std::move(next);
    }
    rows_.clear();
    bytes_ = 0;
    return {};
  }

  FunctionResult Call(const ScriptFunction& function, script::Sandbox& sandbox,
                      FunctionArguments arguments) {
    FunctionResult result = function.CallIn(sandbox, arguments);
    if (!result.has_value()) failed_ = &function;
    return result;
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
