// A Place is where in documents an expression of a query looks: fields, and elements of arrays.
//
// What an index over a path is asked for. Values; thread-safe.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "gateway/requests.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

struct Place {
  struct Step {
    std::string name;
    bool is_element = false;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps;
  bool of_kinds = false;  // not the value there, but whether it is an array or an object

  // Whether one document may have several values there.
  bool has_elements() const;
  Place Field(std::string name) const;
  Place Element() const;
  Place Kinds() const;
  // Whether it is the value at that path.
  bool IsAt(std::span<const std::string> path) const;

  // The index over the place; nothing when the container has none, or has not built it yet.
  std::optional<item::IndexId> IndexOf(const item::ContainerSchema& schema) const;
  // Whether that index has documents without a value there.
  bool IsIndexedWhenAbsent(const item::ContainerSchema& schema) const;
  // The value there, undefined for none. REQUIRES: !has_elements().
  model::Value Get(model::DocumentView document) const;

  friend bool operator==(const Place&, const Place&) = default;
};

// Whether documents are stored with it: what is made when one is read is in no index.
bool IsIndexable(const Place& place);

// What the aliases of a query stand for, as far as that is a place in the container's documents.
using Places = std::map<std::string, Place, std::less<>>;

// Nothing when the expression is anything but fields below one of the aliases.
std::optional<Place> PlaceOf(const ast::Expression& expression, const Places& aliases);

// The query that reads the container: the given one, or the one in its FROM, and so on down. Null
// when none does.
const ast::Query* ReaderOf(const ast::Query& query);
// The aliases of the query that reads the container.
Places DocumentPlaces(const ast::Query& reader);
// And those that further sources add, each of which may look into the ones before it.
void AddSourcePlaces(const ast::Query& query, size_t first, Places& places);

}  // namespace orrery::sql
