#include "portal/handler/move_handler.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "portal/answer.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kMoves = "/_admin/v1/moves";
constexpr std::string_view kMove = "/_admin/v1/moves/{id}";
constexpr std::string_view kMoveContainer =
    "/_admin/v1/databases/{database}/containers/{container}/move";

void WriteOptional(JsonWriter& json, std::string_view name, const std::string& text) {
  json.Key(name);
  if (text.empty()) {
    json.Null();
  } else {
    json.String(text);
  }
}

void WriteMove(JsonWriter& json, const gateway::MoveRecord& move) {
  json.BeginObject()
      .Field("id", std::to_string(move.number))
      .Field("database", move.database)
      .Field("container", move.container)
      .Field("into", move.target_name)
      .Field("state", gateway::NameOf(move.phase))
      .Field("copied", move.copied)
      .Field("total", move.total)
      .Field("changes", move.changes)
      .Field("started", move.started_ms)
      .Key("ended");
  if (move.ended_ms.has_value()) {
    json.Integer(*move.ended_ms);
  } else {
    json.Null();
  }
  json.Key("pauseMs");
  if (move.pause_ms.has_value()) {
    json.Double(*move.pause_ms);
  } else {
    json.Null();
  }
  json.Field("verified", move.verified);
  WriteOptional(json, "digest", move.digest);
  WriteOptional(json, "error", move.error);
  json.EndObject();
}

Outcome MoveAnswer(int status, const gateway::MoveRecord& move) {
  JsonWriter json;
  WriteMove(json, move);
  return net::HttpResponse::Json(status, std::move(json).Finish());
}

Result<uint64_t> MoveNumber(std::string_view text) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error == std::errc() && end == text.data() + text.size()) return id;
  return Fail(Code::kNotFound, fmt::format("there is no move '{}'", text));
}

class MoveRoutes {
 public:
  explicit MoveRoutes(gateway::MoveKeeper& moves) : moves_(moves) {}

  Outcome List(const Call&) const {
    JsonWriter json;
    json.BeginObject().Key("moves").BeginArray();
    for (const gateway::MoveRecord& move : moves_.List()) WriteMove(json, move);
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome Get(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t number, MoveNumber(call.parameters[0]));
    ORRERY_ASSIGN(const gateway::MoveRecord move, moves_.Find(number));
    return MoveAnswer(200, move);
  }

  Outcome Begin(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    ORRERY_ASSIGN(const gateway::MoveRecord move,
                  moves_.Start(call.parameters[0], call.parameters[1], body));
    return MoveAnswer(202, move);
  }

  Outcome Remove(const Call& call) const {
    ORRERY_ASSIGN(const uint64_t number, MoveNumber(call.parameters[0]));
    ORRERY_TRY(moves_.Remove(number));
    net::HttpResponse response;
    response.status = 204;
    return response;
  }

 private:
  gateway::MoveKeeper& moves_;
};

}  // namespace

void AddMoveRoutes(Router& router, gateway::Gateway& gateway, gateway::MoveKeeper& moves) {
  using Method = Outcome (MoveRoutes::*)(const Call&) const;
  const MoveRoutes routes(moves);
  ThreadPool& pool = gateway.io_pool();
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard,
                       Method method) {
    router.Add(verb, pattern, guard, [=, &pool](Call call) {
      AnswerFromPool(pool, std::move(call),
                     [=](const Call& taken) { return (routes.*method)(taken); });
    });
  };
  add("GET", kMoves, Guard::kRead, &MoveRoutes::List);
  add("GET", kMove, Guard::kRead, &MoveRoutes::Get);
  add("DELETE", kMove, Guard::kWrite, &MoveRoutes::Remove);
  add("POST", kMoveContainer, Guard::kWrite, &MoveRoutes::Begin);
}

}  // namespace orrery::portal
