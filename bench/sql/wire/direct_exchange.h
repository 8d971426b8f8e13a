// A DirectExchange is the requests of a SqlWorkload as frames of Direct mode, and their answers.
//
// Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "load/framed/framed_connection.h"
#include "load/transport.h"
#include "sql/sql_workload.h"

namespace orrery::bench {

class DirectExchange final : public FramedExchange {
 public:
  // The first exchange of a connection; blocks.
  static Status ShakeHands(Transport& transport);

  explicit DirectExchange(SqlWorkload workload) : workload_(std::move(workload)) {}

  OperationKind Next(uint32_t id, std::string& out) override;
  std::optional<FramedAnswer> Take(std::string_view input) const override;

 private:
  SqlWorkload workload_;
};

}  // namespace orrery::bench
