// Fills new views with the rows that their base tables have already, in the background.
//
// It walks the base table and makes for each row a write that changes nothing but puts the row into
// the view as it is at that write's turn. So filling is ordered with all other writes, and what
// they have put there since is never overtaken. Before it begins it waits for the writes that do
// not know of the view yet (write_grace_period.h).
//
// That a view is built is kept with its definition (ViewOf::built). A build that a stop interrupted
// begins anew, which does no harm. Queries may use a view before: they see what is there. Its reads
// and writes are paid by the base table; when the rate is used up it waits for as long as it is
// told to.
//
// Thread-safe. Stop() before the core stops.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/executor/view/view_registry.h"
#include "api/cassandra/executor/view/write_grace_period.h"
#include "api/cassandra/schema/ddl/schema_editor.h"
#include "api/cassandra/system/view_builds.h"
#include "base/mutex.h"
#include "base/thread_pool.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class ViewBuilder final : public ViewBuildLister {
 public:
  // All must outlive it.
  struct Parts {
    const SchemaCache& schema;
    SchemaEditor& editor;
    gateway::RowGateway& rows;
    const ViewRegistry& registry;
    WriteGracePeriod& grace_period;
  };
  explicit ViewBuilder(const Parts& parts);
  ~ViewBuilder() override;

  // Builds what is not built. To be called at the start and after every change of the schema. Does
  // not block.
  void Wake() EXCLUDES(mutex_);
  std::vector<ViewBuild> ViewBuildsInProgress() const override EXCLUDES(mutex_);

  // Returns when every view is built, or after Stop.
  void WaitUntilIdle() EXCLUDES(mutex_);
  // Gives up what runs, and joins. Idempotent.
  void Stop() EXCLUDES(mutex_);

 private:
  void Run() EXCLUDES(mutex_);
  // The next view to build, but none of those that `failed` in this round while there are others;
  // null when all are built.
  TablePtr NextUnbuilt(std::set<std::string>& failed) EXCLUDES(mutex_);
  Status Build(const Table& view);
  Status FillPage(const Table& base, const Table& view,
                  const std::vector<item::ScannedPartition>& partitions);
  Status Fill(const Table& base, const Table& view, const item::ScannedPartition& partition);
  // True when the call is worth trying again, after a pause; false when it is not, or when it is
  // time to stop.
  bool PauseFor(const Error& error) EXCLUDES(mutex_);
  // False when it is time to stop.
  bool Pause(std::chrono::milliseconds pause) EXCLUDES(mutex_);
  void Report(const Table& view, const item::ScannedPartition& partition) EXCLUDES(mutex_);

  const Parts parts_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool running_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  // By keyspace and name.
  std::map<std::pair<std::string, std::string>, ViewBuild> builds_ GUARDED_BY(mutex_);
  ThreadPool pool_;
};

}  // namespace orrery::cassandra
