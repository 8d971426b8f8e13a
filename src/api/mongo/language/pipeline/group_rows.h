// GroupRows are the rows of a $group: one for each group of its input, whose documents it reads
// when the first row is asked for. Beyond the context's memory for one stage what is left for the
// groups goes to files (group_files.h), where the context has a place for them.
//
// Used by one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/group_files.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/value/collator.h"

namespace orrery::mongo {

struct NamedAccumulator {
  std::string name;
  AccumulatorSpecPtr spec;
};

// The running accumulators of one group.
class GroupState {
 public:
  GroupState(const std::vector<NamedAccumulator>& outputs, const model::Value& key);
  Outcome Add(const std::vector<NamedAccumulator>& outputs, Evaluation& evaluation);
  // The same with values that were evaluated before: {"0": .., "1": ..}, without missing ones.
  Outcome AddEvaluated(model::DocumentView values);
  Answer<Row> Result(const model::Value& id, const std::vector<NamedAccumulator>& outputs) const;
  size_t bytes() const;

 private:
  std::vector<std::unique_ptr<Accumulator>> states_;
};

class GroupRows final : public RowSource {
 public:
  // `id` and `outputs` must outlive it.
  GroupRows(std::unique_ptr<RowSource> input, const Expression& id,
            const std::vector<NamedAccumulator>& outputs, QueryContextPtr context);

  // kQueryExceededMemoryLimitNoDiskUseAllowed when the groups do not fit and there are no files for
  // them; kExceededMemoryLimit for a single group that does not.
  Answer<std::optional<Row>> Next() override;

 private:
  struct Less {
    const Collator* collator = nullptr;
    bool operator()(const model::Value& a, const model::Value& b) const {
      return CompareValues(a, b, collator) < 0;
    }
  };
  struct Group {
    model::Value id;
    GroupState state;
  };

  Outcome Fill();
  Outcome AddInMemory(model::Value id, Evaluation& evaluation);
  Outcome AddToFiles(const model::Value& id, Evaluation& evaluation);
  // The next group of the files, with what memory has of it.
  Answer<std::optional<Row>> NextOfFiles();

  const std::unique_ptr<RowSource> input_;
  const Expression& id_;
  const std::vector<NamedAccumulator>& outputs_;
  const QueryContextPtr context_;
  std::map<model::Value, size_t, Less> index_;
  std::vector<std::optional<Group>> groups_;  // nullopt: its row was given
  size_t bytes_ = 0;
  std::optional<GroupFiles> files_;
  bool is_filled_ = false;
  size_t next_ = 0;
};

}  // namespace orrery::mongo
