// A GraphStore holds the elements of one graph. The machine (executor/) reads and writes through
// it, by way of a GraphTransaction, which keeps a request's own writes until they are committed.
//
// store/document_store.h keeps elements as documents of a container; memory_store_for_test.h in
// memory, for tests of the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/element.h"
#include "base/request_units.h"
#include "base/status.h"

namespace orrery::gremlin {

enum class ElementKind : uint8_t { kVertex, kEdge };

// A condition on the values of one property.
struct PropertyCondition {
  std::string key;
  std::shared_ptr<const Predicate> predicate;
};

// The elements that a traversal begins with. All of it is implied by the traversal, which checks
// every element again: a store may ignore what it has no index for.
struct ElementQuery {
  ElementKind kind = ElementKind::kVertex;
  std::optional<Values> partitions{};             // values of the partition key
  std::optional<std::vector<std::string>> ids{};  // IdText
  std::optional<std::vector<std::string>> labels{};
  std::vector<PropertyCondition> conditions{};
};

// One pass over the elements of a query.
class ElementCursor {
 public:
  virtual ~ElementCursor() = default;
  // Appends further elements, about `wanted`; none: there are no more.
  virtual Status Next(size_t wanted, Values& elements) = 0;
};

enum class EdgeDirection : uint8_t { kOut, kIn };

// One write of a transaction.
struct ElementChange {
  enum class Kind : uint8_t { kCreate, kReplace, kDelete } kind = Kind::kCreate;
  Value element;  // a vertex or an edge; of a deletion, as it was
};

struct GraphRules {
  std::string partition_key;  // the property whose value is the partition
  // The partition of a vertex is its id: nobody need give one.
  bool partition_is_id = false;
};

class GraphStore {
 public:
  virtual ~GraphStore() = default;

  virtual const GraphRules& rules() const = 0;
  virtual Result<std::unique_ptr<ElementCursor>> Find(const ElementQuery& query) = 0;
  // The vertices with these keys, in their order; null where there is none.
  virtual Result<std::vector<std::shared_ptr<const Vertex>>> GetVertices(
      std::span<const ElementKey> keys) = 0;
  // All edges that leave, or enter, one of the vertices, each once. Empty `labels`: all labels.
  virtual Result<std::vector<std::shared_ptr<const Edge>>> EdgesOf(
      std::span<const ElementKey> vertices, EdgeDirection direction,
      std::span<const std::string> labels) = 0;

  // The number of elements of the query's kind that have one of its labels, or any if it names
  // none. Nullopt if the store cannot tell without giving them.
  virtual Result<std::optional<int64_t>> Count(const ElementQuery& /*query*/) {
    return std::nullopt;
  }

  // Makes all changes of one partition together or none of them; partitions one after the other.
  // kPreconditionFailed when an element has changed since it was read, kAlreadyExists when one that
  // is created is there. `committed` says whether any partition was changed before the error.
  virtual Status Commit(std::span<const ElementChange> changes, bool& committed) = 0;

  // Returns what all calls so far have cost.
  virtual RequestUnits charge() const = 0;
};

}  // namespace orrery::gremlin
