#include "api/sql/function/text/stop_words.h"

#include <algorithm>
#include <array>

namespace orrery::sql {
namespace {

constexpr auto kWords = std::to_array<std::string_view>({
    "a",        "about",     "above",        "across",    "after",     "again",      "against",
    "all",      "almost",    "along",        "already",   "also",      "although",   "always",
    "am",       "among",     "an",           "and",       "another",   "any",        "anyone",
    "anything", "are",       "around",       "as",        "at",        "back",       "be",
    "became",   "because",   "become",       "been",      "before",    "behind",     "being",
    "below",    "between",   "both",         "but",       "by",        "can",        "cannot",
    "could",    "did",       "do",           "does",      "done",      "down",       "during",
    "each",     "either",    "else",         "enough",    "etc",       "even",       "ever",
    "every",    "everyone",  "everything",   "except",    "few",       "for",        "former",
    "from",     "further",   "had",          "has",       "have",      "having",     "he",
    "hence",    "her",       "here",         "hers",      "herself",   "him",        "himself",
    "his",      "how",       "however",      "i",         "if",        "in",         "indeed",
    "instead",  "into",      "is",           "it",        "its",       "itself",     "just",
    "known",    "last",      "latter",       "least",     "less",      "like",       "many",
    "may",      "me",        "meanwhile",    "might",     "mine",      "more",       "moreover",
    "most",     "mostly",    "much",         "must",      "my",        "myself",     "namely",
    "neither",  "never",     "nevertheless", "next",      "no",        "nobody",     "none",
    "nor",      "not",       "nothing",      "now",       "of",        "off",        "often",
    "on",       "once",      "one",          "only",      "onto",      "or",         "other",
    "others",   "otherwise", "our",          "ours",      "ourselves", "out",        "over",
    "own",      "part",      "per",          "perhaps",   "please",    "put",        "quite",
    "rather",   "re",        "really",       "regarding", "same",      "seem",       "seemed",
    "seems",    "several",   "shall",        "she",       "should",    "since",      "so",
    "some",     "somehow",   "someone",      "something", "sometimes", "such",       "than",
    "that",     "the",       "their",        "theirs",    "them",      "themselves", "then",
    "there",    "thereby",   "therefore",    "these",     "they",      "this",       "those",
    "though",   "through",   "throughout",   "thus",      "to",        "together",   "too",
    "toward",   "towards",   "under",        "until",     "up",        "upon",       "us",
    "used",     "using",     "various",      "very",      "via",       "was",        "we",
    "well",     "were",      "what",         "whatever",  "when",      "whenever",   "where",
    "whereas",  "whether",   "which",        "while",     "who",       "whole",      "whom",
    "whose",    "why",       "will",         "with",      "within",    "without",    "would",
    "yet",      "you",       "your",         "yours",     "yourself",  "yourselves",
});
static_assert(std::ranges::is_sorted(kWords));

}  // namespace

bool IsStopWord(std::string_view word) { return std::ranges::binary_search(kWords, word); }

size_t TextLength(std::span<const std::string> words) {
  return static_cast<size_t>(
      std::ranges::count_if(words, [](const std::string& word) { return !IsStopWord(word); }));
}

}  // namespace orrery::sql
