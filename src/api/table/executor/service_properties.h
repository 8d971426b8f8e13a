// The properties of the Table service: logging, metrics and CORS rules, as clients set and get
// them.
//
// Logging and metrics are kept and given back; nothing here acts on them, as this server has logs
// and metrics of its own. CORS rules hold (cors.h). Pure but for the look into the catalog's entry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table/protocol/error_response.h"
#include "api/table/protocol/xml.h"
#include "model/document/document.h"

namespace orrery::table {

inline constexpr size_t kCorsRulesMax = 5;

// Returns what is kept in the `extra` document of the database; defaults where nothing is.
XmlElement KeptProperties(const std::optional<model::Document>& extra);

// `kept` with what `text` sets: elements that it lacks stay as they are. InvalidXmlDocument for
// what is malformed or not allowed.
Outcome<XmlElement> ChangedProperties(XmlElement kept, std::string_view text);

model::Document WithProperties(const std::optional<model::Document>& extra,
                               const XmlElement& properties);

}  // namespace orrery::table
