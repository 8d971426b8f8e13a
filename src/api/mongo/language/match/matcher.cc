#include "api/mongo/language/match/matcher.h"

#include "api/mongo/language/match/filter_parser.h"

namespace orrery::mongo {

Answer<std::shared_ptr<const Matcher>> Matcher::Parse(model::DocumentView filter,
                                                      QueryContextPtr context,
                                                      MatchAllowances allowances) {
  // Not make_shared: the constructor is private.
  std::shared_ptr<Matcher> matcher(
      new Matcher(model::Document::Trusted(std::string(filter.bson())), std::move(context)));
  FilterParser parser(*matcher->context_, allowances);
  MONGO_ASSIGN(matcher->root_, parser.ParseFilter(filter.ToObject().AsFields()));
  matcher->text_ = parser.text();
  matcher->near_ = parser.near();
  return matcher;
}

Answer<bool> Matcher::Matches(model::DocumentView document, MatchDetails* details,
                              const TextSearch* search) const {
  MatchRun run{.context = *context_, .search = search};
  const bool matches = root_->Matches(document, run);
  if (run.error.has_value()) return std::unexpected(*std::move(run.error));
  if (matches && details != nullptr) {
    details->array_index = run.array_index;
    details->text_score = run.text_score;
  }
  return matches;
}

bool Matcher::is_always_true() const {
  const auto* all = dynamic_cast<const AndNode*>(root_.get());
  return all != nullptr && all->children().empty();
}

}  // namespace orrery::mongo
