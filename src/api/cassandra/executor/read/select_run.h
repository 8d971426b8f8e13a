// A SelectRun is one execution of a SELECT that is more than a point read: it fetches candidates,
// collects result rows, and cuts the page.
//
// It begins on the caller's thread with what is in memory, for a few rows, and goes on in the I/O
// pool when the disk is needed, when there is more to do than an event loop may, or when functions
// of users are to be called. It keeps itself alive until `done` was called.
//
// A page that is not the last has rows in it: drivers take an empty one for the end. So a run that
// finds nothing for long goes on, and waits where the provisioned rate stops it on its way. A run
// whose client has gone, or whose time is over, ends with an error between two fetches.
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

  // Everything referred to must outlive the run.
  struct Parts {
    gateway::RowGateway& rows;
    UuidSource& uuids;
    std::shared_ptr<ByteBudget> answers;  // where results are counted; null: nowhere
    DelayQueue* waits = nullptr;  // for reads that the rate stops on their way; null: they fail
    size_t examined_per_page = 100'000;  // what a page may cost before it is sent, full or not
  };

  SelectRun(const Parts& parts, const SelectRequest& request, Done done);

  // `done` is called once, now or later, from this thread or one of the pool.
  void Start();

 private:
  // False when the statement was refused.
  bool Begin();
  // Binds and decides everything before the first row is read.
  CqlStatus Prepare();
  CqlResult<CollectorLimits> BindLimits() const;
  CqlStatus CheckPaging(const CollectorLimits& limits) const;
  // Applies what the client gave back of an earlier page.
  CqlStatus Resume(std::optional<SourceStart>& start, std::string& continuation,
                   CollectorLimits& limits) const;
  CqlStatus MakeSource(std::optional<SourceStart> start, std::string continuation,
                       const CollectorLimits& limits, const Evaluation& evaluation);

  // Works until the page is complete or `turns` fetches were made; false: there is more to do.
  bool Work(storage::ReadMode mode, int turns);
  // Handles a page of the source that could not be read; the run ends or waits.
  void Stopped(CqlError error);
  // To a thread of the pool; false when it takes no more.
  bool HandOver();
  item::PageLimits FetchLimits(storage::ReadMode mode) const;
  // Returns whether a page that is not full may end here.
  bool MayCut() const;
  // Returns whether a full page is the last all the same.
  bool HasEnded() const;
  // Ends the page: there is more, or may be.
  void Cut();
  void Complete();
  void Fail(CqlError error);

  const Parts parts_;
  const std::shared_ptr<const SelectPlan> plan_;
  const ColumnShapePtr shape_;
  const SchemaPtr schema_;
  const ClientPtr client_;
  const KeptValues values_;
  const std::optional<std::string> paging_state_;
  const uint32_t page_rows_;  // 0: no pages
  const RequestContext context_;
  const uint32_t now_s_;
  FunctionContext functions_;
  Done done_;
  BoundKeys keys_;
  std::optional<uint32_t> per_partition_;  // PER PARTITION LIMIT, or that of DISTINCT
  std::optional<RowFilter> filter_;
  std::unique_ptr<RowSource> source_;
  std::optional<RowCollector> collector_;
  size_t examined_ = 0;
  std::chrono::milliseconds waited_{0};
  ByteShare memory_;
  Outcome outcome_;
};

}  // namespace orrery::cassandra
