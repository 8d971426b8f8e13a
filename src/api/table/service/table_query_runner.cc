#include "api/table/service/table_query_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "api/table/entity/entity_writer.h"
#include "api/table/filter/filter_parser.h"
#include "api/table/protocol/request_options.h"
#include "api/table/query/entity_query.h"

namespace orrery::table {
namespace {

using query::RunnerFailure;
using query::RunnerRequest;
using query::RunnerResult;

constexpr std::string_view kFilterOption = "$filter=";

RunnerFailure FailureOfTable(const ErrorResponse& refusal) {
  const auto error = [&] {
    if (refusal.retry_after_ms > 0)
      return Error::Throttled(refusal.message, refusal.retry_after_ms);
    switch (refusal.status()) {
      case 403:
        return Error(Code::kForbidden, refusal.message);
      case 404:
        return Error(Code::kNotFound, refusal.message);
      case 400:
        return Error(Code::kInvalidArgument, refusal.message);
      default:
        return Error(Code::kUnavailable, refusal.message);
    }
  }();
  RunnerFailure failure(error);
  failure.detail = FactsOf(refusal.code).name;
  return failure;
}

// Entities as JSON texts.
class TextSink final : public EntitySink {
 public:
  explicit TextSink(const EntityFormat& format) : writer_(format) {}

  size_t Add(model::DocumentView document, Micros time) override {
    writer_.Append(texts_.emplace_back(), document, time);
    bytes_ += texts_.back().size();
    return bytes_;
  }
  std::vector<std::string> Take() { return std::move(texts_); }

 private:
  const EntityWriter writer_;
  std::vector<std::string> texts_;
  size_t bytes_ = 0;
};

// The parts of "filter&$select=a,b".
struct TableText {
  std::string_view filter;
  std::vector<std::string> selected;
};

Result<TableText> Split(std::string_view text) {
  TableText parts;
  // Options stand behind the last "&$": strings of a filter may have a '&'.
  const size_t option = text.rfind("&$");
  const bool in_string =
      option != std::string_view::npos && std::ranges::count(text.substr(option), '\'') % 2 == 1;
  if (option != std::string_view::npos && !in_string) {
    constexpr std::string_view kSelect = "&$select=";
    std::string_view rest = text.substr(option);
    if (!rest.starts_with(kSelect)) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("'{}' is not known; behind the filter may stand &$select=names", rest));
    }
    rest.remove_prefix(kSelect.size());
    parts.selected = SelectedNames(rest);
    text = text.substr(0, option);
  }
  if (text.starts_with(kFilterOption)) text.remove_prefix(kFilterOption.size());
  parts.filter = text;
  return parts;
}

}  // namespace

query::RunnerOutcome<RunnerResult> TableQueryRunner::Run(const RunnerRequest& asked) {
  const auto parts = Split(asked.text);
  if (!parts.has_value()) return std::unexpected(RunnerFailure(parts.error()));
  if (!asked.database.empty() && asked.database != kDatabase) {
    return std::unexpected(RunnerFailure(Error(
        Code::kInvalidArgument, fmt::format("tables are containers of the database {}, not '{}'",
                                            kDatabase, asked.database))));
  }
  auto run = [&]() -> Outcome<RunnerResult> {
    TABLE_ASSIGN(gateway::ContainerRef table, tables_.Get(asked.container, Dialect::kCosmos));
    const EntityFormat format{.level = MetadataLevel::kMinimal,
                              .selected = parts->selected,
                              .table = table->settings.name};
    EntityQuery query{.container = std::move(table)};
    TABLE_ASSIGN(query.filter, ParseFilter(parts->filter));
    query.rows_max = asked.items_max;
    if (!asked.continuation.empty()) {
      const size_t space = asked.continuation.find(' ');
      if (space == std::string::npos) return Refuse(ErrorCode::kInvalidInput);
      const std::string_view place = asked.continuation;
      TABLE_ASSIGN(query.after,
                   DecodeEntityPosition(place.substr(0, space), place.substr(space + 1)));
    }
    TextSink sink(format);
    TABLE_ASSIGN(const EntityPage page,
                 RunEntityQuery(gateway_, clock_, asked.context, query, sink));
    RunnerResult result;
    result.documents = sink.Take();
    result.charge = page.charge;
    if (page.next.has_value()) {
      result.continuation =
          fmt::format("{} {}", EncodeToken(page.next->partition_key, page.next->is_scan),
                      EncodeToken(page.next->row_key.value_or("")));
    }
    return result;
  };
  auto outcome = run();
  if (!outcome.has_value()) return std::unexpected(FailureOfTable(outcome.error()));
  return *std::move(outcome);
}

}  // namespace orrery::table
