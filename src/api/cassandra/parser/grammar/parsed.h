// For tests: the one statement of a kind that a text must be.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <variant>

#include "api/cassandra/parser/parser.h"

namespace orrery::cassandra {

// A default one, and a failed test, when the text is refused or something else.
template <typename Statement>
Statement ParseAs(std::string_view text) {
  auto parsed = ParseStatement(text);
  if (!parsed) {
    ADD_FAILURE() << text << "\n" << parsed.error().message;
    return {};
  }
  if (!std::holds_alternative<Statement>(parsed->statement)) {
    ADD_FAILURE() << text << "\nis another kind of statement";
    return {};
  }
  return std::get<Statement>(std::move(parsed->statement));
}

}  // namespace orrery::cassandra
