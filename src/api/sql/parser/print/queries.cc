#include <fmt/format.h>

#include <variant>

#include "api/sql/parser/print/append.h"
#include "api/sql/parser/print/print.h"

namespace orrery::sql {
namespace {

class QueryPrinter {
 public:
  explicit QueryPrinter(std::string& out) : out_(out) {}

  void Print(const ast::Query& query, bool with_filter = true) {
    PrintSelect(query.select);
    for (size_t i = 0; i < query.sources.size(); ++i) {
      out_ += i == 0 ? " FROM " : " JOIN ";
      PrintSource(query.sources[i]);
    }
    if (query.where && with_filter) {
      out_ += " WHERE ";
      AppendExpression(out_, *query.where);
    }
    for (size_t i = 0; i < query.group_by.size(); ++i) {
      out_ += i == 0 ? " GROUP BY " : ", ";
      AppendExpression(out_, query.group_by[i]);
    }
    if (query.order_by) PrintOrderBy(*query.order_by);
    if (query.offset_limit) {
      out_ += " OFFSET ";
      std::visit(*this, query.offset_limit->offset);
      out_ += " LIMIT ";
      std::visit(*this, query.offset_limit->limit);
    }
  }

  // The alternatives of RowCount.
  void operator()(uint32_t count) { out_ += fmt::to_string(count); }
  void operator()(const ast::Parameter& parameter) { out_ += parameter.name; }

  // What is selected.
  void operator()(const ast::SelectAll&) { out_ += '*'; }
  void operator()(const ast::SelectValue& select) {
    out_ += "VALUE ";
    AppendExpression(out_, select.value);
  }
  void operator()(const ast::SelectList& select) {
    for (size_t i = 0; i < select.items.size(); ++i) {
      if (i > 0) out_ += ", ";
      AppendExpression(out_, select.items[i].value);
      PrintAlias(select.items[i].alias);
    }
  }

  // The alternatives of a collection.
  void operator()(const ast::Expression& collection) {
    AppendExpression(out_, collection, ast::Precedence::kPrimary);
  }
  void operator()(const ast::QueryPtr& collection) {
    out_ += '(';
    Print(*collection);
    out_ += ')';
  }

 private:
  void PrintSelect(const ast::Select& select) {
    out_ += "SELECT ";
    if (select.is_distinct) out_ += "DISTINCT ";
    if (select.top) {
      out_ += "TOP ";
      std::visit(*this, *select.top);
      out_ += ' ';
    }
    std::visit(*this, select.what);
  }

  void PrintSource(const ast::Source& source) {
    if (source.is_iterated) {
      out_ += source.alias->text;
      out_ += " IN ";
    }
    std::visit(*this, source.collection);
    if (!source.is_iterated) PrintAlias(source.alias);
  }

  void PrintAlias(const std::optional<ast::Name>& alias) {
    if (!alias) return;
    out_ += " AS ";
    out_ += alias->text;
  }

  void PrintOrderBy(const ast::OrderBy& clause) {
    out_ += clause.is_rank ? " ORDER BY RANK " : " ORDER BY ";
    for (size_t i = 0; i < clause.orderings.size(); ++i) {
      if (i > 0) out_ += ", ";
      AppendExpression(out_, clause.orderings[i].value);
      if (const auto order = clause.orderings[i].order)
        out_ += *order == ast::SortOrder::kAscending ? " ASC" : " DESC";
    }
  }

  std::string& out_;
};

}  // namespace

void AppendQuery(std::string& out, const ast::Query& query) { QueryPrinter(out).Print(query); }

std::string PrintQuery(const ast::Query& query) {
  std::string out;
  AppendQuery(out, query);
  return out;
}

std::string PrintQueryWithoutFilter(const ast::Query& query) {
  std::string out;
  QueryPrinter(out).Print(query, /*with_filter=*/false);
  return out;
}

}  // namespace orrery::sql
