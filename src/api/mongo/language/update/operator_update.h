// An OperatorUpdate is an update by operators: {$set: {...}, $inc: {...}}.
#pragma once

#include <memory>
#include <vector>

#include "api/mongo/language/update/update.h"
#include "api/mongo/language/update/update_applier.h"
#include "api/mongo/language/update/update_node.h"

namespace orrery::mongo {

class OperatorUpdate final : public Update {
 public:
  static Answer<UpdatePtr> Parse(const model::Fields& operators,
                                 const std::vector<model::Document>& array_filters,
                                 QueryContextPtr context);
  Answer<UpdateOutcome> Apply(model::DocumentView current, const MatchDetails& details,
                              const UpdateContext& context) const override;
  bool needs_match_details() const override { return has_position_; }

 private:
  Outcome AddOperator(const std::string& name, const model::Value& fields);
  Outcome AddPath(const std::string& name, const std::string& path, const model::Value& operand);
  Outcome CheckFilters(const model::Fields& operators) const;

  QueryContextPtr context_;
  UpdateNode root_;
  ArrayFilters filters_;
  std::vector<std::string> used_filters_;
  bool has_position_ = false;
};

}  // namespace orrery::mongo
