// A QueryRunner runs texts in the language of one API for people who try things out, as the
// explorer's workbench does, whatever that language's own protocol looks like: text in, a page of
// rows, documents or a graph out.
//
// Each API implements one, on the same path that its own requests take; the server hands them to
// the portal. Thread-safe. Run blocks: never call it on an event loop.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/request_context.h"
#include "base/request_units.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::query {

struct RunnerRequest {
  std::string database;
  std::string container;  // empty where the text names it
  std::string text;
  model::Value parameters;  // an object, an array, or undefined
  size_t items_max = 100;
  std::string continuation;  // of the page before; empty for the first
  bool may_write = false;    // false: what would write is kForbidden
  RequestContext context;
};

// The parts of the result.
enum class RunnerForm : uint8_t { kNone, kRows, kDocuments, kGraph };

struct RunnerColumn {
  std::string name;
  std::string type;  // as the language names it; empty: it has none
};

struct RunnerResult {
  RunnerForm form = RunnerForm::kDocuments;
  std::vector<RunnerColumn> columns;   // of kRows
  std::vector<std::string> rows;       // of kRows: a JSON array each
  std::vector<std::string> documents;  // of kDocuments and kGraph: any JSON each
  std::string graph;                   // of kGraph: {"vertices":[..],"edges":[..]}
  std::string continuation;            // empty: there is no more
  RequestUnits charge;
  std::vector<std::string> hints;  // what would make it cheaper; true ones only
  std::vector<std::string> warnings;
};

// Why a text could not be run. What is wrong with it is kInvalidArgument.
struct RunnerFailure {
  explicit RunnerFailure(Error why) : error(std::move(why)) {}

  Error error;
  std::string detail;  // the API's own code
  // The first character that is wrong, from 0, in UTF-16 code units.
  std::optional<size_t> position;
};

template <typename T>
using RunnerOutcome = std::expected<T, RunnerFailure>;

class QueryRunner {
 public:
  virtual ~QueryRunner() = default;

  // "sql", "cassandra", "mongo", "table", "gremlin".
  virtual std::string_view api() const = 0;
  virtual RunnerOutcome<RunnerResult> Run(const RunnerRequest& request) = 0;
  // Returns how the text would be run, as JSON, without running it. kUnsupported if the API has no
  // plans.
  virtual RunnerOutcome<std::string> Plan(const RunnerRequest& request);
};

}  // namespace orrery::query
