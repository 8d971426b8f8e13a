// A Traversal is a program that the machine can run: steps with their modulators, nested traversals
// compiled, strategies applied. Made by planner.h; a value, shared and immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/graph/graph_store.h"
#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

struct Step;
struct Traversal {
  std::vector<Step> steps;
  // Side effects are gathered or read in it: it runs for one traverser after the other.
  bool one_by_one = false;
};
using Child = std::shared_ptr<const Traversal>;

// by(...): what a step looks at in place of the traverser itself.
struct By {
  enum class Kind : uint8_t {
    kIdentity,
    kProperty,
    kToken,
    kColumn,
    kTraversal
  } kind = Kind::kIdentity;
  std::string name{};  // of a property, of a token (T) or of a column
  Child traversal{};
  enum class Order : uint8_t { kAscending, kDescending, kShuffle } order = Order::kAscending;
};

// option(...) of choose, branch and merge steps.
struct Option {
  Value pick{};        // a value, a predicate or a constant of Pick or Merge
  Child pick_child{};  // instead, if the pick is a traversal
  Child branch{};
  Value map{};  // of merge steps, if there is no branch
  std::string cardinality{};
};

// An end of addE, and from() and to() of path steps.
struct End {
  std::string label{};  // of the path
  Child traversal{};
  Value vertex{};
};

// property(...) folded into the step that makes the element.
struct PropertyCall {
  std::string cardinality{};  // empty: the default
  Value key{};                // a string or T.id, T.label
  Child key_child{};
  Value value{};
  Child value_child{};
  std::vector<std::pair<std::string, Value>> meta{};
  std::vector<Child> meta_children{};  // one for each of meta; null: the value
};

// repeat()'s modulators.
struct Loop {
  Child until{};
  Child emit{};
  bool emits = false;        // also with emit() without a traversal
  bool until_first = false;  // stands before repeat()
  bool emit_first = false;
  std::optional<int64_t> times{};
  std::string name{};
};

// A pattern of match(): a traversal from one variable to another, or a group of patterns.
struct MatchPattern {
  enum class Kind : uint8_t { kTraversal, kAll, kAny } kind = Kind::kTraversal;
  std::vector<std::string> needs{};  // variables that must have a value before
  // Of a traversal.
  std::string start{};     // the variable it begins at; empty: where the traverser is
  std::string end{};       // the variable that its results are values of; empty: none
  bool is_filter = false;  // where() and not(): checked as soon as possible
  Child body{};
  // Of a group.
  std::vector<MatchPattern> parts{};
  std::vector<std::string> starts{};     // variables that patterns within begin at
  std::vector<std::string> variables{};  // all of them
  std::string first{};                   // the one that a traverser is a value of if it has none
};

// Steps that no client can name: the labels where a traversal of where() begins and ends.
inline constexpr std::string_view kWhereStart = "where start";
inline constexpr std::string_view kWhereEnd = "where end";

struct Step {
  std::string name;
  Values args{};
  std::vector<Child> children{};  // one for each argument; null where it is no traversal
  std::vector<std::string> labels{};
  std::vector<By> bys{};
  std::vector<Option> options{};
  std::vector<PropertyCall> properties{};
  std::optional<End> from{};
  std::optional<End> to{};
  ValueMap with{};
  Loop loop{};
  std::shared_ptr<const MatchPattern> match{};
  // Of V() and E(): what the filters behind it say of the elements.
  ElementQuery query{};
  size_t wanted = SIZE_MAX;  // of V() and E(): how many elements are needed at most
  bool counts_only = false;  // of V() and E(): only the number of elements is needed
};

// A whole request, compiled.
struct Plan {
  Traversal traversal;
  bool tracks_path = false;  // some step looks at paths or labels
  bool mutates = false;
  bool bulks = true;
  bool productive_by = false;
  bool reads_side_effects = false;  // a step other than cap() refers to a side effect
  bool needs_whole_path = false;    // some step looks at more of the path than its labels
  bool profiles = false;            // profile() or executionProfile() measures the steps
  std::optional<int64_t> seed{};
  struct InitialSideEffect {
    std::string key;
    Value value;
    std::string reducer;  // a constant of Operator; empty: none
  };
  std::vector<InitialSideEffect> side_effects{};
  std::optional<Value> sack{};
  std::string sack_merge{};  // a constant of Operator; empty: none
  std::vector<std::string> system_properties{};
  std::optional<int64_t> timeout_ms{};
  std::optional<int64_t> batch_size{};
  bool materializes_properties = true;
};

}  // namespace orrery::gremlin
