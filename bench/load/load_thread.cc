#include "load/load_thread.h"

#include <utility>

namespace orrery::bench {

using boost::system::error_code;

void LoadThread::Add(std::unique_ptr<LoadConnection> connection) {
  connections_.push_back(std::move(connection));
  in_flight_limit_ += in_flight_max_;
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

LoadConnection* LoadThread::PickConnection(LoadConnection* preferred) {
  if (preferred != nullptr && preferred->has_room()) return preferred;
  for (size_t i = 0; i < connections_.size(); ++i) {
    LoadConnection& connection = *connections_[next_connection_];
    if (connection.has_room()) return &connection;
    next_connection_ = (next_connection_ + 1) % connections_.size();
  }
  return nullptr;
}

void LoadThread::Pump(LoadConnection* preferred) {
  const LoadTime now = LoadClock::now();
  touched_.clear();
  // Requests that are due together go out on one connection, in one write.
  next_connection_ = (next_connection_ + 1) % connections_.size();
  while (!over_ && in_flight_ < in_flight_limit_) {
    const std::optional<LoadTime> intended = schedule_->TakeDue(now);
    if (!intended) break;
    LoadConnection* connection = PickConnection(preferred);
    connection->Send(*intended);
    ++in_flight_;
    if (touched_.empty() || touched_.back() != connection) touched_.push_back(connection);
  }
  for (LoadConnection* connection : touched_) connection->Flush();
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

void LoadThread::OnAnswer(const PendingOperation& operation, const Verdict& verdict, LoadTime now) {
  --in_flight_;
  if (!verdict.good) {
    if (verdict.error) {
      ++tally_.errors[*verdict.error];
    } else {
      ++tally_.wrong;
    }
    return Note(verdict.problem);
  }
  ++tally_.answers;
  tally_.charge += verdict.charge;
  if (InWindow(now)) ++tally_.done;
  if (InWindow(operation.intended)) {
    tally_.latency[static_cast<size_t>(operation.kind)].Record(now - operation.intended);
  }
}

void LoadThread::OnProgress(LoadConnection& connection) { Pump(&connection); }

void LoadThread::OnLost(LoadConnection& connection, const Error& error) {
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
    const OperationKind kind = connections_.front()->Skip();
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
