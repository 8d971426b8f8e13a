// A FramedConnection is one connection of a protocol whose requests are pipelined and whose answers
// come in any order, each with the id of its request.
//
// Includes Asio: for the .cc files of the load generators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "load/load_connection.h"
#include "load/transport.h"
#include "net/read_buffer.h"

namespace orrery::bench {

struct FramedAnswer {
  size_t bytes = 0;
  uint32_t id = 0;  // of its request
  Verdict verdict{};
};

// A FramedExchange is the requests and answers of one protocol and workload.
class FramedExchange {
 public:
  virtual ~FramedExchange() = default;
  // Appends the workload's next request.
  virtual OperationKind Next(uint32_t id, std::string& out) = 0;
  // Reads the answer at the front of `input`. Its verdict may point into `input`. Returns nullopt
  // if more bytes are needed.
  virtual std::optional<FramedAnswer> Take(std::string_view input) const = 0;
};

class FramedConnection final : public LoadConnection {
 public:
  // `exchange` and `user` must outlive the event loop's run. REQUIRES: in_flight_max > 0, and the
  // protocol's handshake is done.
  FramedConnection(std::unique_ptr<Transport> transport, size_t in_flight_max,
                   FramedExchange& exchange, LoadConnectionUser& user);

  void StartReading() override { Read(); }
  bool has_room() const override { return !lost_ && pending_.size() < in_flight_max_; }
  size_t in_flight() const override { return pending_.size(); }
  void Send(LoadTime intended) override;
  void Flush() override;
  OperationKind Skip() override;

 private:
  void Read();
  void HandleInput();
  void Lose(std::string why);

  const std::unique_ptr<Transport> transport_;
  const size_t in_flight_max_;
  FramedExchange& exchange_;
  LoadConnectionUser& user_;
  std::unordered_map<uint32_t, PendingOperation> pending_;
  uint32_t last_id_ = 0;
  net::ReadBuffer input_;
  std::string requests_;  // not yet given to the transport
  std::string sending_;
  bool writing_ = false;
  bool lost_ = false;
};

}  // namespace orrery::bench
