// The FunctionLibrary holds the functions that every keyspace has, by name.
//
// Names are as a statement has them after folding: "tojson", "to_json". Filled once, then only
// read, from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cassandra/function/function.h"
#include "api/cassandra/function/function_template.h"

namespace orrery::cassandra {

class FunctionLibrary {
 public:
  void Add(FunctionPtr function);
  void Add(FunctionTemplate function);

  // Of one name, in the order they were added; none when there is no such name.
  std::span<const FunctionPtr> Overloads(std::string_view name) const;
  std::span<const FunctionTemplate> Templates(std::string_view name) const;

  // All names, sorted.
  std::vector<std::string> Names() const;

 private:
  struct Entry {
    std::vector<FunctionPtr> overloads;
    std::vector<FunctionTemplate> templates;
  };

  const Entry* Find(std::string_view name) const;

  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace orrery::cassandra
