// Text indexes: what createIndexes says of one, as MongoDB keeps it, and what it asks of documents.
//
// The key is kept as {prefix fields, _fts: "text", _ftsx: 1, suffix fields}, the fields with texts
// in `weights`. Entries are of terms alone (item::IndexKind::kSearchTerms): the other fields of the
// key are left to the filter.
#pragma once

#include <string>
#include <vector>

#include "api/mongo/catalog/index_spec.h"
#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"
#include "model/search/search_rules.h"

namespace orrery::mongo {

struct Collection;

// Returns whether a key of createIndexes is that of a text index.
bool IsTextKey(model::DocumentView key);

// Checks the fields of a key whose plugins are of several kinds, and options that only a text index
// has.
Outcome CheckTextOptions(model::DocumentView spec, model::DocumentView key);

// The key as it is kept. REQUIRES: IsTextKey(key).
Answer<model::Document> TextKeyOf(model::DocumentView key);

// Adds weights, languages and version, given or by default. REQUIRES: IsTextKey(key).
Outcome AppendTextOptions(model::DocumentView spec, model::DocumentView key,
                          model::DocumentBuilder& out);

// Returns whether an option of createIndexes is one of those that AppendTextOptions adds.
bool IsTextOption(std::string_view name);

// REQUIRES: spec.is_text(), for these.
model::SearchRules SearchRulesOf(const IndexSpec& spec);
// The fields of its key before and behind the terms.
struct TextKeyFields {
  std::vector<std::string> before;
  std::vector<std::string> behind;
};
TextKeyFields TextKeyFieldsOf(const IndexSpec& spec);

// Null if the collection has none.
const IndexSpec* TextIndexOf(const Collection& collection);

// Checks that a document which is in the collection's text index fits it: 17261 and 17262 for a
// language that does not exist, 201 for an array in another field of its key.
Outcome CheckTexts(const Collection& collection, model::DocumentView document);

}  // namespace orrery::mongo
