#include "base/public_message.h"

#include <algorithm>
#include <string_view>

namespace orrery {
namespace {

constexpr std::string_view kBelowData[] = {"/partitions/", "/system/", "/spill/", "/tls/"};
// Ends of a path within a sentence.
constexpr std::string_view kPathEnds = " '\":,;()\n";

bool NamesFiles(Code code) {
  switch (code) {
    case Code::kUnavailable:
    case Code::kCorruption:
    case Code::kResourceExhausted:
    case Code::kFenced:
    case Code::kInternal:
      return true;
    default:
      return false;
  }
}

std::string_view WithoutPlace(std::string_view path) {
  size_t from = path.rfind('/');
  for (const std::string_view folder : kBelowData) {
    const size_t found = path.rfind(folder);
    if (found != std::string_view::npos) from = std::min(from, found);
  }
  return path.substr(from + 1);
}

}  // namespace

std::string PublicMessage(const Error& error) {
  const std::string_view text = error.message();
  if (!NamesFiles(error.code()) || text.find('/') == std::string_view::npos) return error.message();
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || kPathEnds.find(text[at - 1]) != std::string_view::npos;
    if (text[at] != '/' || !begins) {
      shown += text[at++];
      continue;
    }
    const size_t end = std::min(text.find_first_of(kPathEnds, at), text.size());
    shown += WithoutPlace(text.substr(at, end - at));
    at = end;
  }
  return shown;
}

}  // namespace orrery
