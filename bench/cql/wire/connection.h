// One pipelined connection on an event loop: requests go out on free streams, answers come back in
// any order and are matched by stream.
//
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/request/request.h"
#include "cql/load/workload.h"
#include "cql/wire/session.h"
#include "load/load_connection.h"

namespace orrery::bench {

class Connection final : public LoadConnection {
 public:
  // `workload` and `user` must outlive the event loop's run. The workload may be shared by all
  // connections of one loop. REQUIRES: 0 < in_flight_max <= 32,768.
  Connection(std::unique_ptr<Session> session, size_t in_flight_max, Workload& workload,
             LoadConnectionUser& user);

  void StartReading() override;
  bool has_room() const override { return !lost_ && !free_streams_.empty(); }
  size_t in_flight() const override { return pending_.size() - free_streams_.size(); }
  void Send(LoadTime intended) override;
  void Flush() override;
  OperationKind Skip() override { return workload_.Next(request_); }

 private:
  void Read();
  void HandleInput();
  void HandleAnswer(const cassandra::Envelope& answer, LoadTime now);
  void Judge(const PendingOperation& operation, const cassandra::Envelope& answer, LoadTime now);
  void Lose(std::string why);

  const std::unique_ptr<Session> session_;
  Workload& workload_;
  LoadConnectionUser& user_;
  std::vector<PendingOperation> pending_;  // by stream
  std::vector<bool> waiting_;              // by stream: whether an answer is awaited
  std::vector<int16_t> free_streams_;
  cassandra::ExecuteRequest request_;  // its memory is used again and again
  std::string envelopes_;              // not yet given to the transport
  std::string sending_;
  bool writing_ = false;
  bool lost_ = false;
};

}  // namespace orrery::bench
