// Histories in a few words, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "history/operation.h"

namespace orrery::history {

struct Span {
  uint64_t invoked;
  uint64_t completed;
};

inline Operation MakeOperation(Kind kind, Content value, Span when) {
  return {.process = when.invoked % 10,
          .kind = kind,
          .key = "k",
          .value = std::move(value),
          .invoked = when.invoked,
          .completed = when.completed};
}
inline Operation Read(Content value, Span when) {
  return MakeOperation(Kind::kRead, std::move(value), when);
}
inline Operation Write(std::string value, Span when) {
  return MakeOperation(Kind::kWrite, std::move(value), when);
}
inline Operation Append(std::string value, Span when) {
  return MakeOperation(Kind::kAppend, std::move(value), when);
}
inline Operation Delete(Span when) { return MakeOperation(Kind::kDelete, std::nullopt, when); }
inline Operation Cas(Content expected, Content value, Span when) {
  Operation operation = MakeOperation(Kind::kCas, std::move(value), when);
  operation.expected = std::move(expected);
  return operation;
}
inline Operation Mismatch(Operation operation, std::optional<Content> saw = std::nullopt) {
  operation.outcome = Outcome::kMismatch;
  operation.saw = std::move(saw);
  return operation;
}
inline Operation Failed(Operation operation) {
  operation.outcome = Outcome::kFail;
  return operation;
}
inline Operation Unknown(Operation operation) {
  operation.outcome = Outcome::kUnknown;
  operation.completed = kNever;
  return operation;
}

inline std::vector<const Operation*> PointersTo(const std::vector<Operation>& operations) {
  std::vector<const Operation*> pointers;
  for (const Operation& operation : operations) pointers.push_back(&operation);
  return pointers;
}

}  // namespace orrery::history
