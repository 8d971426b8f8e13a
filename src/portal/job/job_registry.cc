#include "portal/job/job_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::portal {
namespace {

constexpr std::string_view kRunning = "running";

std::unexpected<Error> NoJob(uint64_t id) {
  return Fail(Code::kNotFound, fmt::format("there is no job {}; jobs end with the server", id));
}

}  // namespace

int64_t JobRegistry::NowMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now()).count();
}

JobState JobRegistry::Now(const Job& job) {
  JobState state = job.state;
  state.done = job.progress->done();
  state.total = job.progress->total();
  return state;
}

Result<JobState> JobRegistry::Start(std::string kind, std::string database, std::string container,
                                    Work work) {
  const auto progress = std::make_shared<JobProgress>(clock_);
  JobState state;
  {
    const MutexLock lock(mutex_);
    const auto is_running = [](const auto& entry) { return entry.second.state.state == kRunning; };
    if (static_cast<size_t>(std::ranges::count_if(jobs_, is_running)) >= kRunningMax)
      return Fail(Code::kOverloaded, "too many jobs are running; wait for one, or cancel it");
    while (jobs_.size() >= kJobsMax) jobs_.erase(std::ranges::find_if_not(jobs_, is_running));
    state.id = ++last_id_;
    state.kind = std::move(kind);
    state.database = std::move(database);
    state.container = std::move(container);
    state.state = kRunning;
    state.started_ms = NowMs();
    jobs_[state.id] = {state, progress};
  }
  const bool is_taken = pool_.Submit([this, id = state.id, progress, work = std::move(work)] {
    End(id, progress->is_cancelled() ? Fail(Code::kCancelled, "cancelled") : work(*progress));
  });
  if (!is_taken) End(state.id, Fail(Code::kOverloaded, "the server is too busy; try again soon"));
  return Find(state.id);
}

void JobRegistry::End(uint64_t id, Result<std::string> outcome) {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return;
  JobState& state = found->second.state;
  state.ended_ms = NowMs();
  if (outcome.has_value()) {
    state.state = "done";
    state.result = *std::move(outcome);
  } else {
    state.state = found->second.progress->is_cancelled() ? "cancelled" : "failed";
    state.error = outcome.error().message();
  }
}

std::vector<JobState> JobRegistry::List() const {
  std::vector<JobState> states;
  const MutexLock lock(mutex_);
  for (const auto& [id, job] : jobs_) states.push_back(Now(job));
  std::ranges::reverse(states);
  return states;
}

Result<JobState> JobRegistry::Find(uint64_t id) const {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return NoJob(id);
  return Now(found->second);
}

Status JobRegistry::Remove(uint64_t id) {
  const MutexLock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return NoJob(id);
  if (found->second.state.state == kRunning) {
    found->second.progress->Cancel();
  } else {
    jobs_.erase(found);
  }
  return {};
}

void JobRegistry::CancelAll() {
  const MutexLock lock(mutex_);
  for (auto& [id, job] : jobs_) job.progress->Cancel();
}

}  // namespace orrery::portal
