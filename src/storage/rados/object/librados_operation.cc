#include "storage/rados/object/librados_operation.h"

#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/overload.h"

namespace orrery::storage::rados {
namespace {

// Steps on entries that wait to be added together. Only one of the three is ever not empty.
class EntrySteps {
 public:
  explicit EntrySteps(librados::ObjectWriteOperation& operation) : operation_(operation) {}

  void Require(const ObjectWrite::RequireEntryStep& step) {
    // Twice the same key: one comparison of a batch would hide the other.
    if (!sets_.empty() || !removals_.empty() || required_.contains(step.key)) Add();
    required_.emplace(step.key, std::pair(ToBuffer(step.value), int{LIBRADOS_CMPXATTR_OP_EQ}));
  }
  void Set(const ObjectWrite::SetEntryStep& step) {
    if (!required_.empty() || !removals_.empty()) Add();
    sets_.insert_or_assign(step.key, ToBuffer(step.value));
  }
  void Remove(const ObjectWrite::RemoveEntryStep& step) {
    if (!required_.empty() || !sets_.empty()) Add();
    removals_.insert(step.key);
  }
  void Add() {
    if (!required_.empty()) operation_.omap_cmp(std::exchange(required_, {}), nullptr);
    if (!sets_.empty()) operation_.omap_set(std::exchange(sets_, {}));
    if (!removals_.empty()) operation_.omap_rm_keys(std::exchange(removals_, {}));
  }

 private:
  librados::ObjectWriteOperation& operation_;
  std::map<std::string, std::pair<librados::bufferlist, int>> required_;
  std::map<std::string, librados::bufferlist> sets_;
  std::set<std::string> removals_;
};

template <typename Step>
constexpr bool kOnEntries = std::is_same_v<Step, ObjectWrite::RequireEntryStep> ||
                            std::is_same_v<Step, ObjectWrite::SetEntryStep> ||
                            std::is_same_v<Step, ObjectWrite::RemoveEntryStep>;

// To take something away from an object that is not there is nothing, or an error, for an OSD; the
// contract has it make the object.
template <typename Step>
constexpr bool kNeedsObject = std::is_same_v<Step, ObjectWrite::TruncateStep> ||
                              std::is_same_v<Step, ObjectWrite::RemoveAttributeStep> ||
                              std::is_same_v<Step, ObjectWrite::RemoveEntryStep>;

}  // namespace

librados::bufferlist ToBuffer(std::string_view bytes) {
  librados::bufferlist buffer;
  buffer.append(bytes.data(), static_cast<unsigned>(bytes.size()));
  return buffer;
}

std::string ToBytes(const librados::bufferlist& buffer) { return buffer.to_str(); }

void AddSteps(const ObjectWrite& write, librados::ObjectWriteOperation& operation) {
  EntrySteps entries(operation);
  const auto add = Overload{
      [&](const ObjectWrite::RequireExists&) { operation.assert_exists(); },
      [&](const ObjectWrite::RequireAttributeStep& step) {
        operation.cmpxattr(step.name.c_str(), LIBRADOS_CMPXATTR_OP_EQ, ToBuffer(step.value));
      },
      [&](const ObjectWrite::RequireEntryStep& step) { entries.Require(step); },
      [&](const ObjectWrite::CreateStep& step) { operation.create(step.exclusive); },
      [&](const ObjectWrite::WriteStep& step) {
        operation.write(step.offset, ToBuffer(step.bytes));
      },
      [&](const ObjectWrite::TruncateStep& step) { operation.truncate(step.bytes); },
      [&](const ObjectWrite::SetAttributeStep& step) {
        operation.setxattr(step.name.c_str(), ToBuffer(step.value));
      },
      [&](const ObjectWrite::RemoveAttributeStep& step) { operation.rmxattr(step.name.c_str()); },
      [&](const ObjectWrite::SetEntryStep& step) { entries.Set(step); },
      [&](const ObjectWrite::RemoveEntryStep& step) { entries.Remove(step); },
      [&](const ObjectWrite::RemoveStep&) { operation.remove(); },
  };
  bool made = false;
  for (const ObjectWrite::Step& step : write.steps()) {
    std::visit(
        [&]<typename Step>(const Step& one) {
          if constexpr (kNeedsObject<Step>) {
            if (!std::exchange(made, true)) {
              entries.Add();
              operation.create(false);
            }
          }
          if constexpr (std::is_same_v<Step, ObjectWrite::CreateStep>) made = true;
          if constexpr (!kOnEntries<Step>) entries.Add();
          add(one);
        },
        step);
  }
  entries.Add();
}

}  // namespace orrery::storage::rados
