#include "load/flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace orrery::bench {
namespace {

template <typename T>
Status ParseInto(std::string_view text, T min, T max, T& target) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !(value >= min && value <= max)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no number between {} and {}", text, min, max));
  }
  target = value;
  return {};
}

}  // namespace

void FlagSet::AddText(std::string_view name, std::string& target, std::string_view help) {
  const std::string shown = target.empty() ? "" : fmt::format(" (default {})", target);
  flags_.push_back({std::string(name), fmt::format("{}{}", help, shown), true,
                    [&target](std::string_view text) -> Status {
                      target = text;
                      return {};
                    }});
}

void FlagSet::AddNumber(std::string_view name, uint64_t& target, uint64_t min, uint64_t max,
                        std::string_view help) {
  flags_.push_back(
      {std::string(name), fmt::format("{} (default {})", help, target), true,
       [&target, min, max](std::string_view text) { return ParseInto(text, min, max, target); }});
}

void FlagSet::AddReal(std::string_view name, double& target, double min, double max,
                      std::string_view help) {
  flags_.push_back(
      {std::string(name), fmt::format("{} (default {})", help, target), true,
       [&target, min, max](std::string_view text) { return ParseInto(text, min, max, target); }});
}

void FlagSet::AddSwitch(std::string_view name, bool& target, std::string_view help) {
  flags_.push_back(
      {std::string(name), std::string(help), false, [&target](std::string_view) -> Status {
         target = true;
         return {};
       }});
}

void FlagSet::AddChoiceIndex(std::string_view name, std::vector<std::string_view> choices,
                             size_t default_index, std::function<void(size_t)> set,
                             std::string_view help) {
  const std::string all = fmt::format("{}", fmt::join(choices, "|"));
  const std::string text = fmt::format("{}: {} (default {})", help, all, choices[default_index]);
  flags_.push_back(
      {std::string(name), text, true,
       [choices = std::move(choices), all, set = std::move(set)](std::string_view word) -> Status {
         const auto found = std::ranges::find(choices, word);
         if (found == choices.end()) {
           return Fail(Code::kInvalidArgument, fmt::format("'{}' is none of {}", word, all));
         }
         set(static_cast<size_t>(found - choices.begin()));
         return {};
       }});
}

const FlagSet::Flag* FlagSet::Find(std::string_view name) const {
  const auto found = std::ranges::find(flags_, name, &Flag::name);
  return found == flags_.end() ? nullptr : &*found;
}

bool FlagSet::WantsHelp(std::span<const std::string_view> words) {
  return std::ranges::find(words, "--help") != words.end();
}

Status FlagSet::Parse(std::span<const std::string_view> words) const {
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string_view name = words[i].substr(0, equals);
    const Flag* flag = Find(name);
    if (flag == nullptr) {
      return Fail(Code::kInvalidArgument, fmt::format("{} is unknown", words[i]));
    }
    const bool has_value = equals != std::string_view::npos;
    std::string_view value = has_value ? words[i].substr(equals + 1) : std::string_view();
    if (has_value && !flag->takes_value) {
      return Fail(Code::kInvalidArgument, fmt::format("{} takes no value", name));
    }
    if (flag->takes_value && !has_value) {
      if (++i == words.size()) {
        return Fail(Code::kInvalidArgument, fmt::format("{} needs a value", name));
      }
      value = words[i];
    }
    if (Status set = flag->set(value); !set.has_value()) {
      return Fail(std::move(set).error().Annotate(name));
    }
  }
  return {};
}

std::string FlagSet::Usage() const {
  std::string text = usage_ + "\n";
  for (const Flag& flag : flags_) text += fmt::format("  {:<20} {}\n", flag.name, flag.help);
  return text;
}

}  // namespace orrery::bench
