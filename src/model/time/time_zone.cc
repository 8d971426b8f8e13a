#include "model/time/time_zone.h"

#include <unicode/timezone.h>
#include <unicode/unistr.h>

#include <utility>

namespace orrery::model {

class TimeZone::Rules {
 public:
  explicit Rules(std::unique_ptr<icu::TimeZone> zone) : zone_(std::move(zone)) {}
  int64_t OffsetAt(int64_t ms, bool is_local) const {
    int32_t raw = 0;
    int32_t daylight = 0;
    UErrorCode error = U_ZERO_ERROR;
    zone_->getOffset(static_cast<UDate>(ms), static_cast<UBool>(is_local), raw, daylight, error);
    return U_FAILURE(error) ? 0 : int64_t{raw} + daylight;
  }

 private:
  std::unique_ptr<icu::TimeZone> zone_;
};

std::optional<TimeZone> TimeZone::Named(std::string_view name) {
  const auto id = icu::UnicodeString::fromUTF8(
      icu::StringPiece(name.data(), static_cast<int32_t>(name.size())));
  std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(id));
  if (zone == nullptr || *zone == icu::TimeZone::getUnknown()) return std::nullopt;
  TimeZone result(0);
  result.rules_ = std::make_shared<const Rules>(std::move(zone));
  return result;
}

int64_t TimeZone::OffsetAt(int64_t unix_ms) const {
  return rules_ == nullptr ? offset_ms_ : rules_->OffsetAt(unix_ms, false);
}

int64_t TimeZone::ToUtc(int64_t local_ms) const {
  return local_ms - (rules_ == nullptr ? offset_ms_ : rules_->OffsetAt(local_ms, true));
}

}  // namespace orrery::model
