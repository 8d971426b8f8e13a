#include "api/gremlin/executor/profile.h"

#include <algorithm>
#include <numeric>

namespace orrery::gremlin {
namespace {

double Milliseconds(Micros time) { return static_cast<double>(time.count()) / 1'000; }

double Percent(Micros part, Micros all) {
  return all.count() == 0 ? 0 : 100.0 * Milliseconds(part) / Milliseconds(all);
}

Micros Sum(const std::vector<Micros>& times) {
  return std::accumulate(times.begin(), times.end(), Micros(0));
}

}  // namespace

StepProfile& Profile::Add(std::string name) {
  steps_.push_back(std::make_unique<StepProfile>(StepProfile{.name = std::move(name)}));
  return *steps_.back();
}

std::vector<Micros> Profile::Times() const {
  std::vector<Micros> times;
  Micros before{};
  for (const auto& step : steps_) {
    times.push_back(std::max(Micros(0), step->inclusive - before));
    before = step->inclusive;
  }
  return times;
}

Value Profile::Metrics() const {
  const std::vector<Micros> times = Times();
  const Micros all = Sum(times);
  Values metrics;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const StepProfile& step = *steps_[i];
    metrics.push_back(Value::Metrics(
        {{"dur", Value::Double(Milliseconds(times[i]))},
         {"counts", Value::Map({{"traverserCount", Value::Long(step.traversers)},
                                {"elementCount", Value::Long(step.elements)}})},
         {"name", Value::String(step.name)},
         {"annotations", Value::Map({{"percentDur", Value::Double(Percent(times[i], all))}})},
         {"id", Value::String(std::to_string(i) + ".0.0()")}}));
  }
  return Value::Metrics(
      {{"dur", Value::Double(Milliseconds(all))}, {"metrics", Value::List(std::move(metrics))}});
}

Value Profile::ExecutionProfile(const std::string& gremlin) const {
  const std::vector<Micros> times = Times();
  const Micros all = Sum(times);
  Values metrics;
  for (size_t i = 0; i < steps_.size(); ++i) {
    metrics.push_back(Value::Map(
        {{"name", Value::String(steps_[i]->name)},
         {"time", Value::Double(Milliseconds(times[i]))},
         {"annotations", Value::Map({{"percentTime", Value::Double(Percent(times[i], all))}})},
         {"counts", Value::Map({{"resultCount", Value::Long(steps_[i]->elements)}})}}));
  }
  return Value::Map({{"gremlin", Value::String(gremlin)},
                     {"totalTime", Value::Double(Milliseconds(all))},
                     {"metrics", Value::List(std::move(metrics))}});
}

}  // namespace orrery::gremlin
