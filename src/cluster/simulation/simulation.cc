#include "cluster/simulation/simulation.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numbers>

#include "cluster/simulation/simulated_nodes.h"
#include "cluster/simulation/simulated_partitions.h"
#include "partition/placement/placement_planner.h"

namespace orrery::cluster {
namespace {

using partition::OwnedPartition;
using partition::OwnerChange;
using partition::PlacementPlan;

constexpr Micros kDay = std::chrono::hours(24);
// A partition that was split or moved is not moved again for so long.
constexpr Micros kRest = std::chrono::minutes(10);
// Partitions that a node opens at a time.
constexpr uint64_t kOpensAtOnce = 4;
// From one partition to a million in halves, before the clock starts.
constexpr int kFirstRoundsMax = 64;
constexpr int64_t kHeatColumns = 120;
constexpr size_t kHeatRows = 64;

double Seconds(Micros time) { return std::chrono::duration<double>(time).count(); }

class Run {
 public:
  explicit Run(const Scenario& scenario)
      : scenario_(scenario), nodes_(scenario), partitions_(scenario) {}

  Result<Outcome> Finish() {
    ORRERY_TRY(Begin());
    const int64_t ticks = scenario_.duration / scenario_.tick;
    for (int64_t tick = 0; tick < ticks; ++tick) {
      now_ = tick * scenario_.tick;
      ORRERY_TRY(Tick());
      if (tick * kHeatColumns / ticks != (tick - 1) * kHeatColumns / ticks || tick == 0) SeeHeat();
    }
    Weather peak = WeatherAt(now_);
    peak.demand = scenario_.demand * (1 + scenario_.daily_swing);
    outcome_.hottest_container = partitions_.Describe(peak);
    outcome_.stuck = partitions_.Stuck();
    return std::move(outcome_);
  }

 private:
  // As it would be after running undisturbed for long.
  Status Begin() {
    outcome_.heat.rows = kHeatRows;
    const Weather weather = WeatherAt(now_);
    partitions_.Feel(weather);
    for (int round = 0; round < kFirstRoundsMax; ++round) {
      ORRERY_ASSIGN(const SplitCounts splits, partitions_.Split(weather));
      if (splits.Sum() == 0) break;
    }
    for (const OwnerChange& change : Plan(0).take_overs)
      partitions_.owned()[partitions_.SlotOf(change.partition)].owner = change.to;
    return {};
  }

  Status Tick() {
    sample_ = {.at = now_};
    weather_ = WeatherAt(now_);
    for (const ScenarioEvent& event : scenario_.events) {
      const bool due = event.at >= now_ && event.at < now_ + scenario_.tick;
      if (due && event.kind == ScenarioEvent::Kind::kSetThroughput)
        partitions_.SetThroughput(event.amount);
    }
    partitions_.Feel(weather_);
    ORRERY_ASSIGN(const SplitCounts splits, partitions_.Split(weather_));
    sample_.splits_by_storage = splits.by_storage;
    sample_.splits_by_throughput = splits.by_throughput;
    for (const size_t slot : partitions_.changed()) Rest(slot);
    WakeRested();

    const SimulatedNodes::Changes changes = nodes_.Pass(now_);
    const bool balance = now_ >= next_balance_;
    if (balance) next_balance_ = now_ + scenario_.balance_every;
    if (changes.lost > 0 || homeless_ > 0 || balance)
      CarryOut(Plan(balance ? scenario_.placement.moves_max : 0));
    Observe();
    return {};
  }

  Weather WeatherAt(Micros at) const {
    const double days = Seconds(at) / Seconds(kDay);
    const double swing = 1 - scenario_.daily_swing * std::cos(2 * std::numbers::pi * days);
    return {scenario_.demand * swing, static_cast<double>(scenario_.bytes) +
                                          static_cast<double>(scenario_.bytes_per_day) * days};
  }

  PlacementPlan Plan(uint32_t moves_max) {
    partition::PlacementOptions options = scenario_.placement;
    options.moves_max = moves_max;
    return partition::PlanPlacement(nodes_.facts(), partitions_.owned(), options);
  }

  void CarryOut(const PlacementPlan& plan) {
    homeless_ = plan.homeless;
    sample_.unowned_s = static_cast<double>(homeless_) * Seconds(scenario_.tick);
    sample_.take_overs = plan.take_overs.size();
    sample_.moves = plan.moves.size();
    std::map<NodeId, uint64_t> arrived;
    for (const OwnerChange& change : plan.take_overs) {
      const uint64_t turn = arrived[change.to]++ / kOpensAtOnce + 1;
      const double waited =
          Seconds(scenario_.take_over) + static_cast<double>(turn) * Seconds(scenario_.open);
      sample_.unowned_s += waited;
      sample_.take_over_longest_s = std::max(sample_.take_over_longest_s, waited);
      Give(change);
    }
    for (const OwnerChange& change : plan.moves) {
      sample_.unowned_s += Seconds(scenario_.move_pause);
      Give(change);
    }
  }

  void Give(const OwnerChange& change) {
    const size_t slot = partitions_.SlotOf(change.partition);
    partitions_.owned()[slot].owner = change.to;
    Rest(slot);
  }

  void Rest(size_t slot) {
    rested_at_.resize(std::max(rested_at_.size(), slot + 1));
    rested_at_[slot] = now_ + kRest;
    resting_.push_back({now_ + kRest, slot});
    partitions_.owned()[slot].settled = false;
  }

  void WakeRested() {
    for (; !resting_.empty() && resting_.front().first <= now_; resting_.pop_front()) {
      const auto [until, slot] = resting_.front();
      if (rested_at_[slot] == until) partitions_.owned()[slot].settled = true;
    }
  }

  void Observe() {
    sample_.nodes = nodes_.alive();
    sample_.partitions = partitions_.size();
    sample_.bytes = weather_.bytes * scenario_.containers;
    sample_.demand = weather_.demand * scenario_.containers;
    node_loads_.assign(nodes_.facts().size(), 0);
    const auto owned = std::as_const(partitions_).owned();
    for (size_t slot = 0; slot < owned.size(); ++slot) {
      const double demand = partitions_.DemandOf(slot, weather_);
      const double rate = partitions_.RateOf(slot);
      sample_.hottest = std::max(sample_.hottest, demand / rate);
      sample_.throttled += std::max(0.0, demand - rate);
      node_loads_[owned[slot].owner->value() - 1] += std::min(demand, rate);
    }
    sample_.spread = Spread();
    outcome_.samples.push_back(sample_);
  }

  NodeSpread Spread() const {
    if (nodes_.alive() == 0) return {};
    NodeSpread spread{.least = std::numeric_limits<double>::max()};
    double sum = 0;
    for (const partition::NodeFacts& node : nodes_.facts()) {
      if (node.state != partition::NodeState::kAlive) continue;
      const double load = node_loads_[node.id.value() - 1];
      spread.least = std::min(spread.least, load);
      spread.most = std::max(spread.most, load);
      sum += load;
    }
    spread.mean = sum / static_cast<double>(nodes_.alive());
    return spread;
  }

  void SeeHeat() {
    outcome_.heat.times.push_back(now_);
    outcome_.heat.columns.push_back(partitions_.HeatOfFirst(kHeatRows, weather_));
  }

  const Scenario& scenario_;
  SimulatedNodes nodes_;
  SimulatedPartitions partitions_;
  Outcome outcome_;

  Micros now_{0};
  Micros next_balance_{0};
  uint64_t homeless_ = 0;
  Weather weather_;
  Sample sample_;
  std::vector<double> node_loads_;                 // RU/s served, by node
  std::deque<std::pair<Micros, size_t>> resting_;  // in order of time; slots
  std::vector<Micros> rested_at_;                  // by slot
};

}  // namespace

Result<Outcome> Simulate(const Scenario& scenario) {
  ORRERY_TRY(ValidateScenario(scenario));
  return Run(scenario).Finish();
}

}  // namespace orrery::cluster
