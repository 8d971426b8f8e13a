// Reads fields of settings documents, with errors that name the field and what it should be.
//
// Internal to gateway/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::gateway {

Result<std::string> StringField(const model::ElementView& field);
Result<bool> BoolField(const model::ElementView& field);
// Whole numbers in any numeric type, within [low, high].
Result<int64_t> IntegerField(const model::ElementView& field, int64_t low, int64_t high);
Result<model::DocumentView> ObjectField(const model::ElementView& field);
Result<model::DocumentView> ArrayField(const model::ElementView& field);
Result<std::vector<std::string>> StringsField(const model::ElementView& field);

// For a field that nobody knows; `known` lists what could stand there.
std::unexpected<Error> UnknownField(std::string_view of, std::string_view name,
                                    std::string_view known);

}  // namespace orrery::gateway
