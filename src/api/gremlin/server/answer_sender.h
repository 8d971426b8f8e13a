// An AnswerSender gives one request its answers: results in pages, each with status attributes as
// Cosmos DB has them, and at the end success or an error.
//
// Used by one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/gremlin/protocol/message.h"
#include "api/gremlin/server/error_map.h"
#include "base/clock.h"
#include "base/request_units.h"
#include "base/status.h"

namespace orrery::gremlin {

inline constexpr size_t kPageItems = 64;
inline constexpr size_t kPageItemsMax = 1'000'000;

class AnswerSender {
 public:
  // Sends one message; an error ends the request.
  using Send = std::function<Status(const Response& response, const EncodeOptions& options)>;
  struct Parts {
    std::string request_id;
    std::string activity_id;
    std::string host;  // of the client
    const Clock& clock;
    Send send;
    // Ends the connection without an answer, for faults on demand; none: it cannot be cut.
    std::function<void()> cut = nullptr;
  };
  explicit AnswerSender(Parts parts)
      : parts_(std::move(parts)), began_(parts_.clock.Monotonic()), page_began_(began_) {}

  void SetPage(size_t items) { page_items_ = items; }
  void SetTraversers(bool as_traversers) { as_traversers_ = as_traversers; }
  void SetProperties(bool with_properties) { options_.with_properties = with_properties; }
  // Sets what the request has cost so far.
  void SetCharge(RequestUnits charge) { charge_ = charge; }
  RequestUnits charge() const { return charge_; }
  // Returns whether the answer was an error.
  bool failed() const { return failed_; }

  // A full page is sent when another item follows.
  Status Add(Value value, int64_t bulk);
  Status Finish();
  Status FinishWith(const ErrorAnswer& error);
  // Ends the connection instead of an answer. REQUIRES: can_cut().
  bool can_cut() const { return parts_.cut != nullptr; }
  void Cut() {
    failed_ = true;
    parts_.cut();
  }
  // An answer without results, such as a challenge.
  Status FinishEmpty(StatusCode code);

 private:
  ValueMap Attributes(int64_t cosmos_code);
  Status SendPage(StatusCode code);

  const Parts parts_;
  const Micros began_;
  Micros page_began_;
  size_t page_items_ = kPageItems;
  bool as_traversers_ = false;
  EncodeOptions options_;
  RequestUnits charge_;
  RequestUnits charged_;  // in pages before
  bool failed_ = false;
  std::vector<ResultItem> items_;
  size_t count_ = 0;  // in the page, repetitions counted
};

}  // namespace orrery::gremlin
