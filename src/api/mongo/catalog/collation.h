// Collations as commands give them: {locale: "en", strength: 2, ...}.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/value/collator.h"
#include "model/document/document.h"
#include "model/text/text_collator.h"

namespace orrery::mongo {

// Returns null for the simple collation, that of bytes. kBadValue and others for what is none.
Answer<std::shared_ptr<const Collator>> ParseCollation(model::DocumentView collation);

// The same as rules; nullopt for the simple collation.
Answer<std::optional<model::CollationRules>> ParseCollationRules(model::DocumentView collation);

// The collation with all of its fields, as listIndexes and listCollections show it.
Answer<model::Document> FullCollation(model::DocumentView collation);

// Returns whether two collations are the same; none, an empty one and "simple" are that of bytes.
Answer<bool> AreSameCollation(std::optional<model::DocumentView> a,
                              std::optional<model::DocumentView> b);

}  // namespace orrery::mongo
