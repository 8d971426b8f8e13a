// Samples in, Prometheus text format 0.0.4 out: the one place that knows how a metric is written.
//
//   family := "# HELP" name help LF "# TYPE" name kind LF sample*
//   sample := name [ "{" label "=" quoted ("," label "=" quoted)* "}" ] " " number LF
//
// Families are written in name order, their samples in the order in which they were added. In help
// texts \ and LF are escaped, in label values also the quote.
//
// Names, labels' names and kinds are the programmer's and are checked; label values may be any
// text. Not thread-safe: one scrape builds one MetricsText.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

// Written in this order. A family's series differ in their values, never in their names.
using MetricLabels = std::vector<std::pair<std::string, std::string>>;

enum class MetricKind : uint8_t { kCounter, kGauge, kHistogram };

class MetricsText {
 public:
  // A total that only rises; by convention `name` ends in _total.
  void AddCounter(std::string_view name, std::string_view help, const MetricLabels& labels,
                  double value);
  // A value that rises and falls.
  void AddGauge(std::string_view name, std::string_view help, const MetricLabels& labels,
                double value);
  // `counts` holds how many observations fell into each bucket (not summed up): one for each of
  // `bounds`, and one more for those above the last.
  void AddHistogram(std::string_view name, std::string_view help, const MetricLabels& labels,
                    std::span<const double> bounds, std::span<const uint64_t> counts, double sum);

  std::string Render() const;

 private:
  struct Family {
    MetricKind kind;
    std::string help;
    std::string samples;
  };

  // REQUIRES: a name that was used before has the same kind.
  std::string& Samples(MetricKind kind, std::string_view name, std::string_view help);

  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace orrery
