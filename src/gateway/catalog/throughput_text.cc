#include "gateway/catalog/throughput_text.h"

#include <fmt/format.h>

#include <charconv>

#include "model/document/json.h"

namespace orrery::gateway {
namespace {

constexpr int64_t kThroughputMax = int64_t{1} << 40;

std::unexpected<Error> BadHeader(std::string_view name, std::string_view wanted) {
  return Fail(Code::kInvalidArgument, fmt::format("the header {} must be {}", name, wanted));
}

bool IsWhole(const model::Value& value) {
  return value.kind() == model::Kind::kInt32 || value.kind() == model::Kind::kInt64;
}

Result<RequestedThroughput> ManualFrom(std::string_view text) {
  int64_t rate = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rate);
  if (error != std::errc() || end != text.data() + text.size() || rate < 0 || rate > kThroughputMax)
    return BadHeader(kManualThroughputHeader,
                     fmt::format("a whole number from 0 to {}", kThroughputMax));
  return RequestedThroughput{.settings = partition::ThroughputSettings::Manual(rate)};
}

Result<RequestedThroughput> AutoscaleFrom(std::string_view json) {
  const auto settings = model::ValueFromJson(json);
  const model::Value* most = settings.has_value() ? settings->Find("maxThroughput") : nullptr;
  if (most == nullptr || !IsWhole(*most))
    return BadHeader(kAutoscaleHeader, R"(JSON such as {"maxThroughput":4000})");
  RequestedThroughput wanted{.settings =
                                 partition::ThroughputSettings::Autoscale(most->AsInteger())};
  const model::Value* inner = &*settings;
  for (const std::string_view name : {"autoUpgradePolicy", "throughputPolicy", "incrementPercent"})
    inner = inner == nullptr ? nullptr : inner->Find(name);
  if (inner != nullptr && IsWhole(*inner)) wanted.autoscale_increment = inner->AsInteger();
  return wanted;
}

}  // namespace

Result<RequestedThroughput> ReadRequestedThroughput(std::string_view manual,
                                                    std::string_view autoscale) {
  if (!manual.empty() && !autoscale.empty()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("throughput is manual or autoscale: send one of the headers {} and {}",
                            kManualThroughputHeader, kAutoscaleHeader));
  }
  if (!manual.empty()) return ManualFrom(manual);
  if (!autoscale.empty()) return AutoscaleFrom(autoscale);
  return RequestedThroughput();
}

}  // namespace orrery::gateway
