#include "portal/handler/statement_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/statement_book.h"
#include "portal/answer.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kStatements = "/_admin/v1/statements";

double Mean(int64_t sum, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

void WriteStatement(JsonWriter& json, const StatementStatistics& one) {
  json.BeginObject()
      .Field("api", one.api)
      .Field("database", one.database)
      .Field("container", one.container)
      .Field("statement", one.text)
      .Field("count", one.count)
      .Field("failed", one.failed);
  json.Key("charge").Double(static_cast<double>(one.hundredths) / 100);
  json.Key("meanCharge").Double(Mean(one.hundredths, one.count) / 100);
  json.Key("timeMs").Double(static_cast<double>(one.micros) / 1'000);
  json.Key("meanMs").Double(Mean(one.micros, one.count) / 1'000);
  json.Key("longestMs").Double(static_cast<double>(one.micros_max) / 1'000);
  json.Key("buckets").BeginArray();
  for (const uint64_t count : one.by_time) json.Integer(static_cast<int64_t>(count));
  json.EndArray();
  // Null where it is not known.
  json.Key("partitions");
  one.known == 0 ? json.Null()
                 : json.Double(Mean(static_cast<int64_t>(one.partitions), one.known));
  json.Key("inOnePartition");
  one.known == 0 ? json.Null() : json.Double(Mean(static_cast<int64_t>(one.in_one), one.known));
  json.EndObject();
}

using Order = std::function<double(const StatementStatistics&)>;

Result<Order> OrderOf(std::string_view name) {
  if (name == "charge")
    return [](const StatementStatistics& one) { return static_cast<double>(one.hundredths); };
  if (name == "count")
    return [](const StatementStatistics& one) { return static_cast<double>(one.count); };
  if (name == "time")
    return [](const StatementStatistics& one) { return static_cast<double>(one.micros); };
  if (name == "partitions")
    return [](const StatementStatistics& one) {
      return Mean(static_cast<int64_t>(one.partitions), one.known);
    };
  return Fail(Code::kInvalidArgument,
              fmt::format("order '{}': charge, count, time or partitions", name));
}

Outcome List(const Call& call) {
  ORRERY_ASSIGN(const Order order, OrderOf(call.request.Query("order").value_or("charge")));
  const auto database = call.request.Query("database");
  const auto container = call.request.Query("container");
  std::vector<StatementStatistics> list = ListStatements();
  std::erase_if(list, [&](const StatementStatistics& one) {
    return (database.has_value() && one.database != *database) ||
           (container.has_value() && one.container != *container);
  });
  std::ranges::sort(list, [&](const StatementStatistics& a, const StatementStatistics& b) {
    const double first = order(a);
    const double second = order(b);
    return first == second ? a.text < b.text : first > second;
  });
  JsonWriter json;
  json.BeginObject().Key("bucketsMs").BeginArray();
  for (const int64_t micros : kStatementMicros) json.Double(static_cast<double>(micros) / 1'000);
  json.EndArray().Key("statements").BeginArray();
  for (const StatementStatistics& one : list) WriteStatement(json, one);
  json.EndArray().EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

Outcome Clear(const Call&) {
  ClearStatements();
  net::HttpResponse response;
  response.status = 204;
  return response;
}

}  // namespace

void AddStatementRoutes(Router& router, ThreadPool& pool) {
  const auto add = [&](std::string_view verb, Guard guard, Outcome (*answer)(const Call&)) {
    router.Add(verb, kStatements, guard, [answer, &pool](Call call) {
      AnswerFromPool(pool, std::move(call), [answer](const Call& taken) { return answer(taken); });
    });
  };
  add("GET", Guard::kRead, &List);
  add("DELETE", Guard::kWrite, &Clear);
}

}  // namespace orrery::portal
