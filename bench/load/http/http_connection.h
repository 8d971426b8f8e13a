// One keep-alive connection on an event loop. Requests may be pipelined; answers come in the order
// of the requests.
//
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "load/http/http_workload.h"
#include "load/load_connection.h"
#include "load/transport.h"
#include "net/read_buffer.h"

namespace orrery::bench {

class HttpConnection final : public LoadConnection {
 public:
  // `workload` and `user` must outlive the event loop's run. The workload may be shared by all
  // connections of one loop. REQUIRES: in_flight_max > 0.
  HttpConnection(std::unique_ptr<Transport> transport, size_t in_flight_max, HttpWorkload& workload,
                 LoadConnectionUser& user);

  void StartReading() override { Read(); }
  bool has_room() const override { return !lost_ && pending_.size() < in_flight_max_; }
  size_t in_flight() const override { return pending_.size(); }
  void Send(LoadTime intended) override;
  void Flush() override;
  OperationKind Skip() override;

 private:
  void Read();
  void HandleInput();
  void HandleAnswer(const HttpAnswer& answer, LoadTime now);
  void Lose(std::string why);

  const std::unique_ptr<Transport> transport_;
  const size_t in_flight_max_;
  HttpWorkload& workload_;
  LoadConnectionUser& user_;
  std::deque<PendingOperation> pending_;  // in the order they were sent
  net::ReadBuffer input_;
  std::string joined_;    // a body that came in chunks
  std::string requests_;  // not yet given to the transport
  std::string sending_;
  bool writing_ = false;
  bool lost_ = false;
};

}  // namespace orrery::bench
