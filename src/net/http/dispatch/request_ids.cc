#include "net/http/dispatch/request_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace orrery::net {
namespace {

constexpr size_t kUuidSize = 36;

bool LooksLikeUuid(std::string_view text) {
  return text.size() == kUuidSize && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ||
                  c == '-';
         });
}

// Spreads a counter over 64 bits, so that ids do not look alike.
uint64_t Spread(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

std::string RequestIds::Of(const HttpRequest& request, std::string_view header) {
  const auto given = request.headers.Find(header);
  return given.has_value() && LooksLikeUuid(*given) ? std::string(*given) : Next();
}

std::string RequestIds::Next() {
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  const uint64_t high = Spread(number);
  const uint64_t low = Spread(~number);
  return fmt::format("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xfff, low >> 52, low & 0xffffffffffff);
}

}  // namespace orrery::net
