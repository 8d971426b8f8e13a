#include "api/gremlin/parser/enumerations.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace orrery::gremlin {
namespace {

struct Enumeration {
  std::string_view type;
  std::span<const std::string_view> names;
  bool bare = true;  // its constants may stand without the type
};

constexpr std::array<std::string_view, 4> kT = {"id", "label", "key", "value"};
constexpr std::array<std::string_view, 5> kOrder = {"asc", "desc", "shuffle", "incr", "decr"};
constexpr std::array<std::string_view, 2> kScope = {"local", "global"};
constexpr std::array<std::string_view, 4> kPop = {"first", "last", "all", "mixed"};
constexpr std::array<std::string_view, 2> kColumn = {"keys", "values"};
constexpr std::array<std::string_view, 5> kDirection = {"OUT", "IN", "BOTH", "from", "to"};
constexpr std::array<std::string_view, 3> kCardinality = {"single", "list", "set"};
constexpr std::array<std::string_view, 4> kMerge = {"onCreate", "onMatch", "outV", "inV"};
constexpr std::array<std::string_view, 3> kPick = {"any", "none", "unproductive"};
constexpr std::array<std::string_view, 11> kOperator = {
    "sum", "minus", "mult", "div", "min", "max", "assign", "and", "or", "addAll", "sumLong"};
constexpr std::array<std::string_view, 1> kBarrier = {"normSack"};
constexpr std::array<std::string_view, 4> kDt = {"second", "minute", "hour", "day"};
constexpr std::array<std::string_view, 24> kGType = {
    "STRING",  "INT",       "INTEGER",  "LONG",     "SHORT", "BYTE",   "FLOAT",      "DOUBLE",
    "BOOLEAN", "NUMBER",    "UUID",     "DATETIME", "LIST",  "SET",    "MAP",        "VERTEX",
    "EDGE",    "VPROPERTY", "PROPERTY", "PATH",     "TREE",  "BIGINT", "BIGDECIMAL", "NULL"};

constexpr std::array<Enumeration, 13> kEnumerations = {{{"T", kT},
                                                        {"Order", kOrder},
                                                        {"Scope", kScope},
                                                        {"Pop", kPop},
                                                        {"Column", kColumn},
                                                        {"Direction", kDirection},
                                                        {"Cardinality", kCardinality},
                                                        {"Merge", kMerge},
                                                        {"Pick", kPick},
                                                        {"Operator", kOperator},
                                                        {"Barrier", kBarrier},
                                                        {"DT", kDt},
                                                        {"GType", kGType, false}}};

struct Text {
  std::string_view type;
  std::string_view name;
  std::string_view value;
};
constexpr std::array<Text, 4> kTexts = {{{"WithOptions", "tokens", "~tinkerpop.valueMap.tokens"},
                                         {"WithOptions", "indexer", "~tinkerpop.index.indexer"},
                                         {"IO", "reader", "~tinkerpop.io.reader"},
                                         {"IO", "writer", "~tinkerpop.io.writer"}}};

struct Number {
  std::string_view name;
  int32_t value;
};
constexpr std::array<Number, 8> kOptions = {{{"none", 0},
                                             {"ids", 1},
                                             {"labels", 2},
                                             {"keys", 4},
                                             {"values", 8},
                                             {"all", 15},
                                             {"list", 0},
                                             {"map", 1}}};

Value Constant(std::string_view type, std::string_view name) {
  if (type == "Order" && name == "incr") name = "asc";
  if (type == "Order" && name == "decr") name = "desc";
  if (type == "Direction" && name == "from") name = "OUT";
  if (type == "Direction" && name == "to") name = "IN";
  return Value::Enum(type, name);
}

}  // namespace

std::optional<Value> BareConstant(std::string_view word) {
  for (const Enumeration& e : kEnumerations) {
    if (e.bare && std::ranges::find(e.names, word) != e.names.end()) return Constant(e.type, word);
  }
  return std::nullopt;
}

std::optional<Value> QualifiedConstant(std::string_view type, std::string_view name) {
  for (const Enumeration& e : kEnumerations) {
    if (e.type == type && std::ranges::find(e.names, name) != e.names.end())
      return Constant(type, name);
  }
  for (const Text& text : kTexts) {
    if (text.type == type && text.name == name) return Value::String(std::string(text.value));
  }
  if (type == "WithOptions") {
    for (const Number& option : kOptions) {
      if (option.name == name) return Value::Int(option.value);
    }
  }
  return std::nullopt;
}

bool IsEnumeration(std::string_view type) {
  return type == "WithOptions" || type == "IO" ||
         std::ranges::find(kEnumerations, type, &Enumeration::type) != kEnumerations.end();
}

}  // namespace orrery::gremlin
