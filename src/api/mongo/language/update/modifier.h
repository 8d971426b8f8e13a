// A Modifier is one update operator with its operand, at one path.
//
// It changes the value there in place. Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "model/value.h"

namespace orrery::mongo {

// The place where a modifier works, for conditions and error texts.
struct ModifierSite {
  std::string_view path;   // "a.b"
  std::string_view field;  // "b"
  const model::Value& id;  // of the document; undefined if it has none
  int64_t now_unix_ms = 0;
  model::BsonTimestamp timestamp = {};
};

class Modifier {
 public:
  virtual ~Modifier() = default;
  // Changes `value`, which is undefined if the path leads nowhere. Returns whether it changed.
  virtual Answer<bool> Apply(model::Value& value, const ModifierSite& site) const = 0;
  // Returns whether it makes what is not there: $unset, $pull and $pop do not.
  virtual bool creates() const { return true; }
  // Returns whether it leaves nothing behind ($unset, the source of $rename).
  virtual bool removes() const { return false; }
  // Returns whether it works on inserted documents only ($setOnInsert).
  virtual bool is_on_insert() const { return false; }
  // Returns whether it may have done no more than to append to an array ($push).
  virtual bool appends() const { return false; }
  // The other path, of a $rename at its target.
  virtual const std::string* rename_source() const { return nullptr; }
};

using ModifierPtr = std::shared_ptr<const Modifier>;

// Parses the operand of an operator at a path. kFailedToParse for an unknown operator.
Answer<ModifierPtr> ParseModifier(const std::string& name, const std::string& path,
                                  const model::Value& operand, const QueryContext& context);
bool IsModifierName(std::string_view name);

// The families, one source file each; nullptr for a name that is none of theirs.
Answer<ModifierPtr> ParseFieldModifier(const std::string& name, const std::string& path,
                                       const model::Value& operand, const QueryContext& context);
Answer<ModifierPtr> ParseArrayModifier(const std::string& name, const std::string& path,
                                       const model::Value& operand, const QueryContext& context);

// "{_id: 1}", as texts name a document.
std::string DocumentName(const model::Value& id);

}  // namespace orrery::mongo
