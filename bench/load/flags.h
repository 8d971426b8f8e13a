// The flags of one bench program: declared once, parsed and explained from the same table.
//
//   --name VALUE | --name=VALUE | --switch
//
// Targets are plain variables that hold their defaults and must outlive the set.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace orrery::bench {

class FlagSet {
 public:
  // `usage` is the line before the table.
  explicit FlagSet(std::string usage) : usage_(std::move(usage)) {}

  void AddText(std::string_view name, std::string& target, std::string_view help);
  void AddNumber(std::string_view name, uint64_t& target, uint64_t min, uint64_t max,
                 std::string_view help);
  void AddReal(std::string_view name, double& target, double min, double max,
               std::string_view help);
  void AddSwitch(std::string_view name, bool& target, std::string_view help);
  // One of `choices`; their order is the order of the enum's values.
  template <typename Enum>
  void AddChoice(std::string_view name, Enum& target, std::vector<std::string_view> choices,
                 std::string_view help) {
    AddChoiceIndex(
        name, std::move(choices), static_cast<size_t>(target),
        [&target](size_t index) { target = static_cast<Enum>(index); }, help);
  }

  // Returns whether the words ask for Usage() rather than for anything else.
  static bool WantsHelp(std::span<const std::string_view> words);
  // kInvalidArgument that names the flag. Targets may be changed even then.
  Status Parse(std::span<const std::string_view> words) const;
  std::string Usage() const;

 private:
  struct Flag {
    std::string name;
    std::string help;
    bool takes_value = true;
    std::function<Status(std::string_view)> set;
  };
  void AddChoiceIndex(std::string_view name, std::vector<std::string_view> choices,
                      size_t default_index, std::function<void(size_t)> set, std::string_view help);
  const Flag* Find(std::string_view name) const;

  const std::string usage_;
  std::vector<Flag> flags_;
};

}  // namespace orrery::bench
