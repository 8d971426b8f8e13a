// One event loop of a generator: takes due operations from its schedule, spreads them over its
// connections and tallies the answers.
//
// An operation that is due while every connection is busy waits, and keeps the start it was meant
// to have. Not thread-safe. Includes Asio: for the .cc files of the load generators.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "load/arrival_schedule.h"
#include "load/load_connection.h"
#include "load/tally.h"

namespace orrery::bench {

class LoadThread final : private LoadConnectionUser {
 public:
  // The time for which answers are awaited after the last arrival.
  static constexpr std::chrono::seconds kDrainTimeout{10};

  // `in_flight_max` is what each of its connections takes.
  explicit LoadThread(size_t in_flight_max) : in_flight_max_(in_flight_max) {}
  ~LoadThread() override = default;

  // For the connections, which are made on this loop and report to this user.
  boost::asio::io_context& context() { return context_; }
  LoadConnectionUser& user() { return *this; }
  void Add(std::unique_ptr<LoadConnection> connection);

  // Blocks until the arrivals are over and every answer came, or kDrainTimeout passed. What is
  // meant to start from `measured_from` to the arrivals' end is measured. Once only.
  // REQUIRES: it has a connection.
  void Run(const ArrivalPlan& arrivals, LoadTime measured_from);
  const Tally& tally() const { return tally_; }

 private:
  void OnAnswer(const PendingOperation& operation, const Verdict& verdict, LoadTime now) override;
  void OnProgress(LoadConnection& connection) override;
  void OnLost(LoadConnection& connection, const Error& error) override;

  // Sends what is due, as far as there is room; on `preferred` (may be null) first.
  void Pump(LoadConnection* preferred);
  LoadConnection* PickConnection(LoadConnection* preferred);
  void AwaitNextArrival();
  void OnArrivalsOver();
  void FinishIfDone();
  void CountUnsent();
  bool InWindow(LoadTime time) const;
  void Note(std::string_view problem);

  const size_t in_flight_max_;  // on each connection
  boost::asio::io_context context_{1};
  boost::asio::steady_timer arrival_timer_{context_};
  boost::asio::steady_timer end_timer_{context_};
  std::vector<std::unique_ptr<LoadConnection>> connections_;
  std::vector<LoadConnection*> touched_;  // by the current Pump: to be flushed
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
