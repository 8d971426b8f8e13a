// A Series is the past of one physical partition: what it carried, refused and held, in four tiers
// that reach back further the coarser they are.
//
//   tier   a row each   kept for
//   0      second       10 minutes
//   1      10 seconds   3 hours
//   2      minute       24 hours
//   3      15 minutes   7 days
//
// A row is 16 bytes. Rows are kept in blocks of 60; of seconds in which nothing happened only their
// number is kept, so an idle partition costs next to nothing. The highest second of a row is of
// single seconds in every tier, as a second is what throttles.
//
// Pure: time comes in as whole seconds since 1970. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace orrery::gateway {

struct SeriesTier {
  int64_t step_s;
  int64_t kept_s;
};
inline constexpr std::array<SeriesTier, 4> kSeriesTiers = {
    {{1, 600}, {10, 3 * 3'600}, {60, 24 * 3'600}, {900, 7 * 24 * 3'600}}};

// The load of one second, or of one step of a tier.
struct SeriesRow {
  float used = 0;          // RU/s, the mean
  float used_highest = 0;  // of a second
  float throttled = 0;     // requests refused, all together
  float bytes = 0;         // at the end
};

class Series {
 public:
  // Adds the row of a second. Seconds must rise; one that does not is left out.
  void Add(int64_t second, const SeriesRow& row);

  // The rows of a tier from `from_s` on, as many as `count`; nullopt where nothing is known. The
  // last step may be incomplete.
  std::vector<std::optional<SeriesRow>> Rows(size_t tier, int64_t from_s, size_t count) const;

  // Forgets the rows of the finest tier that has any, and keeps none of that tier any more. False:
  // there is only the coarsest left.
  bool DropFinest();
  // Forgets the older half of what is kept. False: there is nothing to forget.
  bool DropOlderHalf();
  // Keeps all tiers again, from now on.
  void KeepAll() { finest_ = 0; }
  size_t finest() const { return finest_; }

  // Of the last second that was added; 0: none was.
  int64_t last_second() const { return last_second_; }
  size_t bytes() const { return bytes_; }
  // RU of the last week, about: what decides whose past is forgotten first.
  double weight() const { return weight_; }

 private:
  static constexpr size_t kBlockRows = 60;
  struct Block {
    int64_t first = 0;   // the number of its first step
    int64_t steps = 0;   // how many it covers: 60, or more where nothing happened
    uint64_t known = 0;  // one bit for each row; of many idle steps all are known
    float idle_bytes = 0;
    std::vector<SeriesRow> rows{};  // up to the last that is known; empty: nothing happened
  };
  struct Tier {
    std::deque<Block> blocks;
    // The step under way.
    int64_t step = -1;
    SeriesRow sum;
    int64_t seconds = 0;
  };

  void AddToTier(size_t index, int64_t second, const SeriesRow& row);
  void Put(Tier& tier, int64_t step, const SeriesRow& row);
  void Expire(Tier& tier, int64_t first_kept);
  static SeriesRow MeanOf(const Tier& tier);
  static std::optional<SeriesRow> Find(const Tier& tier, int64_t step);
  void Count(ptrdiff_t bytes) { bytes_ += static_cast<size_t>(bytes); }

  std::array<Tier, kSeriesTiers.size()> tiers_;
  size_t finest_ = 0;
  int64_t last_second_ = 0;
  size_t bytes_ = 0;
  double weight_ = 0;
};

}  // namespace orrery::gateway
