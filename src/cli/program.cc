#include "cli/program.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "cli/nearest_name.h"
#include "cli/settings/setting_table.h"
#include "cli/verb/version.h"

namespace orrery::cli {
namespace {

constexpr const char* kDescription =
    "Orrery: a partitioned multi-model database in one process.\n"
    "\n"
    "  orrery serve                                            start a server on this machine\n"
    "  orrery create shop/orders --partition-key /customer     make a database and a container in "
    "it\n"
    "  orrery run -- npm test                                  a command with a throw-away server\n"
    "  orrery status                                           server status: health, version, "
    "containers\n"
    "  orrery partitions                                       how data and load are spread";

constexpr size_t kHelpColumn = 34;

std::vector<std::unique_ptr<Verb>> MakeVerbs(ServerFunctions server) {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeServeVerb(std::move(server.serve)));
  verbs.push_back(MakeRunVerb(std::move(server.run)));
  verbs.push_back(MakeHealthVerb());
  verbs.push_back(MakeStatusVerb());
  verbs.push_back(MakeCreateVerb());
  verbs.push_back(MakeDropVerb());
  verbs.push_back(MakePartitionsVerb());
  verbs.push_back(MakeThroughputVerb());
  verbs.push_back(MakeSplitVerb());
  verbs.push_back(MakeMergeVerb());
  verbs.push_back(MakeAdviseVerb());
  verbs.push_back(MakeMoveVerb());
  verbs.push_back(MakeExportVerb(server.open));
  verbs.push_back(MakeImportVerb(server.open));
  verbs.push_back(MakeSampleVerb());
  verbs.push_back(MakeResetVerb());
  verbs.push_back(MakeSnapshotVerb());
  verbs.push_back(MakeClockVerb());
  verbs.push_back(MakeFaultVerb());
  verbs.push_back(MakeSimulateVerb());
  return verbs;
}

// The flags that `app` knows, for suggestions.
std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// Returns the error text for a word that `app` did not understand.
std::string Misunderstood(const CLI::App& app, const std::string& word) {
  if (word.starts_with("--")) {
    const std::string flag = word.substr(2, word.find('=') - 2);
    return fmt::format("unknown flag --{}{}", flag, DidYouMean(flag, FlagNames(app), "--"));
  }
  if (word.starts_with("-")) return fmt::format("unknown flag {}", word);
  return fmt::format("'{}' is one argument too many", word);
}

class Program {
 public:
  Program(ServerFunctions server, std::ostream& out, std::ostream& err)
      : out_(out),
        err_(err),
        has_explorer_(server.has_explorer),
        app_(kDescription, "orrery"),
        verbs_(MakeVerbs(std::move(server))) {
    app_.get_formatter()->column_width(kHelpColumn);
    app_.allow_extras();
    app_.require_subcommand(0, 1);  // after the first, a word that equals a verb is an argument
    app_.footer("`orrery help VERB` or `orrery VERB --help` explains a verb, with examples.");
    for (const auto& verb : verbs_) {
      CLI::App* sub = AddVerb(verb->name(), verb->summary());
      sub->footer("Examples:\n" + std::string(verb->examples()));
      verb->DefineFlags(*sub);
    }
    AddVerb("version", "print the version");
    AddVerb("help", "explain the program or one verb")
        ->add_option("verb", help_verb_, "the verb to explain");
  }

  int Run(int argc, const char* const* argv, const char* const* environment) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return ShowHelp(nullptr);
    } catch (const CLI::ParseError& error) {
      const auto verbs = app_.get_subcommands();
      return Usage(error.what(), verbs.empty() ? nullptr : verbs.front());
    }
    const std::vector<CLI::App*> named = app_.get_subcommands();
    if (named.empty()) return NoVerb();
    const CLI::App& sub = *named.front();
    auto extras = sub.remaining();
    std::erase(extras, "--");  // ends the flags, also of a verb that takes no more words
    if (!extras.empty()) return Usage(Misunderstood(sub, extras.front()), &sub);
    if (const auto more = app_.remaining(); !more.empty())
      return Usage(Misunderstood(sub, more.front()), &sub);
    if (sub.get_name() == "version") {
      out_ << VersionText(has_explorer_);
      return kExitOk;
    }
    if (sub.get_name() == "help") return ShowHelp(&help_verb_);

    Console console{out_, OrreryVariables(environment)};
    const auto verb =
        std::ranges::find(verbs_, sub.get_name(), [](const auto& v) { return v->name(); });
    Status status = CheckVariables(MakeSettingTable(), console.variables);
    if (status.has_value()) status = (*verb)->Run(console);
    out_.flush();
    if (status.has_value()) return console.exit_code;
    err_ << "orrery: " << status.error().message() << std::endl;
    return kExitFailed;
  }

 private:
  CLI::App* AddVerb(std::string_view name, std::string_view summary) {
    CLI::App* sub = app_.add_subcommand(std::string(name), std::string(summary));
    sub->allow_extras();
    return sub;
  }

  std::vector<const CLI::App*> AllVerbs() const { return app_.get_subcommands({}); }

  std::vector<std::string> VerbNames() const {
    std::vector<std::string> names;
    for (const CLI::App* sub : AllVerbs()) names.push_back(sub->get_name());
    return names;
  }

  int NoVerb() {
    const auto extras = app_.remaining();
    if (extras.empty()) {
      err_ << HelpOf(app_);
      return kExitUsage;
    }
    if (extras.front() == "--version") {
      out_ << VersionText(has_explorer_);
      return kExitOk;
    }
    if (extras.front().starts_with("-")) return Usage(Misunderstood(app_, extras.front()));
    return Usage(fmt::format("unknown verb '{}'{}", extras.front(),
                             DidYouMean(extras.front(), VerbNames())));
  }

  // Help of the verb named, or of the verb whose --help was asked for, or of the program.
  int ShowHelp(const std::string* verb) {
    if (verb != nullptr && !verb->empty()) {
      const auto all = AllVerbs();
      const auto sub =
          std::ranges::find(all, *verb, [](const CLI::App* app) { return app->get_name(); });
      if (sub == all.end())
        return Usage(fmt::format("unknown verb '{}'{}", *verb, DidYouMean(*verb, VerbNames())));
      out_ << HelpOf(**sub);
      return kExitOk;
    }
    const auto named = app_.get_subcommands();
    out_ << HelpOf(verb != nullptr || named.empty() ? app_ : *named.front());
    return kExitOk;
  }

  // App::help() would show a verb that was named instead of the program.
  std::string HelpOf(const CLI::App& app) const {
    const std::string name = &app == &app_ ? "orrery" : "orrery " + app.get_name();
    return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
  }

  // `verb`: whose flags were misunderstood.
  int Usage(std::string_view message, const CLI::App* verb = nullptr) {
    const std::string help = verb == nullptr ? "help" : verb->get_name() + " --help";
    err_ << "orrery: " << message << "\nTry `orrery " << help << "`." << std::endl;
    return kExitUsage;
  }

  std::ostream& out_;
  std::ostream& err_;
  const bool has_explorer_;
  CLI::App app_;
  const std::vector<std::unique_ptr<Verb>> verbs_;
  std::string help_verb_;
};

}  // namespace

int RunProgram(int argc, const char* const* argv, const char* const* environment,
               ServerFunctions server, std::ostream& out, std::ostream& err) {
  return Program(std::move(server), out, err).Run(argc, argv, environment);
}

}  // namespace orrery::cli
