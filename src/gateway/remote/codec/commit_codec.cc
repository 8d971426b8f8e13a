#include "gateway/remote/codec/commit_codec.h"

#include <utility>

#include "gateway/remote/envelope.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {
namespace {

void AppendPlace(MessageWriter& out, const LogicalPlace& place) {
  out.Number(place.container.value());
  out.Hash(place.hash);
}

LogicalPlace ReadPlace(MessageReader& in) {
  LogicalPlace place;
  place.container = ContainerId(static_cast<uint32_t>(in.Number(UINT32_MAX)));
  place.hash = in.Hash();
  return place;
}

void AppendPlaces(MessageWriter& out, const std::vector<LogicalPlace>& places) {
  out.Number(places.size());
  for (const LogicalPlace& place : places) AppendPlace(out, place);
}

std::vector<LogicalPlace> ReadPlaces(MessageReader& in) {
  std::vector<LogicalPlace> places;
  for (size_t left = in.Count(); left > 0 && in.ok(); --left) places.push_back(ReadPlace(in));
  return places;
}

void AppendOutcome(MessageWriter& out, const CommitOutcome& outcome) {
  out.Flag(outcome.committed);
  out.Time(outcome.time);
}

CommitOutcome ReadOutcome(MessageReader& in) {
  CommitOutcome outcome;
  outcome.committed = in.Flag();
  outcome.time = in.Time();
  return outcome;
}

}  // namespace

std::string EncodePrepare(const PrepareRequest& request) {
  MessageWriter out;
  out.Number(request.id.node.value());
  out.Number(request.id.number);
  out.Number(request.commit);
  AppendPlace(out, request.decision);
  return std::move(out).Take();
}

Result<PrepareRequest> DecodePrepare(std::string_view bytes) {
  MessageReader in(bytes);
  PrepareRequest request;
  request.id.node = NodeId(in.Number());
  request.id.number = in.Number();
  request.commit = in.Number();
  request.decision = ReadPlace(in);
  ORRERY_TRY(in.End());
  return request;
}

std::string EncodePrepareAnswer(const PrepareAnswer& answer) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(answer.failure));
  AppendStatus(out, answer.status);
  out.Time(answer.latest);
  AppendPlaces(out, answer.places);
  return std::move(out).Take();
}

Result<PrepareAnswer> DecodePrepareAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  PrepareAnswer answer;
  answer.failure = in.Choice(TransactionFailure::kElsewhere);
  answer.status = ReadStatus(in);
  answer.latest = in.Time();
  answer.places = ReadPlaces(in);
  ORRERY_TRY(in.End());
  return answer;
}

std::string EncodeDecide(const DecideRequest& request) {
  MessageWriter out;
  out.Number(static_cast<uint64_t>(request.act));
  out.Number(request.commit);
  out.Hash(request.hash);
  out.Time(request.time);
  out.Bytes(request.receipt);
  out.Bytes(request.value);
  return std::move(out).Take();
}

Result<DecideRequest> DecodeDecide(std::string_view bytes) {
  MessageReader in(bytes);
  DecideRequest request;
  request.act = in.Choice(DecideRequest::Act::kForget);
  request.commit = in.Number();
  request.hash = in.Hash();
  request.time = in.Time();
  request.receipt = in.String();
  request.value = in.String();
  ORRERY_TRY(in.End());
  return request;
}

std::string EncodeOutcome(const CommitOutcome& outcome) {
  MessageWriter out;
  AppendOutcome(out, outcome);
  return std::move(out).Take();
}

Result<CommitOutcome> DecodeOutcome(std::string_view bytes) {
  MessageReader in(bytes);
  const CommitOutcome outcome = ReadOutcome(in);
  ORRERY_TRY(in.End());
  return outcome;
}

std::string EncodeResolve(const ResolveRequest& request) {
  MessageWriter out;
  out.Number(request.commit);
  out.Hash(request.hash);
  AppendOutcome(out, request.outcome);
  return std::move(out).Take();
}

Result<ResolveRequest> DecodeResolve(std::string_view bytes) {
  MessageReader in(bytes);
  ResolveRequest request;
  request.commit = in.Number();
  request.hash = in.Hash();
  request.outcome = ReadOutcome(in);
  ORRERY_TRY(in.End());
  return request;
}

std::string EncodePlaces(const std::vector<LogicalPlace>& places) {
  MessageWriter out;
  AppendPlaces(out, places);
  return std::move(out).Take();
}

Result<std::vector<LogicalPlace>> DecodePlaces(std::string_view bytes) {
  MessageReader in(bytes);
  std::vector<LogicalPlace> places = ReadPlaces(in);
  ORRERY_TRY(in.End());
  return places;
}

}  // namespace orrery::gateway
