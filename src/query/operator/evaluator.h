// An Evaluator computes a value of a row: a bound expression of one of the APIs.
//
// A row is what the slots of a Frame hold: documents, elements of arrays, group keys, aggregates.
// The other inputs of an API's expressions (a clock, functions that users wrote) are in its own
// EvaluationContext.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/request_context.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::query {

// One per running query, used by one thread at a time.
class EvaluationContext {
 public:
  // `stop` is counted on between rows; null: nothing stops the query. Must outlive it.
  explicit EvaluationContext(StopCheck* stop = nullptr) : stop_(stop) {}
  virtual ~EvaluationContext() = default;

  StopCheck* stop() const { return stop_; }

 private:
  StopCheck* const stop_;
};

// One per row or reused from row to row; used by one thread at a time. Owns nothing.
struct Frame {
  // By the numbers that the evaluator was bound with. None is null.
  std::span<const model::Value* const> slots;
  const EvaluationContext& context;  // must outlive the frame
  // The number of rows that queries have made of one document, those within expressions too; null
  // where none count.
  uint64_t* rows = nullptr;
};

// The value of a slot before it is set.
inline const model::Value kUndefined;

// Immutable, so thread-safe.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  // Returns where the value is: in a slot of the frame, in this evaluator, or in `scratch` where it
  // was made. So a path into a document copies nothing. Good until one of the three changes or
  // ends; what `scratch` held before is lost. An error ends the query.
  virtual Result<const model::Value*> Evaluate(Frame& frame, model::Value& scratch) const = 0;

 protected:
  Evaluator() = default;
};

// Returns the result of Evaluate as a value to keep: moved out of `scratch` where possible, else
// copied.
inline model::Value Take(const model::Value* result, model::Value& scratch) {
  if (result == &scratch) return std::move(scratch);
  return *result;
}

}  // namespace orrery::query
