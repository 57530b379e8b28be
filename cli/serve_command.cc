// twinset serve: an index and a finished run over HTTP, until it is interrupted.
#include "options.h"
#include "service/serve.h"

namespace twinset::cli {
namespace {

struct ServeArguments {
  service::ServeOptions options;
  Talk talk;
};

int run_serve(const ServeArguments& arguments) {
  const auto say_it = [&](const std::string& line) {
    if (!arguments.talk.quiet) say(line);
  };
  const Status done =
      service::serve(arguments.options, arguments.talk.verbose, run_control(), say_it);
  return done.ok() ? 0 : fail(done.error());
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App& verb = add_verb(
      app, "serve", "serve an index, and what a run has found, over HTTP, and to a browser",
      {{"twinset serve crawl.index", "answers queries, and takes documents, until Ctrl-C"},
       {"twinset serve crawl.index clean", "and shows what the run that made clean/ has found"},
       {"twinset serve crawl.index --listen 0.0.0.0:8080 --token-file token",
        "to all who have the token; docs/serve.md says how to put TLS before it"}});
  add_options(verb, {service::options_of(arguments->options),
                     {{"-v, --verbose", &arguments->talk.verbose, OptionRole::unrecorded,
                       Heading::output, "say a line for each request"},
                      {"-q, --quiet", &arguments->talk.quiet, OptionRole::unrecorded,
                       Heading::output, "say errors only"}}});
  verb.callback([arguments, &exit_code] { exit_code = run_serve(*arguments); });
}

}  // namespace twinset::cli
