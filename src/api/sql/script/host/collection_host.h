// A CollectionHost is what one run of a script can reach: the documents of one logical partition
// through a ScriptDocuments, and the request and answer it runs in. The prelude dresses it.
//
// An operation that a script asks for is done at once, and its callback queued. It answers false,
// and does nothing, when the run is near its end: little time is left, as many operations were done
// as may be, or the partition has no request units for it. A script can then stop and say how far
// it came.
//
// A wrong link is answered with an error (error_json.h) in place of true or false, which the
// prelude throws. What went wrong with a document is told to the script's callback. What the script
// can do nothing about (a conflict with another writer, a server that stops) ends the run whatever
// the script does: see fatal().
//
// For one thread, that of the run. All parts must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/script/host/exchange.h"
#include "api/sql/script/transaction/document_link.h"
#include "api/sql/script/transaction/script_documents.h"
#include "api/sql/script/transaction/script_queries.h"
#include "base/clock.h"
#include "base/status.h"
#include "model/value.h"
#include "script/host.h"

namespace orrery::sql {

// The number of requests to the collection of one run of a script, or of the triggers of one write
// together; more is not accepted.
inline constexpr size_t kScriptOperationsMax = 5'000;
inline constexpr size_t kFeedPageDefault = 100;
inline constexpr size_t kFeedPageMax = 1'000;
inline constexpr size_t kFeedPageBytesMax = size_t{1} << 20;

class CollectionHost {
 public:
  struct Parts {
    ScriptDocuments& view;
    ScriptQueries& queries;
    Exchange& exchange;
    const Clock& clock;
    Micros accept_until{0};  // on the monotonic clock
    size_t operations_max = kScriptOperationsMax;
  };
  explicit CollectionHost(const Parts& parts);

  // The functions refer to this object.
  script::Host MakeHost();

  // Why the run fails although the script may have gone on.
  const std::optional<Error>& fatal() const { return fatal_; }
  // Of the error that the script aborted with; 0 without one.
  int32_t abort_number() const { return abort_number_; }

 private:
  // A resource as JSON (empty: undefined), and what is said beside it.
  struct Answer {
    std::string resource{};
    int status = 0;  // what a client would be told; 0 for pages
    std::string continuation{};
    bool not_modified = false;
  };
  using Operation = std::function<Result<Answer>(script::HostCall&)>;

  // The resource that the first argument of an operation links to.
  enum class Link : uint8_t { kContainer, kDocument };

  // `callback` is the index of that argument.
  script::HostFunction Asynchronous(std::string name, Link link, size_t callback,
                                    Operation operation);
  Status CheckLink(const script::HostCall& call, Link link) const;
  // Nothing when it is not accepted.
  Result<std::optional<Result<Answer>>> Try(script::HostCall& call, const Operation& operation);
  bool Admits() const;

  Result<Answer> CreateDocument(script::HostCall& call);
  Result<Answer> UpsertDocument(script::HostCall& call);
  Result<Answer> ReadDocument(script::HostCall& call);
  Result<Answer> ReplaceDocument(script::HostCall& call);
  Result<Answer> DeleteDocument(script::HostCall& call);
  Result<Answer> ReadDocuments(script::HostCall& call);
  Result<Answer> QueryDocuments(script::HostCall& call);
  // Of a page of documents, as {"documents":[..],"continuation":..}.
  Result<script::Datum> Scan(script::HostCall& call);
  // Of a function of the query language, its name and arguments given, as {"value":..}.
  Result<script::Datum> Spatial(script::HostCall& call);
  Result<script::Datum> Abort(const script::HostCall& call);

  Result<std::string> IdOf(std::string_view link);
  Result<Answer> ReadFeed(const model::Value& options);
  Answer Seen(const ScriptDocuments::Document& document, int status) const;
  std::string StartJson() const;
  std::string InfoJson(const Answer& answer) const;

  const Parts parts_;
  const LinkReader links_;
  size_t operations_ = 0;
  std::optional<Error> fatal_;
  int32_t abort_number_ = 0;
};

}  // namespace orrery::sql
