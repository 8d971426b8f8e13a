#include "api/table/executor/query_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/table/executor/entity_commands.h"
#include "api/table/filter/filter_parser.h"
#include "api/table/query/entity_query.h"
#include "model/document/json.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::table {
namespace {

// {"odata.metadata":..,"value":[..]}
class PageWriter final : public EntitySink {
 public:
  explicit PageWriter(const EntityFormat& format) : writer_(format) {
    body_ = "{";
    if (format.level != MetadataLevel::kNone) {
      body_ += "\"odata.metadata\":";
      model::AppendJsonString(body_, fmt::format("{}/$metadata#{}", format.base_url, format.table));
      body_ += ',';
    }
    body_ += "\"value\":[";
  }

  size_t Add(model::DocumentView document, Micros time) override {
    if (body_.back() != '[') body_ += ',';
    writer_.Append(body_, document, time);
    return body_.size();
  }

  std::string Finish() && { return std::move(body_) + "]}"; }

 private:
  const EntityWriter writer_;
  std::string body_;
};

// Reads what a query asks for out of its call.
Outcome<EntityQuery> ReadQuery(const Call& call, gateway::ContainerRef table) {
  EntityQuery query{.container = std::move(table), .scope = call.grant.keys};
  const auto parameter = [&](std::string_view name) {
    return call.request.Query(name).value_or("");
  };
  TABLE_ASSIGN(query.filter, ParseFilter(parameter("$filter")));
  TABLE_ASSIGN(query.descending, IsDescending(parameter("$orderby")));
  const size_t top_max =
      call.dialect == Dialect::kStorage ? kPageRowsMax : std::numeric_limits<size_t>::max();
  TABLE_ASSIGN(const auto top, RowLimit(call.request.Query("$top"), top_max));
  query.rows_max = std::min(top.value_or(kPageRowsMax), kPageRowsMax);
  if (const auto next = parameter("NextPartitionKey"); !next.empty()) {
    TABLE_ASSIGN(query.after, DecodeEntityPosition(next, parameter("NextRowKey")));
  }
  return query;
}

Reply ReplyOf(const EntityPage& page, std::string body) {
  Reply reply{.body = std::move(body), .charge = page.charge};
  if (page.next.has_value()) {
    reply.headers.emplace_back("x-ms-continuation-NextPartitionKey",
                               EncodeToken(page.next->partition_key, page.next->is_scan));
    reply.headers.emplace_back("x-ms-continuation-NextRowKey",
                               EncodeToken(page.next->row_key.value_or("")));
  }
  return reply;
}

}  // namespace

void QueryCommand::Run(Call call) const {
  if (auto reply = TryRun(call, /*at_once=*/true); reply.has_value())
    return Answer(call, *std::move(reply));
  net::AnswerFromPool(parts_.gateway.io_pool(), std::move(call),
                      [command = *this](const Call& taken) {
                        return *command.TryRun(taken, /*at_once=*/false);
                      });
}

std::optional<Outcome<Reply>> QueryCommand::TryRun(const Call& call, bool at_once) const {
  auto table = parts_.tables.Get(call.address.table, call.dialect);
  if (!table.has_value()) return std::unexpected(std::move(table).error());
  const auto query = ReadQuery(call, *std::move(table));
  if (!query.has_value()) return std::unexpected(query.error());
  const EntityFormat format = FormatOf(call, *query->container);
  PageWriter writer(format);
  std::optional<Outcome<EntityPage>> page;
  if (at_once) {
    page = TryEntityQuery(parts_.gateway, parts_.clock, call.context(), *query, writer);
    if (!page.has_value()) return std::nullopt;
  } else {
    page = RunEntityQuery(parts_.gateway, parts_.clock, call.context(), *query, writer);
  }
  if (!page->has_value()) return std::unexpected(std::move(*page).error());
  return ReplyOf(**page, std::move(writer).Finish());
}

}  // namespace orrery::table
