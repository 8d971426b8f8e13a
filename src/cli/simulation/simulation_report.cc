#include "cli/simulation/simulation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/byte_size.h"
#include "cli/duration.h"
#include "cli/text_table.h"

namespace orrery::cli {
namespace {

using cluster::Outcome;
using cluster::Sample;
using cluster::Scenario;

// Joins a stretch of time into one sample.
Sample Gathered(const Sample* begin, const Sample* end) {
  Sample all = *std::prev(end);
  all.at = begin->at;
  all.splits_by_storage = all.splits_by_throughput = all.take_overs = all.moves = 0;
  all.unowned_s = 0;
  const Sample* worst = begin;
  for (const Sample* sample = begin; sample != end; ++sample) {
    all.splits_by_storage += sample->splits_by_storage;
    all.splits_by_throughput += sample->splits_by_throughput;
    all.take_overs += sample->take_overs;
    all.moves += sample->moves;
    all.unowned_s += sample->unowned_s;
    all.take_over_longest_s = std::max(all.take_over_longest_s, sample->take_over_longest_s);
    all.hottest = std::max(all.hottest, sample->hottest);
    if (sample->ThrottledShare() > worst->ThrottledShare()) worst = sample;
  }
  all.demand = worst->demand;
  all.throttled = worst->throttled;
  return all;
}

Sample Gathered(const Outcome& outcome) {
  return Gathered(outcome.samples.data(), outcome.samples.data() + outcome.samples.size());
}

std::string Number(uint64_t number) { return GroupDigits(static_cast<double>(number)); }

std::string Percent(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  return percent > 0 && percent < 10 ? fmt::format("{:.1f} %", percent)
                                     : GroupDigits(percent) + " %";
}

// "0.92..1.07": the least and the most loaded node, as parts of the mean.
std::string Spread(const cluster::NodeSpread& spread) {
  if (spread.mean <= 0) return "-";
  return fmt::format("{:.2f}..{:.2f}", spread.least / spread.mean, spread.most / spread.mean);
}

std::string Plural(uint64_t number, std::string_view one) {
  return fmt::format("{} {}{}", Number(number), one, number == 1 ? "" : "s");
}

}  // namespace

std::string SimulationTable(const Outcome& outcome, size_t rows) {
  TextTable table({{"TIME", Align::kRight},
                   {"NODES", Align::kRight},
                   {"PARTITIONS", Align::kRight},
                   {"DATA", Align::kRight},
                   {"SPLITS", Align::kRight},
                   {"TAKE-OVERS", Align::kRight},
                   {"MOVES", Align::kRight},
                   {"UNOWNED", Align::kRight},
                   {"HOTTEST", Align::kRight},
                   {"THROTTLED", Align::kRight},
                   {"NODE LOAD"}});
  const size_t count = std::min(rows, outcome.samples.size());
  for (size_t i = 0; i < count; ++i) {
    const Sample* begin = outcome.samples.data() + i * outcome.samples.size() / count;
    const Sample* end = outcome.samples.data() + (i + 1) * outcome.samples.size() / count;
    const Sample row = Gathered(begin, end);
    table.AddRow({FormatElapsed(row.at), Number(row.nodes), Number(row.partitions),
                  FormatByteSize(static_cast<uint64_t>(row.bytes)),
                  Number(row.splits_by_storage + row.splits_by_throughput), Number(row.take_overs),
                  Number(row.moves), GroupDigits(row.unowned_s) + " s", Percent(row.hottest),
                  Percent(row.ThrottledShare()), Spread(row.spread)});
  }
  return table.Render();
}

std::string SimulationSummary(const Scenario& scenario, const Outcome& outcome) {
  const Sample all = Gathered(outcome);
  const Sample& first = outcome.samples.front();
  const Sample& last = outcome.samples.back();
  double wanted = 0;
  double throttled = 0;
  for (const Sample& sample : outcome.samples) {
    wanted += sample.demand;
    throttled += sample.throttled;
  }
  const double partition_seconds = static_cast<double>(last.partitions) *
                                   std::chrono::duration<double>(scenario.duration).count();
  std::string text =
      fmt::format("partitions  {} at the start, {} at the end; {} by storage, {} by throughput\n",
                  Number(first.partitions), Number(last.partitions),
                  Plural(all.splits_by_storage, "split"), Number(all.splits_by_throughput));
  text += fmt::format("owners      {}, {}; partitions were without owner {:.4f} % of the time\n",
                      Plural(all.take_overs, "take-over"), Plural(all.moves, "planned move"),
                      100 * all.unowned_s / partition_seconds);
  if (all.take_overs > 0)
    text +=
        fmt::format("crashes     the slowest take-over took {:.1f} s\n", all.take_over_longest_s);
  text += fmt::format(
      "load        {} of the request units wanted were throttled, {} in the worst tick; the "
      "hottest partition was asked for {} of its rate\n",
      Percent(wanted > 0 ? throttled / wanted : 0), Percent(all.ThrottledShare()),
      Percent(all.hottest));
  text += fmt::format("nodes       loads from {} of the mean at the end\n", Spread(last.spread));
  return text;
}

}  // namespace orrery::cli
