// A Program is the source of one function as a user wrote it, and where it may share.
//
// It is plain, immutable data that any thread may hold; each sandbox compiles it on first use and
// keeps the result while it is used (keyed by the object's identity, so share one Program rather
// than copy it).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace orrery::script {

enum class Form : uint8_t {
  // Statements with `return`: the body of a function of the named parameters.
  kBody,
  // Statements whose last value is the result, parameters being variables: `Math.sin(x)`. What
  // CQL's JavaScript functions are. One that uses `return` is taken as a kBody.
  kScript,
  // One function expression or declaration, `function (a, b) { ... }`: what SQL's stored
  // procedures, triggers and functions are. Named parameters are not allowed.
  kFunction,
};

struct Program {
  Form form = Form::kBody;
  std::vector<std::string> parameters;
  std::string source;
  // Its name in stack traces: "ks.f".
  std::string name;
  // Programs of one domain (a keyspace, a database) share a realm; those of two never do.
  std::string domain;
};

using ProgramRef = std::shared_ptr<const Program>;

// Checks sizes and that each parameter is a JavaScript identifier in ASCII; kInvalidArgument says
// which is not. Whether the source compiles is Sandbox::Check's to say.
Result<ProgramRef> MakeProgram(Program program);

}  // namespace orrery::script
