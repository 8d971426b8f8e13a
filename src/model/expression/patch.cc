#include "model/expression/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "model/document/document_builder.h"
#include "model/number/number.h"

namespace orrery::model {
namespace {

struct PatchName {
  std::string_view name;
  PatchType type;
};

constexpr PatchName kPatchNames[] = {
    {"add", PatchType::kAdd},         {"set", PatchType::kSet},
    {"replace", PatchType::kReplace}, {"remove", PatchType::kRemove},
    {"incr", PatchType::kIncrement},  {"move", PatchType::kMove}};

std::unexpected<Error> Bad(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

// Decimal digits without leading zeros.
std::optional<size_t> ParseIndex(std::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return index;
}

// A Target is the place where an operation acts: a field of an object or an element of an array.
class Target {
 public:
  static Result<Target> Locate(Value& root, const Path& path) {
    if (path.steps().empty()) return Bad("the whole document cannot be patched");
    Value* parent = &root;
    for (size_t i = 0; i + 1 < path.steps().size(); ++i) {
      parent = Child(*parent, path.steps()[i]);
      if (parent == nullptr)
        return Bad(fmt::format("'{}' does not exist up to '{}'", path.ToString(), path.steps()[i]));
    }
    if (parent->kind() != Kind::kObject && parent->kind() != Kind::kArray) {
      return Bad(fmt::format("'{}' is inside a value of kind {}", path.ToString(),
                             KindName(parent->kind())));
    }
    Target target(*parent, path.steps().back());
    if (parent->kind() == Kind::kArray) {
      ORRERY_ASSIGN(target.index_, target.ArrayIndex(path));
    }
    return target;
  }

  bool in_array() const { return parent_->kind() == Kind::kArray; }
  // nullptr when there is nothing yet.
  Value* existing() const { return Child(*parent_, name_); }

  // Over what is there, or as a new field or last element.
  void Set(Value value) {
    if (Value* old = existing()) {
      *old = std::move(value);
    } else if (in_array()) {
      parent_->MutableValues().push_back(std::move(value));
    } else {
      parent_->MutableFields().push_back(Field{std::string(name_), std::move(value)});
    }
  }

  // Before what is there, in an array.
  void Insert(Value value) {
    Values& elements = parent_->MutableValues();
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(index_), std::move(value));
  }

  // REQUIRES: existing().
  Value Take() {
    Value taken = std::move(*existing());
    if (in_array()) {
      Values& elements = parent_->MutableValues();
      elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(index_));
    } else {
      Fields& fields = parent_->MutableFields();
      fields.erase(std::ranges::find(fields, name_, &Field::name));
    }
    return taken;
  }

 private:
  Target(Value& parent, std::string_view name) : parent_(&parent), name_(name) {}

  static Value* Child(Value& parent, std::string_view name) {
    if (parent.kind() == Kind::kObject) {
      const auto field = std::ranges::find(parent.MutableFields(), name, &Field::name);
      return field == parent.MutableFields().end() ? nullptr : &field->value;
    }
    if (parent.kind() != Kind::kArray) return nullptr;
    const std::optional<size_t> index = ParseIndex(name);
    if (!index.has_value() || *index >= parent.AsValues().size()) return nullptr;
    return &parent.MutableValues()[*index];
  }

  // "-" and the size are the place after the last element.
  Result<size_t> ArrayIndex(const Path& path) const {
    const size_t size = parent_->AsValues().size();
    if (name_ == "-") return size;
    const std::optional<size_t> index = ParseIndex(name_);
    if (!index.has_value())
      return Bad(fmt::format("'{}' ends in '{}', which is no array index", path.ToString(), name_));
    if (*index > size) {
      return Bad(
          fmt::format("'{}' is beyond the end of an array of {} elements", path.ToString(), size));
    }
    return *index;
  }

  Value* parent_;
  std::string_view name_;  // into the path, which outlives the target
  size_t index_ = 0;       // in an array
};

Status Add(Value& root, const Path& path, Value value) {
  ORRERY_ASSIGN(Target target, Target::Locate(root, path));
  if (target.in_array()) {
    target.Insert(std::move(value));
  } else {
    target.Set(std::move(value));
  }
  return {};
}

Status Set(Value& root, const PatchOperation& operation) {
  ORRERY_ASSIGN(Target target, Target::Locate(root, operation.path));
  const bool append = target.in_array() && operation.path.steps().back() == "-";
  if (target.in_array() && !append && target.existing() == nullptr) {
    return Bad(fmt::format("'{}' is beyond the end of the array", operation.path.ToString()));
  }
  target.Set(operation.value);
  return {};
}

Result<Target> LocateExisting(Value& root, const Path& path) {
  ORRERY_ASSIGN(Target target, Target::Locate(root, path));
  if (target.existing() == nullptr) return Bad(fmt::format("'{}' does not exist", path.ToString()));
  return target;
}

Status Increment(Value& root, const PatchOperation& operation) {
  if (!operation.value.is_number()) return Bad("the increment is no number");
  ORRERY_ASSIGN(Target target, Target::Locate(root, operation.path));
  const Value* old = target.existing();
  if (old == nullptr) {
    if (target.in_array())
      return Bad(fmt::format("'{}' does not exist", operation.path.ToString()));
    target.Set(operation.value);
    return {};
  }
  if (!old->is_number()) return Bad(fmt::format("'{}' is no number", operation.path.ToString()));
  Value sum = model::Add(*old, operation.value);
  if (sum.is_undefined()) return Bad(fmt::format("'{}' would overflow", operation.path.ToString()));
  target.Set(std::move(sum));
  return {};
}

Status Move(Value& root, const PatchOperation& operation) {
  ORRERY_ASSIGN(Target source, LocateExisting(root, operation.from));
  if (operation.from == operation.path) return {};
  if (operation.from.Contains(operation.path)) {
    return Bad(
        fmt::format("'{}' lies inside '{}'", operation.path.ToString(), operation.from.ToString()));
  }
  return Add(root, operation.path, source.Take());
}

Status ApplyOne(Value& root, const PatchOperation& operation) {
  switch (operation.type) {
    case PatchType::kAdd:
      return Add(root, operation.path, operation.value);
    case PatchType::kSet:
      return Set(root, operation);
    case PatchType::kReplace: {
      ORRERY_ASSIGN(Target target, LocateExisting(root, operation.path));
      target.Set(operation.value);
      return {};
    }
    case PatchType::kRemove: {
      ORRERY_ASSIGN(Target target, LocateExisting(root, operation.path));
      target.Take();
      return {};
    }
    case PatchType::kIncrement:
      return Increment(root, operation);
    case PatchType::kMove:
      return Move(root, operation);
  }
  return {};
}

std::string_view NameOf(PatchType type) {
  return std::ranges::find(kPatchNames, type, &PatchName::type)->name;
}

Result<Path> PointerField(const Value& json, std::string_view name) {
  const Value* text = json.Find(name);
  if (text == nullptr || text->kind() != Kind::kString)
    return Bad(fmt::format("'{}' must be a string", name));
  return Path::FromPointer(text->AsString());
}

Result<PatchOperation> OperationFromJson(const Value& json) {
  const Value* name = json.Find("op");
  if (name == nullptr || name->kind() != Kind::kString) return Bad("'op' must be a string");
  const auto known =
      std::ranges::find(kPatchNames, std::string_view(name->AsString()), &PatchName::name);
  if (known == std::end(kPatchNames)) return Bad(fmt::format("unknown op '{}'", name->AsString()));
  PatchOperation operation;
  operation.type = known->type;
  ORRERY_ASSIGN(operation.path, PointerField(json, "path"));
  if (operation.type == PatchType::kMove) {
    ORRERY_ASSIGN(operation.from, PointerField(json, "from"));
  } else if (operation.type != PatchType::kRemove) {
    const Value* value = json.Find("value");
    if (value == nullptr) return Bad("'value' is missing");
    operation.value = *value;
  }
  return operation;
}

// The operations that a client sends, and one that its API adds: the time of the change.
constexpr size_t kAppliedMax = kPatchOperationsMax + 1;

Status CheckCount(size_t count, size_t most) {
  if (count <= most) return {};
  return Bad(fmt::format("a patch of {} operations, at most {} are allowed", count, most));
}

std::string Label(size_t index) { return fmt::format("patch operation {}", index); }

}  // namespace

Result<Document> ApplyPatch(DocumentView document, std::span<const PatchOperation> operations) {
  ORRERY_TRY(CheckCount(operations.size(), kAppliedMax));
  Value root = document.ToObject();
  for (size_t i = 0; i < operations.size(); ++i) {
    Status applied = ApplyOne(root, operations[i]);
    if (!applied.has_value()) {
      return Fail(std::move(applied).error().Annotate(
          fmt::format("{} ({})", Label(i), NameOf(operations[i].type))));
    }
  }
  // Values put inside each other may have grown too deep.
  return Document::FromBson(ToDocument(root).Release());
}

Result<std::vector<PatchOperation>> PatchFromJson(const Value& json) {
  if (json.kind() != Kind::kArray) return Bad("a patch must be an array of operations");
  ORRERY_TRY(CheckCount(json.AsValues().size(), kPatchOperationsMax));
  std::vector<PatchOperation> operations;
  for (const Value& element : json.AsValues()) {
    Result<PatchOperation> operation = OperationFromJson(element);
    if (!operation.has_value())
      return Fail(std::move(operation).error().Annotate(Label(operations.size())));
    operations.push_back(std::move(*operation));
  }
  return operations;
}

}  // namespace orrery::model
