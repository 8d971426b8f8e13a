// A CqlClient is one connection to a CQL server, with the native protocol's version 4: statements
// one by one, and prepared ones many at a time.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/protocol/request/request.h"
#include "api/cassandra/protocol/response/response.h"
#include "base/status.h"
#include "net/blocking_socket.h"

namespace orrery::cli {

struct CqlAddress {
  net::BlockingSocketOptions socket{.port = 9042};
  std::string user{};  // empty: no credentials
  std::string password{};
};

class CqlClient {
 public:
  static Result<CqlClient> Connect(const CqlAddress& address);

  // Rows as their cells' bytes, with the names of the columns.
  struct Rows {
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<std::string>>> rows;
    std::optional<std::string> paging_state;
  };
  // Runs one statement. An error of the server has its text; kAlreadyExists for what is there
  // already. Waits for a request that was throttled or overloaded and sends it again, for a minute.
  // With `page_rows` it gives at most so many, and where it goes on.
  Result<Rows> Query(std::string_view statement,
                     const std::optional<std::string>& paging_state = std::nullopt,
                     std::optional<int32_t> page_rows = std::nullopt);

  struct Prepared {
    std::string id;
    std::vector<std::string> variables;  // their names
  };
  Result<Prepared> Prepare(std::string_view statement);

  // Runs a prepared statement with one text value for each row, many at a time, in no certain
  // order. `failed` is called with the index of each row that was refused.
  Status ExecuteAll(const Prepared& statement, const std::vector<std::string>& values,
                    const std::function<void(size_t index, const Error& why)>& failed);

 private:
  explicit CqlClient(net::BlockingSocket socket);

  Status LogIn(const CqlAddress& address);
  Status Send(const cassandra::Request& request, int16_t stream);
  // Calls `use` with the next response and its stream; what it sees lives as long as the call.
  Status Receive(
      const std::function<Status(int16_t stream, const cassandra::Response& response)>& use);
  Status Ask(const cassandra::Request& request,
             const std::function<Status(const cassandra::Response& response)>& use);

  net::BlockingSocket socket_;
  cassandra::MessageDecoder decoder_;
  std::string input_;
};

}  // namespace orrery::cli
