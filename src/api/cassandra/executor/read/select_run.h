// A SelectRun is one execution of a SELECT that is more than a point read: it fetches candidates,
// collects result rows, and cuts the page.
//
// It begins on the caller's thread with what is in memory, for a few rows, and goes on in the I/O
// pool when the disk is needed, when there is more to do than an event loop may, or when functions
// of users are to be called. It keeps itself alive until `done` was called.
//
// A page that is not the last has rows in it: drivers take an empty one for the end. So a run that
// finds nothing for long goes on, and waits where the provisioned rate stops it on its way.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "api/cassandra/executor/kept_values.h"
#include "api/cassandra/executor/read/row_collector.h"
#include "api/cassandra/executor/read/select_request.h"
#include "api/cassandra/function/function_context.h"
#include "base/delay_queue.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class SelectRun : public std::enable_shared_from_this<SelectRun> {
 public:
  using Done = std::move_only_function<void(Outcome)>;

  // What is referred to must outlive the run.
  struct Parts {
    gateway::RowGateway& rows;
    UuidSource& uuids;
    std::shared_ptr<ByteBudget> answers;  // where results are counted; null: nowhere
    DelayQueue* waits = nullptr;  // for reads that the rate stops on their way; null: they fail
    size_t looked_at_per_page = 100'000;  // what a page may cost before it is sent, full or not
  };

  SelectRun(const Parts& parts, const SelectRequest& request, Done done);

  // `done` is called once, now or later, from this thread or one of the pool.
  void Start();

 private:
  // False when the statement was refused.
  bool Begin();
  // What is bound and decided before the first row is read.
  CqlStatus Prepare();
  CqlResult<CollectorLimits> BindLimits() const;
  CqlStatus CheckPaging(const CollectorLimits& limits) const;
  CqlStatus MakeSource(SourcePosition position, const CollectorLimits& limits,
                       const Evaluation& evaluation);

  // Works until the page is complete or `turns` fetches were made; false: there is more to do.
  bool Work(storage::ReadMode mode, int turns);
  // What a page of the source could not be read for; the run is over or waits.
  void Stopped(CqlError error, SourcePosition before);
  // To a thread of the pool; false when it takes no more.
  bool HandOver();
  item::PageLimits FetchLimits(storage::ReadMode mode) const;
  // Whether a page that is not full may end here.
  bool MayCut() const;
  void Cut(SourcePosition position, std::optional<RowMark> mark);
  void Complete();
  void Fail(CqlError error);
  uint64_t StatementId() const;

  const Parts parts_;
  const std::shared_ptr<const SelectPlan> plan_;
  const ColumnShapePtr shape_;
  const SchemaPtr schema_;
  const ClientPtr client_;
  const KeptValues values_;
  const std::optional<std::string> paging_state_;
  const uint32_t page_rows_;  // 0: no pages
  const uint32_t now_s_;
  FunctionContext functions_;
  Done done_;
  BoundKeys keys_;
  std::optional<RowFilter> filter_;
  std::unique_ptr<RowSource> source_;
  std::optional<RowCollector> collector_;
  size_t looked_at_ = 0;
  std::chrono::milliseconds waited_{0};
  ByteShare memory_;
  Outcome outcome_;
};

}  // namespace orrery::cassandra
