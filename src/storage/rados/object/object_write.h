// An ObjectWrite is one atomic change of one object: requirements first, then changes. When a
// requirement does not hold, nothing is changed.
//
//   store.Apply("7.dir", ObjectWrite().RequireAttribute("epoch", "12").SetEntry("CURRENT", "..."));
//
// Changes apply in the order given.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace orrery::storage::rados {

class ObjectWrite {
 public:
  // kNotFound when the object is not there. Without it, writing makes the object.
  struct RequireExists {};
  // kPreconditionFailed when the attribute is missing or another; of a missing object that, or
  // kNotFound. RequireEntryStep likewise.
  struct RequireAttributeStep {
    std::string name;
    std::string value;
  };
  // kPreconditionFailed when the entry is another; an empty value also stands for a missing entry,
  // so values that are to be compared are never empty.
  struct RequireEntryStep {
    std::string key;
    std::string value;
  };
  // Makes the object; with `exclusive`, kAlreadyExists when it is there.
  struct CreateStep {
    bool exclusive = false;
  };
  struct WriteStep {
    uint64_t offset = 0;
    std::string bytes;
  };
  struct TruncateStep {
    uint64_t bytes = 0;
  };
  struct SetAttributeStep {
    std::string name;
    std::string value;
  };
  struct RemoveAttributeStep {
    std::string name;
  };
  struct SetEntryStep {
    std::string key;
    std::string value;
  };
  struct RemoveEntryStep {
    std::string key;
  };
  // Removes the object; kNotFound when it is not there.
  struct RemoveStep {};
  using Step = std::variant<RequireExists, RequireAttributeStep, RequireEntryStep, CreateStep,
                            WriteStep, TruncateStep, SetAttributeStep, RemoveAttributeStep,
                            SetEntryStep, RemoveEntryStep, RemoveStep>;

  ObjectWrite& RequireThere() { return Add(RequireExists{}); }
  ObjectWrite& RequireAttribute(std::string name, std::string value) {
    return Add(RequireAttributeStep{std::move(name), std::move(value)});
  }
  ObjectWrite& RequireEntry(std::string key, std::string value) {
    return Add(RequireEntryStep{std::move(key), std::move(value)});
  }
  ObjectWrite& RequireNoEntry(std::string key) { return RequireEntry(std::move(key), {}); }
  ObjectWrite& Create() { return Add(CreateStep{false}); }
  ObjectWrite& CreateFirst() { return Add(CreateStep{true}); }
  ObjectWrite& Write(uint64_t offset, std::string bytes) {
    return Add(WriteStep{offset, std::move(bytes)});
  }
  ObjectWrite& Truncate(uint64_t bytes) { return Add(TruncateStep{bytes}); }
  ObjectWrite& SetAttribute(std::string name, std::string value) {
    return Add(SetAttributeStep{std::move(name), std::move(value)});
  }
  ObjectWrite& RemoveAttribute(std::string name) {
    return Add(RemoveAttributeStep{std::move(name)});
  }
  ObjectWrite& SetEntry(std::string key, std::string value) {
    return Add(SetEntryStep{std::move(key), std::move(value)});
  }
  ObjectWrite& RemoveEntry(std::string key) { return Add(RemoveEntryStep{std::move(key)}); }
  ObjectWrite& Remove() { return Add(RemoveStep{}); }

  const std::vector<Step>& steps() const { return steps_; }
  std::vector<Step>& steps() { return steps_; }

 private:
  ObjectWrite& Add(Step step) {
    steps_.push_back(std::move(step));
    return *this;
  }

  std::vector<Step> steps_;
};

}  // namespace orrery::storage::rados
