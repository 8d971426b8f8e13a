// The admin interface as the workload and the checker use it: one connection, typed calls.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "crash/history.h"
#include "model/document/document.h"
#include "net/http/http_client.h"

namespace orrery::crash {

inline constexpr std::string_view kDatabase = "crash";

// Microseconds since 1970, by the clock that the server looks at too.
uint64_t NowMicros();

// One range of a container as GET /partitions tells it.
struct RangeRow {
  uint64_t partition = 0;
  std::string begin;  // 32 hexadecimal digits, upper case
  std::string last;   // inclusive
  uint64_t items = 0;
  uint64_t last_lsn = 0;
};

class AdminClient {
 public:
  explicit AdminClient(uint16_t port);

  // kUnavailable when no answer came: the server is dead or dying. Errors that the server answers
  // have its code; see the portal's error map.
  Result<model::Document> Call(std::string_view method, std::string_view target,
                               std::string body = {});

  Status CreateDatabase();
  // `settings`: the JSON of a container.
  Status CreateContainer(const std::string& settings);
  Status DropContainer(std::string_view name);
  Result<std::vector<std::string>> ListContainers();
  Status SetThroughput(std::string_view container, int64_t request_units_per_second);
  Result<int64_t> GetThroughput(std::string_view container);

  // Sets outcome, lsn and end of the transaction. False when no answer came.
  bool Write(std::string_view container, Transaction& transaction);
  // The same for a read's end and what it found; an error when it failed.
  Status Read(std::string_view container, crash::Read& read);

  // All pages; `question` are more fields of the scan ("\"index\":{...}"). kCorruption when an item
  // comes twice or is not whole.
  Result<State> Scan(std::string_view container, std::string_view question = {});

  struct FeedRead {
    std::vector<Change> changes;
    std::string continuation;
  };
  // `mode`: "latest" or "allVersions". From the beginning without a continuation.
  Result<FeedRead> ReadFeed(std::string_view container, std::string_view mode,
                            const std::string& continuation);

  // In ring order.
  Result<std::vector<RangeRow>> Ranges(std::string_view container);
  Status Split(uint64_t partition);
  Status Merge(uint64_t left, uint64_t right);

 private:
  Result<net::HttpResponse> Send(std::string_view method, std::string_view target, std::string body,
                                 std::optional<uint64_t> if_match = std::nullopt);
  Result<net::HttpResponse> SendWrite(std::string_view container, const Transaction& transaction);

  net::HttpClient http_;
};

}  // namespace orrery::crash
