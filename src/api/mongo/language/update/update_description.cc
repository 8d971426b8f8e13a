#include "api/mongo/language/update/update_description.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Field;
using model::Kind;
using model::Value;

namespace {

// The bytes that a server of MongoDB writes around a difference, which count against it.
constexpr size_t kDifferenceOverheadBytes = 15;
constexpr size_t kDocumentBytes = 5;  // of an empty one

// The changes at one level of a document. MongoDB tells it in this order: fields that had
// another value, new ones, then what is deeper; of an array by index.
struct PathChange {
  enum class Kind : uint8_t { kUpdated, kInserted, kBelow };
  Kind kind = Kind::kUpdated;
  std::string name;
  const Value* value = nullptr;  // the new one
  std::shared_ptr<struct PathLevel> below{};
};
struct PathLevel {
  bool is_array = false;
  std::vector<PathChange> changes;
  std::vector<std::string> removed;
  std::optional<int32_t> new_size;

  PathLevel& Below(const std::string& name) {
    for (PathChange& change : changes) {
      if (change.name == name && change.below != nullptr) return *change.below;
    }
    changes.push_back({.kind = PathChange::Kind::kBelow,
                       .name = name,
                       .value = nullptr,
                       .below = std::make_shared<PathLevel>()});
    return *changes.back().below;
  }
  bool Has(const std::string& name) const {
    return std::ranges::find(changes, name, &PathChange::name) != changes.end();
  }
};

std::string PathBelow(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

void FlattenLevel(PathLevel& level, const std::string& prefix, UpdateDescription& description) {
  if (level.is_array) {
    StableSort(level.changes, [](const PathChange& a, const PathChange& b) {
      return IndexOfStep(a.name).value_or(0) < IndexOfStep(b.name).value_or(0);
    });
    if (level.new_size.has_value()) description.truncated.push_back({prefix, *level.new_size});
  } else {
    StableSort(level.changes,
               [](const PathChange& a, const PathChange& b) { return a.kind < b.kind; });
  }
  for (const std::string& name : level.removed)
    description.removed.push_back(PathBelow(prefix, name));
  for (PathChange& change : level.changes) {
    const std::string path = PathBelow(prefix, change.name);
    if (change.below != nullptr) {
      FlattenLevel(*change.below, path, description);
    } else {
      description.updated.push_back({path, *change.value});
    }
  }
}

const Value* ChildAt(const Value& value, const std::string& step) {
  if (value.kind() == Kind::kObject) return value.Find(step);
  if (value.kind() != Kind::kArray) return nullptr;
  const std::optional<size_t> index = IndexOfStep(step);
  if (!index.has_value() || *index >= value.AsValues().size()) return nullptr;
  return &value.AsValues()[*index];
}

bool IsAppendedTo(const Value& before, const Value& after) {
  if (before.kind() != Kind::kArray || after.kind() != Kind::kArray) return false;
  const model::Values& former = before.AsValues();
  const model::Values& now = after.AsValues();
  return now.size() > former.size() && std::equal(former.begin(), former.end(), now.begin());
}

void AddTouched(PathLevel& root, const Value& before, const Value& after,
                const TouchedPath& touched) {
  const std::vector<std::string> steps = SplitPath(touched.path);
  PathLevel* level = &root;
  const Value* former = &before;
  const Value* now = &after;
  for (size_t i = 0; i < steps.size(); ++i) {
    level->is_array = former->kind() == Kind::kArray;
    const Value* const next_former = ChildAt(*former, steps[i]);
    const Value* const next_now = ChildAt(*now, steps[i]);
    if (next_now == nullptr) {
      if (next_former != nullptr) level->removed.push_back(steps[i]);
      return;
    }
    if (next_former == nullptr) {
      if (!level->Has(steps[i]))
        level->changes.push_back(
            {.kind = PathChange::Kind::kInserted, .name = steps[i], .value = next_now});
      return;
    }
    former = next_former;
    now = next_now;
    if (i + 1 < steps.size()) {
      level = &level->Below(steps[i]);
      continue;
    }
    if (!touched.is_append || !IsAppendedTo(*former, *now)) {
      level->changes.push_back(
          {.kind = PathChange::Kind::kUpdated, .name = steps[i], .value = now});
      return;
    }
    PathLevel& array = level->Below(steps[i]);
    array.is_array = true;
    for (size_t at = former->AsValues().size(); at < now->AsValues().size(); ++at) {
      array.changes.push_back({.kind = PathChange::Kind::kInserted,
                               .name = std::to_string(at),
                               .value = &now->AsValues()[at]});
    }
  }
}

size_t ElementBytes(const std::string& name, const Value& value) {
  return std::move(model::DocumentBuilder().Append(name, value)).Finish().bson().size() -
         kDocumentBytes;
}

// A difference with the bytes that it takes as BSON: {d: {}, u: {}, i: {}, s<name>: {...}}, of an
// array {a: true, l: size, u<index>: value, s<index>: {...}}.
struct ValueDifference {
  PathLevel level;
  size_t bytes = kDocumentBytes;
};

std::optional<ValueDifference> DifferenceOf(const Value& before, const Value& after,
                                            size_t bytes_max);

// Adds the difference of two values of one name, as a whole or as what is different inside.
void AddDifference(ValueDifference& difference, const std::string& name, const Value& before,
                   const Value& after, size_t bytes_max, size_t section_bytes) {
  const size_t whole = ElementBytes(name, after) + section_bytes;
  const bool is_nested = before.kind() == after.kind() &&
                         (after.kind() == Kind::kObject || after.kind() == Kind::kArray);
  if (is_nested) {
    // Of the whole value, its header does not count.
    const size_t value_bytes = whole - section_bytes - name.size() - 2;
    auto inner = DifferenceOf(before, after, std::min(bytes_max, value_bytes));
    if (inner.has_value()) {
      difference.bytes += inner->bytes + name.size() + 3;
      difference.level.changes.push_back(
          {.kind = PathChange::Kind::kBelow,
           .name = name,
           .value = nullptr,
           .below = std::make_shared<PathLevel>(std::move(inner->level))});
      return;
    }
  }
  difference.bytes += whole;
  difference.level.changes.push_back(
      {.kind = PathChange::Kind::kUpdated, .name = name, .value = &after});
}

std::optional<ValueDifference> ArrayDifference(const model::Values& before,
                                               const model::Values& after, size_t bytes_max) {
  ValueDifference difference;
  difference.level.is_array = true;
  difference.bytes += 4;  // "a"
  for (size_t i = 0; i < after.size(); ++i) {
    const std::string name = std::to_string(i);
    if (i >= before.size()) {
      difference.bytes += ElementBytes(name, after[i]) + 1;
      difference.level.changes.push_back(
          {.kind = PathChange::Kind::kUpdated, .name = name, .value = &after[i]});
    } else if (before[i] != after[i]) {
      AddDifference(difference, name, before[i], after[i], bytes_max, 1);
    }
    if (difference.bytes >= bytes_max) return std::nullopt;
  }
  if (after.size() < before.size()) {
    difference.level.new_size = static_cast<int32_t>(after.size());
    difference.bytes += 7;
  }
  if (difference.bytes >= bytes_max) return std::nullopt;
  return difference;
}

std::optional<ValueDifference> ObjectDifference(const model::Fields& before,
                                                const model::Fields& after, size_t bytes_max) {
  ValueDifference difference;
  std::vector<std::string> gone;
  auto former = before.begin();
  auto now = after.begin();
  bool has_updates = false;
  while (former != before.end() && now != after.end()) {
    if (former->name != now->name) {
      // It may come again further on: then it is inserted anew, as fields have an order.
      gone.push_back((former++)->name);
      continue;
    }
    if (former->value != now->value) {
      const size_t count = difference.level.changes.size();
      AddDifference(difference, now->name, former->value, now->value, bytes_max, 0);
      const PathChange& made = difference.level.changes[count];
      if (made.kind == PathChange::Kind::kUpdated && !std::exchange(has_updates, true))
        difference.bytes += 3 + kDocumentBytes;
      if (difference.bytes >= bytes_max) return std::nullopt;
    }
    ++former;
    ++now;
  }
  for (; former != before.end(); ++former) gone.push_back(former->name);
  if (now != after.end()) difference.bytes += 3 + kDocumentBytes;
  for (; now != after.end(); ++now) {
    std::erase(gone, now->name);
    difference.bytes += ElementBytes(now->name, now->value);
    difference.level.changes.push_back(
        {.kind = PathChange::Kind::kInserted, .name = now->name, .value = &now->value});
  }
  if (!gone.empty()) difference.bytes += 3 + kDocumentBytes;
  for (const std::string& name : gone) difference.bytes += name.size() + 3;
  difference.level.removed = std::move(gone);
  if (difference.bytes >= bytes_max) return std::nullopt;
  return difference;
}

std::optional<ValueDifference> DifferenceOf(const Value& before, const Value& after,
                                            size_t bytes_max) {
  if (after.kind() == Kind::kArray)
    return ArrayDifference(before.AsValues(), after.AsValues(), bytes_max);
  return ObjectDifference(before.AsFields(), after.AsFields(), bytes_max);
}

}  // namespace

UpdateDescription DescribeOperators(const Value& before, const Value& after,
                                    const std::vector<TouchedPath>& touched) {
  PathLevel root;
  for (const TouchedPath& path : touched) AddTouched(root, before, after, path);
  UpdateDescription description;
  FlattenLevel(root, "", description);
  return description;
}

std::optional<UpdateDescription> DescribeDifference(const Value& before, const Value& after) {
  const size_t whole = model::ToDocument(after).bson().size();
  if (whole <= kDifferenceOverheadBytes) return std::nullopt;
  auto difference = DifferenceOf(before, after, whole - kDifferenceOverheadBytes);
  if (!difference.has_value()) return std::nullopt;
  UpdateDescription description;
  FlattenLevel(difference->level, "", description);
  return description;
}

}  // namespace orrery::mongo
