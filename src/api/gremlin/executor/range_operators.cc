// limit, range, skip, tail and sample, over the stream or within a collection.
#include <algorithm>
#include <deque>
#include <numeric>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

struct Bounds {
  int64_t low = 0;
  int64_t high = -1;  // -1: no end
};

// Lets the traversers between two positions pass, counted by bulk, for each tag.
class RangeOperator final : public BatchOperator {
 public:
  RangeOperator(Run& run, const Step& step, const Pipeline& pipeline, Bounds bounds)
      : BatchOperator(run, step, pipeline), bounds_(bounds) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& traverser : in) {
      int64_t& seen = seen_[traverser.tag];
      const int64_t from = std::max(seen, bounds_.low);
      const int64_t behind = seen + traverser.bulk;
      const int64_t to = bounds_.high == -1 ? behind : std::min(behind, bounds_.high);
      seen = behind;
      if (from >= to) continue;
      traverser.bulk = to - from;
      out.push_back(std::move(traverser));
    }
    return {};
  }
  bool done() const override {
    if (bounds_.high == -1) return false;
    if (bounds_.high == 0) return true;
    const std::vector<uint32_t>& tags = pipeline().tags();
    return seen_.size() >= tags.size() && std::ranges::all_of(tags, [&](uint32_t tag) {
             const auto found = seen_.find(tag);
             return found != seen_.end() && found->second >= bounds_.high;
           });
  }

 private:
  const Bounds bounds_;
  std::map<uint32_t, int64_t> seen_;
};

class TailOperator final : public BarrierOperator {
 public:
  TailOperator(Run& run, const Step& step, const Pipeline& pipeline, int64_t count)
      : BarrierOperator(run, step, pipeline), count_(count) {}

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, int64_t> left;
    Batch kept;
    for (auto it = in.rbegin(); it != in.rend(); ++it) {
      const auto [at, is_new] = left.emplace(it->tag, count_);
      if (at->second <= 0) continue;
      it->bulk = std::min(it->bulk, at->second);
      at->second -= it->bulk;
      kept.push_back(std::move(*it));
    }
    std::move(kept.rbegin(), kept.rend(), std::back_inserter(out));
    return {};
  }

 private:
  const int64_t count_;
};

class SampleOperator final : public BarrierOperator {
 public:
  SampleOperator(Run& run, const Step& step, const Pipeline& pipeline, int64_t count)
      : BarrierOperator(run, step, pipeline), count_(count) {}

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, Batch> groups;
    for (Traverser& traverser : in) groups[traverser.tag].push_back(std::move(traverser));
    for (auto& [tag, group] : groups) {
      ORRERY_ASSIGN(const Looks weights, step().bys.empty()
                                             ? Result<Looks>(Looks(group.size(), Value::Int(1)))
                                             : LookBy(run(), LastBy(step()), group));
      std::vector<double> chances;
      std::vector<size_t> owners;
      for (size_t i = 0; i < group.size(); ++i) {
        if (!weights[i].has_value() || !weights[i]->is_number()) continue;
        const double weight = weights[i]->is_integer()
                                  ? static_cast<double>(weights[i]->AsInteger())
                                  : weights[i]->AsFloating();
        for (int64_t b = 0; b < std::min(group[i].bulk, count_ * 64 + 64); ++b) {
          chances.push_back(weight);
          owners.push_back(i);
        }
      }
      std::vector<size_t> chosen;
      for (int64_t n = 0; n < count_ && !owners.empty(); ++n) {
        std::discrete_distribution<size_t> pick(chances.begin(), chances.end());
        const size_t at = pick(run().random());
        chosen.push_back(owners[at]);
        owners.erase(owners.begin() + static_cast<std::ptrdiff_t>(at));
        chances.erase(chances.begin() + static_cast<std::ptrdiff_t>(at));
      }
      for (const size_t i : chosen) {
        Traverser copy = group[i];
        copy.bulk = 1;
        out.push_back(std::move(copy));
      }
    }
    return {};
  }

 private:
  const int64_t count_;
};

// sample(local, n): some items of a collection, or entries of a map.
class LocalSample final : public BatchOperator {
 public:
  LocalSample(Run& run, const Step& step, const Pipeline& pipeline, int64_t count)
      : BatchOperator(run, step, pipeline), count_(count) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      const Value& value = traverser.value;
      const size_t size = value.is_map()          ? value.AsMap().size()
                          : value.is_collection() ? value.AsItems().size()
                                                  : 0;
      if (size <= static_cast<size_t>(std::max<int64_t>(0, count_))) {
        out.push_back(traverser);
        continue;
      }
      std::vector<size_t> places(size);
      std::iota(places.begin(), places.end(), size_t{0});
      std::ranges::shuffle(places, run().random());
      places.resize(static_cast<size_t>(std::max<int64_t>(0, count_)));
      Value sample;
      if (value.is_map()) {
        ValueMap map;
        for (const size_t i : places)
          map.Set(value.AsMap().entries()[i].key, value.AsMap().entries()[i].value);
        sample = Value::Map(std::move(map));
      } else {
        Values items;
        for (const size_t i : places) items.push_back(value.AsItems()[i]);
        sample = Value::List(std::move(items));
      }
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(sample)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const int64_t count_;
};

// The same within a collection or a map.
class LocalRange final : public BatchOperator {
 public:
  LocalRange(Run& run, const Step& step, const Pipeline& pipeline, Bounds bounds, bool tail)
      : BatchOperator(run, step, pipeline), bounds_(bounds), tail_(tail) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& traverser : in) {
      const Value& value = traverser.value;
      if (!value.is_collection() && !value.is_map() && value.type() != Type::kPath) {
        out.push_back(traverser);
        continue;
      }
      const size_t size = value.is_map()                ? value.AsMap().size()
                          : value.type() == Type::kPath ? static_cast<size_t>(0)
                                                        : value.AsItems().size();
      const auto count = static_cast<int64_t>(size);
      int64_t low = std::min(bounds_.low, count);
      int64_t high = bounds_.high == -1 ? count : std::min(bounds_.high, count);
      if (tail_) {
        low = std::max<int64_t>(0, count - bounds_.high);
        high = count;
      }
      if (value.is_map()) {
        ValueMap part;
        for (int64_t i = low; i < high; ++i) {
          const ValueMap::Entry& entry = value.AsMap().entries()[static_cast<size_t>(i)];
          part.Set(entry.key, entry.value);
        }
        ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, Value::Map(std::move(part))));
        out.push_back(std::move(moved));
        continue;
      }
      if (value.type() == Type::kPath) {
        out.push_back(traverser);
        continue;
      }
      Values part(value.AsItems().begin() + low, value.AsItems().begin() + std::max(low, high));
      // One item stands for itself; none gives nothing.
      const bool single =
          bounds_.high != -1 && (tail_ ? bounds_.high : bounds_.high - bounds_.low) == 1;
      if (single && part.empty()) continue;
      Value result = single ? part.front() : Value::List(std::move(part));
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, std::move(result)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const Bounds bounds_;
  const bool tail_;
};

// timeLimit(ms): lets through what comes until so much time has passed since the first traverser.
class TimeLimitOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    const Micros now = run().clock().Monotonic();
    if (!began_.has_value()) began_ = now;
    const std::chrono::milliseconds limit(
        std::min<int64_t>(step().args.front().AsInteger(), kLongestMs));
    expired_ = now - *began_ >= limit;
    if (!expired_) std::ranges::move(in, std::back_inserter(out));
    return {};
  }
  bool done() const override { return expired_; }

 private:
  static constexpr int64_t kLongestMs = int64_t{1} << 40;
  std::optional<Micros> began_;
  bool expired_ = false;
};

}  // namespace

MadeOperator MakeRangeOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  if (name == "timeLimit") {
    if (step.args.size() != 1 || !step.args.front().is_integer() ||
        step.args.front().AsInteger() < 0)
      return Fail(Code::kInvalidArgument, "timeLimit() takes a number of milliseconds");
    return std::make_unique<TimeLimitOperator>(run, step, pipeline);
  }
  if (name != "limit" && name != "range" && name != "skip" && name != "tail" && name != "sample")
    return nullptr;
  Values args = step.args;
  bool local = false;
  if (!args.empty() && args.front().is_enum("Scope")) {
    local = args.front().AsEnum().name == "local";
    args.erase(args.begin());
  }
  for (const Value& arg : args) {
    if (!arg.is_integer()) return Fail(Code::kInvalidArgument, name + "() takes whole numbers");
  }
  Bounds bounds;
  if (name == "range") {
    if (args.size() != 2) return Fail(Code::kInvalidArgument, "range() takes two numbers");
    bounds = {.low = args[0].AsInteger(), .high = args[1].AsInteger()};
    if (bounds.high != -1 && bounds.high < bounds.low) {
      return Fail(Code::kInvalidArgument, "Not a legal range: [" + std::to_string(bounds.low) +
                                              ", " + std::to_string(bounds.high) + "]");
    }
  } else if (name == "tail" || name == "sample") {
    if (args.size() > 1) return Fail(Code::kInvalidArgument, name + "() takes one number");
    bounds.high = args.empty() ? 1 : args[0].AsInteger();
  } else {
    if (args.size() != 1) return Fail(Code::kInvalidArgument, name + "() takes one number");
    if (name == "limit") {
      bounds.high = args[0].AsInteger();
    } else {
      bounds.low = args[0].AsInteger();
    }
  }
  if (name == "sample") {
    if (local) return std::make_unique<LocalSample>(run, step, pipeline, bounds.high);
    return std::make_unique<SampleOperator>(run, step, pipeline, bounds.high);
  }
  if (local) return std::make_unique<LocalRange>(run, step, pipeline, bounds, name == "tail");
  if (name == "tail") return std::make_unique<TailOperator>(run, step, pipeline, bounds.high);
  return std::make_unique<RangeOperator>(run, step, pipeline, bounds);
}

}  // namespace orrery::gremlin
