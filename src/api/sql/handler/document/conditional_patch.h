// A ConditionalPatch patches one document if its condition, a query's FROM and WHERE, holds for it.
// It is a program (gateway/program/document_program.h): condition and patch are evaluated in the
// partition's sequencer on the same version, so nobody can come between them.
//
// Other writers wait meanwhile. Only conditions whose cost is bounded by the size of the document
// may therefore become one (IsBounded); others are evaluated before the write (patch_condition.h).
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/handler/document/write_operation.h"
#include "api/sql/list/list_query.h"
#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"
#include "model/expression/patch.h"
#include "model/value.h"

namespace orrery::sql {

// A bounded condition has at most so many operators and operands.
inline constexpr size_t kBoundedNodesMax = 128;

// Returns whether the condition costs at most a few passes over the document: no function but type
// tests, no LIKE, JOIN or subquery. False for a condition that cannot be parsed.
bool IsBounded(std::string_view condition);

class ConditionalPatch final : public gateway::DocumentProgram {
 public:
  static constexpr std::string_view kKind = "sql.conditional_patch";

  struct What {
    std::string id;
    std::string condition;
    std::vector<model::PatchOperation> patch;
    std::optional<Lsn> if_match{};
  };

  // Lets the partition's owner run patches that arrived at another node. `clock` must outlive the
  // registry.
  static void Register(gateway::ProgramRegistry& registry, const Clock& clock);

  // `queries` must outlive it.
  ConditionalPatch(const ListQueries& queries, gateway::ContainerRef container, What what);

  std::span<const model::Value> reads() const override { return {&row_key_, 1}; }
  // kNotFound; kPreconditionFailed when the condition does not hold; kInvalidArgument when it is
  // malformed.
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros now) const override;
  std::string_view kind() const override { return kKind; }
  // data := id:bytes condition:bytes patch (00 | 01 if_match:number)   ; expression_codec.h
  std::string Encode() const override;

 private:
  const ListQueries& queries_;
  const gateway::ContainerRef container_;
  const What what_;
  const model::Value row_key_;
};

// Returns a write with a bounded condition as a program. `queries` must outlive it.
gateway::ProgramRequest ProgramOf(const ListQueries& queries,
                                  const gateway::ContainerRef& container, PreparedWrite write);

}  // namespace orrery::sql
