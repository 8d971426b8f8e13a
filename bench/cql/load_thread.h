// One event loop of the generator: takes due operations from its schedule, spreads them over its
// connections and tallies the answers.
//
// An operation that is due while every stream is busy waits, and keeps the start it was meant to
// have. Not thread-safe; what the constructor is given must outlive it.
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "cql/load/arrival_schedule.h"
#include "cql/load/tally.h"
#include "cql/load/workload.h"
#include "cql/wire/connection.h"

namespace orrery::bench {

class LoadThread final : private ConnectionUser {
 public:
  // How long answers are awaited after the last arrival.
  static constexpr std::chrono::seconds kDrainTimeout{10};

  LoadThread(Workload workload, size_t in_flight_max)
      : workload_(std::move(workload)), in_flight_max_(in_flight_max) {}
  ~LoadThread() override = default;

  // Opens that many connections; blocking. REQUIRES: before Run().
  Status Connect(const Target& target, size_t connections);

  // Blocks until the arrivals are over and every answer came, or kDrainTimeout passed. What is
  // meant to start from `measured_from` to the arrivals' end is measured. Once only.
  void Run(const ArrivalPlan& arrivals, LoadTime measured_from);
  const Tally& tally() const { return tally_; }

 private:
  void OnAnswer(const PendingOperation& operation, const cassandra::Envelope& answer,
                LoadTime now) override;
  void OnProgress(Connection& connection) override;
  void OnLost(Connection& connection, const Error& error) override;

  // Sends what is due, as far as there is room; on `preferred` (may be null) first.
  void Pump(Connection* preferred);
  Connection* PickConnection(Connection* preferred);
  void AwaitNextArrival();
  void OnArrivalsOver();
  void FinishIfDone();
  void CountUnsent();
  bool InWindow(LoadTime time) const;
  void Note(std::string_view problem);

  Workload workload_;
  const size_t in_flight_max_;  // on each connection
  boost::asio::io_context context_{1};
  boost::asio::steady_timer arrival_timer_{context_};
  boost::asio::steady_timer end_timer_{context_};
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> touched_;   // by the current Pump: to be flushed
  cassandra::ExecuteRequest request_;  // its memory is used again and again
  std::unique_ptr<ArrivalSchedule> schedule_;
  LoadTime measured_from_;
  LoadTime measured_to_;
  size_t next_connection_ = 0;
  size_t in_flight_ = 0;
  size_t in_flight_limit_ = 0;  // of the connections that live
  bool arrival_awaited_ = false;
  bool over_ = false;  // nothing more is sent
  Tally tally_;
};

}  // namespace orrery::bench
