// Running nested traversals, and what by() looks at, for a whole batch at once.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/gremlin/executor/operator.h"
#include "api/gremlin/executor/test_value.h"
#include "api/gremlin/planner/plan.h"

namespace orrery::gremlin {

// The results of a nested traversal, one list for each start.
using ChildResults = std::vector<Batch>;

enum class ChildNeed : uint8_t { kAll, kFirst };

// Runs a traversal for each of the traversers, each with a bulk of one. With kFirst it stops as
// soon as each has a result.
Result<ChildResults> RunChild(Run& run, const Traversal& child, const Batch& starts,
                              ChildNeed need);

// Returns whether the traversal yields anything for each traverser.
Result<std::vector<bool>> TestChild(Run& run, const Traversal& child, const Batch& starts);

// The same; unknown where a filter of the traversal had no answer and nothing came out.
Result<std::vector<Truth>> JudgeChild(Run& run, const Traversal& child, const Batch& starts);

// The value of a by() for each traverser; nullopt where it yields none (or null, under
// ProductiveByStrategy).
using Looks = std::vector<std::optional<Value>>;
Result<Looks> LookBy(Run& run, const By& by, const Batch& traversers);
// The same for values that are not traversers themselves: each is looked at from its traverser's
// place.
Result<Looks> LookBy(Run& run, const By& by, const Batch& traversers, const Values& values);
// The by() that is used for the n-th thing: they take turns. The identity if there is none.
const By& ByAt(const Step& step, size_t n);
// Of steps that look at one thing: a later by() replaces the one before.
const By& LastBy(const Step& step);

// The value of a property, a map's entry, id or label; nullopt if there is none.
std::optional<Value> PropertyValue(const Run& run, const Value& value, std::string_view key);
// T.id and the like; nullopt if the value has no such.
std::optional<Value> TokenValue(const Value& value, std::string_view token);

// The objects that a path has under a label, the first first.
Values LabelledObjects(const PathRef& path, std::string_view label);
// Returns the object that select('x') and where('x') see: a map's entry, a side effect, an object
// of the path.
enum class Pop : uint8_t { kFirst, kLast, kAll, kMixed };
std::optional<Value> ScopeValue(Run& run, const Traverser& traverser, std::string_view name,
                                Pop pop);

}  // namespace orrery::gremlin
