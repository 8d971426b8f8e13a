#include "portal/handler/state_handler.h"

#include <functional>
#include <utility>

#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr double kAdvanceSecondsMax = 100 * 366 * 86'400.0;

net::HttpResponse Empty(int status) {
  net::HttpResponse response;
  response.status = status;
  return response;
}

Outcome EmptyUnless(const Status& failed, int status) {
  if (!failed.has_value()) return Fail(failed.error());
  return Empty(status);
}

Outcome ListAnswer(StateControl& control) {
  ORRERY_ASSIGN(const auto snapshots, control.ListSnapshots());
  JsonWriter json;
  json.BeginObject().Key("snapshots").BeginArray();
  for (const SnapshotInfo& snapshot : snapshots) {
    json.BeginObject()
        .Field("name", snapshot.name)
        .Field("takenAtMicros", snapshot.taken_at.count())
        .Field("partitions", snapshot.partitions)
        .EndObject();
  }
  json.EndArray().EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

net::HttpResponse TimeAnswer(const StateControl::Time& time) {
  JsonWriter json;
  json.BeginObject()
      .Field("nowMicros", time.now.count())
      .Field("aheadSeconds", static_cast<double>(time.ahead.count()) / 1e6)
      .EndObject();
  return net::HttpResponse::Json(200, std::move(json).Finish());
}

Outcome Advance(StateControl& control, const Call& call) {
  ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
  const model::Value seconds = body.view().Get("seconds");
  double number = 0;
  if (seconds.kind() == model::Kind::kDouble) {
    number = seconds.AsDouble();
  } else if (seconds.kind() == model::Kind::kInt32 || seconds.kind() == model::Kind::kInt64) {
    number = static_cast<double>(seconds.AsInteger());
  }
  if (!(number > 0) || number > kAdvanceSecondsMax) {
    return Fail(Code::kInvalidArgument,
                "'seconds' must be a number above 0: the clock only goes forward, by at most a "
                "hundred years");
  }
  ORRERY_ASSIGN(const StateControl::Time time,
                control.AdvanceTime(Micros(static_cast<int64_t>(number * 1e6))));
  return TimeAnswer(time);
}

}  // namespace

void AddStateRoutes(Router& router, StateControl* control, ThreadPool& pool) {
  using Work = std::function<Outcome(StateControl&, const Call&)>;
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard, Work work) {
    router.Add(verb, pattern, guard, [control, &pool, work = std::move(work)](Call call) {
      if (control == nullptr) {
        return Answer(call, Fail(Code::kForbidden,
                                 "this server was not started with --allow-reset; resets, "
                                 "snapshots and the clock need it"));
      }
      AnswerFromPool(pool, std::move(call),
                     [control, work](const Call& taken) { return work(*control, taken); });
    });
  };
  add("POST", "/_admin/v1/reset", Guard::kWrite,
      [](StateControl& states, const Call&) { return EmptyUnless(states.Reset(), 204); });
  add("GET", "/_admin/v1/snapshots", Guard::kRead,
      [](StateControl& states, const Call&) { return ListAnswer(states); });
  add("PUT", "/_admin/v1/snapshots/{name}", Guard::kWrite, [](StateControl& states, const Call& call) {
    const auto replace = call.request.Query("replace");
    return EmptyUnless(
        states.TakeSnapshot(call.parameters[0], replace.has_value() && *replace == "true"), 201);
  });
  add("POST", "/_admin/v1/snapshots/{name}/restore", Guard::kWrite,
      [](StateControl& states, const Call& call) {
        return EmptyUnless(states.RestoreSnapshot(call.parameters[0]), 204);
      });
  add("DELETE", "/_admin/v1/snapshots/{name}", Guard::kWrite,
      [](StateControl& states, const Call& call) {
        return EmptyUnless(states.DropSnapshot(call.parameters[0]), 204);
      });
  add("GET", "/_admin/v1/clock", Guard::kRead, [](StateControl& states, const Call&) -> Outcome {
    return TimeAnswer(states.CurrentTime());
  });
  add("POST", "/_admin/v1/clock/advance", Guard::kWrite, Advance);
}

}  // namespace orrery::portal
