// Compares everything that a restarted server tells with the model kept outside it.
#pragma once

#include <chrono>
#include <deque>

#include "crash/admin_client.h"
#include "crash/history.h"
#include "crash/model.h"

namespace orrery::crash {

struct CheckCounts {
  uint64_t items = 0;
  uint64_t changes = 0;  // told by all-versions feeds
  uint64_t ranges = 0;
  // The longest that counts of items took to be right: the totals of a split's halves are estimates
  // until they are trimmed.
  std::chrono::milliseconds counting_max{0};
};

class ServerChecker {
 public:
  // Both must outlive it.
  ServerChecker(AdminClient& admin, CheckCounts& counts) : admin_(admin), counts_(counts) {}

  // While nothing else uses the server. What is found becomes the models' new beginning. `thorough`
  // also waits until maintenance has counted, and compares the counts.
  Violations Run(std::deque<ContainerModel>& containers, CatalogModel& catalog, bool thorough);

 private:
  void CheckContainer(ContainerModel& container, bool thorough);
  void CheckRanges(const std::string& name);
  void CheckFeeds(ContainerModel& container, const State& state);
  void CheckLatest(const ContainerModel& container, const std::string& position,
                   const State& before, const State& state);
  void CheckIndex(const ContainerModel& container, const State& state);
  void CheckItemCount(const ContainerModel& container, const State& state);
  void Note(std::string_view where, const Violations& found);
  void Note(std::string_view where, const Error& error) {
    Note(where, Violations{error.ToString()});
  }

  AdminClient& admin_;
  CheckCounts& counts_;
  Violations violations_;
};

}  // namespace orrery::crash
