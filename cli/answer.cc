#include "answer.h"

namespace twinset::cli {
namespace {

/// Says that a finished run of the same command was found, and what it had lost.
void say_already_done(const RunFacts& facts, const Answer& answer, const Talk& talk) {
  if (!talk.quiet) {
    say(answer.places.front().second + " is already complete for this command; nothing to do");
  }
  print_lost(facts.lost_inputs);
}

}  // namespace

int print_answer(const Talk& talk, const InputSettings& input, const RunFacts& facts,
                 const Answer& answer) {
  if (!facts.already_done) print_facts(facts, talk);
  if (!talk.quiet) {
    for (const std::string& line : answer.said) say("twinset: " + line);
  }
  const bool json = talk.json && (answer.json_lines || !answer.json.empty());
  const bool text = !json && (!talk.quiet || answer.even_if_quiet);
  if (json) print_bytes(answer.json);
  if (text) answer.escaped ? print_escaped(answer.text) : print(answer.text);
  if (facts.already_done) {
    say_already_done(facts, answer, talk);
  } else if (text) {
    const char* separator = "\n";
    for (const auto& [name, path] : answer.places) {
      if (!path.empty()) print(separator + name + " in " + path + "\n");
      separator = "";  // A run without its first place, the output, goes on from its text.
    }
    print(answer.next);
  }
  return exit_code_of(facts, input);
}

}  // namespace twinset::cli
