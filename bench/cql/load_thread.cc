#include "cql/load_thread.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "api/cassandra/protocol/response/response_reader.h"

namespace orrery::bench {

using boost::system::error_code;

Status LoadThread::Connect(const Target& target, size_t connections) {
  for (size_t i = 0; i < connections; ++i) {
    ORRERY_ASSIGN(auto session, Session::Open(context_, target));
    ConnectionUser& user = *this;  // a private base: make_unique could not convert to it
    connections_.push_back(std::make_unique<Connection>(std::move(session), in_flight_max_, user));
  }
  in_flight_limit_ = connections * in_flight_max_;
  return {};
}

void LoadThread::Run(const ArrivalPlan& arrivals, LoadTime measured_from) {
  schedule_ = std::make_unique<ArrivalSchedule>(arrivals);
  measured_from_ = measured_from;
  measured_to_ = arrivals.end;
  for (const auto& connection : connections_) connection->StartReading();
  end_timer_.expires_at(arrivals.end);
  end_timer_.async_wait([this](const error_code& error) {
    if (!error) OnArrivalsOver();
  });
  arrival_timer_.expires_at(arrivals.begin);
  arrival_timer_.async_wait([this](const error_code& error) {
    if (!error) Pump(nullptr);
  });
  context_.run();
}

Connection* LoadThread::PickConnection(Connection* preferred) {
  if (preferred != nullptr && preferred->has_room()) return preferred;
  for (size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = *connections_[next_connection_];
    if (connection.has_room()) return &connection;
    next_connection_ = (next_connection_ + 1) % connections_.size();
  }
  return nullptr;
}

void LoadThread::Pump(Connection* preferred) {
  const LoadTime now = LoadClock::now();
  touched_.clear();
  // What is due together goes out on one connection, in one write.
  next_connection_ = (next_connection_ + 1) % connections_.size();
  while (!over_ && in_flight_ < in_flight_limit_) {
    const std::optional<LoadTime> intended = schedule_->TakeDue(now);
    if (!intended) break;
    Connection* connection = PickConnection(preferred);
    const OperationKind kind = workload_.Next(request_);
    connection->Send(request_, {kind, *intended});
    ++in_flight_;
    if (touched_.empty() || touched_.back() != connection) touched_.push_back(connection);
  }
  for (Connection* connection : touched_) connection->Flush();
  AwaitNextArrival();
  FinishIfDone();
}

void LoadThread::AwaitNextArrival() {
  // Without room it is the next answer that goes on.
  if (over_ || arrival_awaited_ || in_flight_ >= in_flight_limit_) return;
  const std::optional<LoadTime> next = schedule_->NextStart();
  if (!next) return;
  arrival_awaited_ = true;
  arrival_timer_.expires_at(*next);
  arrival_timer_.async_wait([this](const error_code& error) {
    arrival_awaited_ = false;
    if (!error) Pump(nullptr);
  });
}

void LoadThread::OnAnswer(const PendingOperation& operation, const cassandra::Envelope& answer,
                          LoadTime now) {
  --in_flight_;
  const auto message = cassandra::DecodeResponse(answer);
  if (!message.has_value()) {
    ++tally_.wrong;
    return Note(message.error().message());
  }
  if (workload_.IsGood(operation.kind, message->response)) {
    ++tally_.answers;
    if (InWindow(now)) ++tally_.done;
    if (InWindow(operation.intended)) {
      tally_.latency[static_cast<size_t>(operation.kind)].Record(now - operation.intended);
    }
  } else if (const auto* error = std::get_if<cassandra::ErrorResponse>(&message->response)) {
    ++tally_.errors[static_cast<int32_t>(error->code)];
    Note(error->message);
  } else {
    ++tally_.wrong;
    Note("an answer was not what was asked for (were the rows loaded, with the same sizes?)");
  }
}

void LoadThread::OnProgress(Connection& connection) { Pump(&connection); }

void LoadThread::OnLost(Connection& connection, const Error& error) {
  tally_.lost += connection.in_flight();
  in_flight_ -= connection.in_flight();
  in_flight_limit_ -= in_flight_max_;
  Note(error.message());
  if (in_flight_limit_ == 0) context_.stop();
  FinishIfDone();
}

void LoadThread::OnArrivalsOver() {
  over_ = true;
  CountUnsent();
  FinishIfDone();
  end_timer_.expires_after(kDrainTimeout);
  end_timer_.async_wait([this](const error_code& error) {
    if (error) return;
    tally_.lost += in_flight_;
    Note("answers did not come before the end");
    context_.stop();
  });
}

void LoadThread::CountUnsent() {
  while (const std::optional<LoadTime> intended = schedule_->TakeDue(measured_to_)) {
    if (!InWindow(*intended)) continue;
    ++tally_.unsent;
    const OperationKind kind = workload_.Next(request_);
    tally_.latency[static_cast<size_t>(kind)].Record(measured_to_ - *intended);
  }
}

void LoadThread::FinishIfDone() {
  if (in_flight_ == 0 && (over_ || !schedule_->NextStart())) context_.stop();
}

bool LoadThread::InWindow(LoadTime time) const {
  return time >= measured_from_ && time < measured_to_;
}

void LoadThread::Note(std::string_view problem) {
  if (tally_.first_problem.empty()) tally_.first_problem = problem;
}

}  // namespace orrery::bench
