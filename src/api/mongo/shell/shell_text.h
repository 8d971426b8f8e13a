// Reads what people type into MongoDB's shell: values, and a statement on a collection.
//
//   statement := "db" "." call | "db" "." name "." call ["." call]*     ; also db["name"] and
//                                                                       ; db.getCollection("name")
//   call      := name "(" [value ("," value)*] ")"
//   value     := object | array | string | number | true | false | null | /regex/flags
//              | ObjectId("..") | ISODate("..") | NumberLong(..) | NumberInt(..)
//              | NumberDecimal("..") | UUID("..")                       ; also after "new"
//
// Keys of objects may stand without quotes, strings have either kind of them. Objects in extended
// JSON ({"$oid": ".."} and the like) are the values that they mean.
//
// Pure. Nothing here is JavaScript: there are no variables, operators or functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace orrery::mongo {

struct ShellCall {
  std::string name;
  model::Values arguments;
};

struct ShellStatement {
  std::string collection;        // empty: the call is the database's own
  std::vector<ShellCall> calls;  // one at least
};

struct ShellError {
  std::string message;
  size_t position = 0;  // in bytes
};

template <typename T>
using ShellParsed = std::expected<T, ShellError>;

// One value and nothing behind it.
ShellParsed<model::Value> ParseShellValue(std::string_view text);
// One statement; a semicolon may follow.
ShellParsed<ShellStatement> ParseShellStatement(std::string_view text);

}  // namespace orrery::mongo
