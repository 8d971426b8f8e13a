#include "api/gremlin/server/gremlin_query_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "api/gremlin/protocol/graphson.h"
#include "api/gremlin/value/element.h"
#include "model/document/json.h"

namespace orrery::gremlin {
namespace {

using query::RunnerFailure;
using query::RunnerForm;
using query::RunnerRequest;
using query::RunnerResult;

constexpr int kNestingMax = 32;

// Collects the vertices and edges of results, each once.
class GraphCollector {
 public:
  void Add(const Value& value, int depth = 0) {
    if (depth > kNestingMax) return;
    switch (value.type()) {
      case Type::kVertex:
        return AddVertex(*value.AsVertex());
      case Type::kEdge:
        return AddEdge(*value.AsEdge());
      case Type::kList:
      case Type::kSet:
      case Type::kBulkSet:
        for (const Value& each : value.AsItems()) Add(each, depth + 1);
        return;
      case Type::kMap:
        for (const auto& [key, each] : value.AsMap().entries()) {
          Add(key, depth + 1);
          Add(each, depth + 1);
        }
        return;
      case Type::kPath:
        for (const Value& each : value.AsPath().objects) Add(each, depth + 1);
        return;
      default:
        return;
    }
  }

  bool empty() const { return vertices_.empty() && edges_.empty(); }
  std::string Json() const {
    return fmt::format("{{\"vertices\":[{}],\"edges\":[{}]}}", vertices_, edges_);
  }

 private:
  static void Separate(std::string& list) {
    if (!list.empty()) list += ',';
  }

  void AddVertex(const Vertex& vertex) {
    if (!vertex_ids_.insert(IdText(vertex.id)).second) return;
    Separate(vertices_);
    vertices_ += "{\"id\":";
    model::AppendJsonString(vertices_, IdText(vertex.id));
    vertices_ += ",\"label\":";
    model::AppendJsonString(vertices_, vertex.label);
    vertices_ += ",\"properties\":{";
    std::vector<std::pair<std::string, std::string>> lists;
    for (const VertexProperty& property : vertex.properties) {
      auto list =
          std::ranges::find(lists, property.key, &std::pair<std::string, std::string>::first);
      if (list == lists.end()) list = lists.insert(lists.end(), {property.key, ""});
      Separate(list->second);
      writer_.Append(list->second, property.value);
    }
    for (size_t i = 0; i < lists.size(); ++i) {
      if (i > 0) vertices_ += ',';
      model::AppendJsonString(vertices_, lists[i].first);
      vertices_ += ":[" + lists[i].second + "]";
    }
    vertices_ += "}}";
  }

  void AddEdge(const Edge& edge) {
    if (!edge_ids_.insert(IdText(edge.id)).second) return;
    Separate(edges_);
    const auto field = [&](std::string_view name, const std::string& text) {
      edges_ += fmt::format("\"{}\":", name);
      model::AppendJsonString(edges_, text);
      edges_ += ',';
    };
    edges_ += '{';
    field("id", IdText(edge.id));
    field("label", edge.label);
    field("from", IdText(edge.out.id));
    field("to", IdText(edge.in.id));
    edges_ += "\"properties\":{";
    for (size_t i = 0; i < edge.properties.size(); ++i) {
      if (i > 0) edges_ += ',';
      model::AppendJsonString(edges_, edge.properties[i].key);
      edges_ += ':';
      writer_.Append(edges_, edge.properties[i].value);
    }
    edges_ += "}}";
  }

  const GraphSonWriter writer_{GraphSon::kUntyped, true};
  std::set<std::string> vertex_ids_;
  std::set<std::string> edge_ids_;
  std::string vertices_;
  std::string edges_;
};

RunnerFailure FailureOfGremlin(const Response& response) {
  int64_t cosmos_code = 0;
  const Value* const attribute = response.attributes.Find("x-ms-status-code");
  if (attribute != nullptr && attribute->is_integer()) cosmos_code = attribute->AsInteger();
  const auto error = [&] {
    switch (cosmos_code) {
      case 401:
      case 403:
        return Error(Code::kForbidden, response.message);
      case 404:
        return Error(Code::kNotFound, response.message);
      case 409:
        return Error(Code::kAlreadyExists, response.message);
      case 412:
        return Error(Code::kPreconditionFailed, response.message);
      case 429:
        return Error::Throttled(response.message, 1'000);
      case 500:
      case 503:
      case 1007:
        return Error(Code::kUnavailable, response.message);
      default:
        return Error(Code::kInvalidArgument, response.message);
    }
  }();
  RunnerFailure failure(error);
  failure.detail = std::to_string(static_cast<int>(response.code));
  return failure;
}

// Results of one request, up to a number.
struct Collected {
  std::vector<std::string> documents;
  GraphCollector graph;
  std::optional<Response> failure;
  RequestUnits charge;
  bool is_cut = false;
};

}  // namespace

query::RunnerOutcome<RunnerResult> GremlinQueryRunner::Run(const RunnerRequest& asked) {
  if (!asked.continuation.empty()) {
    return std::unexpected(RunnerFailure(
        Error(Code::kInvalidArgument, "traversals have no continuation: use range()")));
  }
  Request request{.id = asked.context.activity_id(), .op = "eval", .processor = {}, .args = {}};
  request.args.Set("gremlin", Value::String(asked.text));
  if (!asked.parameters.is_undefined() && !asked.parameters.is_null()) {
    auto bindings = ReadGraphSon(asked.parameters);
    if (!bindings.has_value() || !bindings->is_map()) {
      return std::unexpected(RunnerFailure(
          Error(Code::kInvalidArgument, "parameters of Gremlin are bindings, an object by name")));
    }
    request.args.Set("bindings", *std::move(bindings));
  }
  Login login;
  if (!asked.container.empty())
    login.graph = fmt::format("/dbs/{}/colls/{}", asked.database, asked.container);
  login.access = asked.may_write ? gateway::Access::kReadWrite : gateway::Access::kReadOnly;
  Collected found;
  const GraphSonWriter writer(GraphSon::kUntyped, true);
  AnswerSender sender(
      {.request_id = request.id,
       .activity_id = request.id,
       .host = "/explorer",
       .clock = clock_,
       .send = [&](const Response& response, const EncodeOptions&) -> Status {
         const Value* const charge = response.attributes.Find("x-ms-total-request-charge");
         if (charge != nullptr && charge->is_floating())
           found.charge = RequestUnits::FromHundredths(std::llround(charge->AsFloating() * 100));
         const bool is_good = response.code == StatusCode::kSuccess ||
                              response.code == StatusCode::kNoContent ||
                              response.code == StatusCode::kPartialContent;
         if (!is_good) {
           found.failure = response;
           return {};
         }
         for (const ResultItem& item : response.data) {
           for (int64_t i = 0; i < item.bulk; ++i) {
             if (found.documents.size() >= asked.items_max) {
               found.is_cut = true;
               return {};
             }
             writer.Append(found.documents.emplace_back(), item.value);
           }
           found.graph.Add(item.value);
         }
         return {};
       }});
  runner_.Run(request, login, asked.context, sender);
  if (found.failure.has_value()) return std::unexpected(FailureOfGremlin(*found.failure));
  RunnerResult result;
  result.documents = std::move(found.documents);
  result.charge = found.charge;
  if (!found.graph.empty()) {
    result.form = RunnerForm::kGraph;
    result.graph = found.graph.Json();
  }
  if (found.is_cut) {
    result.warnings.push_back(fmt::format(
        "only the first {} results are shown; use range() for others", asked.items_max));
  }
  return result;
}

}  // namespace orrery::gremlin
