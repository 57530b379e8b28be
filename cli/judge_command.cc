// twinset judge: shows sampled pairs on standard error, takes a line an answer from standard input,
// and prints the table of the verdicts.
#include <fcntl.h>
#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "options.h"
#include "pipes.h"
#include "twinset/judge.h"

namespace twinset::cli {
namespace {

constexpr std::size_t most_answer_bytes = 4096;

struct JudgeArguments {
  JudgeOptions options;
  Talk talk;
  Color color = Color::automatic;
};

std::string login_name() {
  const passwd* const user = ::getpwuid(::geteuid());
  return user == nullptr || user->pw_name == nullptr ? "" : user->pw_name;
}

/// Lines of standard input, which an interrupt ends at once.
class Answers {
 public:
  /// nullopt at the end.
  Result<std::optional<std::string>> next() {
    for (;;) {
      if (const std::size_t end = held_.find('\n'); end != std::string::npos) {
        std::string line = held_.substr(0, end);
        held_.erase(0, end + 1);
        return std::optional(std::move(line));
      }
      if (ended_ && held_.empty()) return std::optional<std::string>();
      if (ended_ || held_.size() > most_answer_bytes) {
        return std::optional(std::exchange(held_, {}));
      }
      if (!wait_to_read(STDIN_FILENO)) {
        return Error{ErrorCode::interrupted, "interrupted; the verdicts so far are kept"};
      }
      std::array<char, 4096> bytes{};
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) {
        return io_error("cannot read answers from standard input: " +
                        std::string(std::strerror(errno)));
      }
      ended_ = got == 0;
      held_.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  std::string held_;
  bool ended_ = false;
};

class TerminalDesk final : public JudgeDesk {
 public:
  explicit TerminalDesk(bool color) : color_(color) {}

  Result<JudgeAnswer> ask(const PairToJudge& pair) override {
    asked_ = true;
    left_ = pair.left;
    one_ = pair.kind == Judged::labels ? "label" : "pair";
    say_lines(fmt::format("\n--- {} {} of {}, {} to judge ---\n", one_,
                          with_separators(pair.number), with_separators(pair.of),
                          with_separators(pair.left)));
    say_escaped(to_text(pair, {.color = color_}, false));
    for (;;) {
      say_escaped("\n" + prompt(pair));
      Result<std::optional<std::string>> line = answers_.next();
      if (!line.ok()) {
        say_escaped("\n");
        return line.error();
      }
      if (!line.value().has_value()) {
        ended_ = true;
        say_escaped("\n");
        return JudgeAnswer{};
      }
      const std::string answer = trimmed(*line.value());
      const std::optional<JudgeAnswer> taken = take(pair, answer);
      if (!taken.has_value()) continue;
      if (taken->kind == JudgeAnswer::Kind::verdict) {
        left_ -= pair.verdict.has_value() ? 0 : 1;
        say("-> " + pair.categories[taken->category]);
      }
      return *taken;
    }
  }

  /// Pairs without a verdict, if one was asked for.
  bool stopped() const { return asked_ && left_ > 0; }
  std::uint64_t left() const { return left_; }
  /// "pair" or "label".
  const char* one() const { return one_; }
  bool ended() const { return ended_; }

 private:
  static std::string trimmed(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }

  static std::string prompt(const PairToJudge& pair) {
    std::string text;
    for (const std::string& name : pair.categories) {
      text += fmt::format("[{}]{} ", name.substr(0, 1), name.substr(1));
    }
    if (pair.verdict.has_value()) text += "(judged " + pair.categories[*pair.verdict] + ") ";
    return text + "or [?] > ";
  }

  /// nullopt: ask again.
  std::optional<JudgeAnswer> take(const PairToJudge& pair, const std::string& answer) const {
    using Kind = JudgeAnswer::Kind;
    for (std::size_t i = 0; i < pair.categories.size(); ++i) {
      const std::string& name = pair.categories[i];
      if (answer == name || (answer.size() == 1 && (answer[0] | 0x20) == name[0])) {
        return JudgeAnswer{Kind::verdict, i};
      }
    }
    if (answer == "q") return JudgeAnswer{Kind::stop, 0};
    if (answer == "b") {
      if (pair.number > 1) return JudgeAnswer{Kind::back, 0};
      say(fmt::format("this is the first {}", one_));
    } else if (answer == "+") {
      say_escaped(to_text(pair, {.color = color_}, true));
    } else if (answer == "?") {
      say_lines(fmt::format(
          "a category's first letter and Enter judges the {0}\n{1}  b  goes back one {0}\n"
          "  q  stops; the same command continues\n",
          one_, pair.kind == Judged::labels ? "" : "  +  shows both texts in full\n"));
    } else {
      say("no answer '" + visible_name(answer) + "'; ? lists them");
    }
    return std::nullopt;
  }

  bool color_;
  Answers answers_;
  std::uint64_t left_ = 0;
  bool asked_ = false;
  const char* one_ = "pair";
  bool ended_ = false;
};

int run_judge(JudgeArguments& arguments) {
  JudgeOptions& options = arguments.options;
  if (options.judge.empty()) options.judge = login_name();
  // A file opened later would be given the number of a closed standard input, and be read as
  // answers.
  if (options.page.empty() && !options.table && ::fcntl(STDIN_FILENO, F_GETFD) < 0) {
    return fail(io_error("standard input is closed, and the answers come from there"));
  }
  TerminalDesk desk(color_wanted(arguments.color, STDERR_FILENO));
  const Result<JudgedTables> done = judge(options, desk, run_control());
  if (!done.ok()) return fail(done.error());
  if (desk.stopped()) {
    say((desk.ended() ? "standard input ended; " : "stopped; ") + counted(desk.left(), desk.one()) +
        " left to judge: the same command continues");
  }
  if (arguments.talk.json) {
    print_bytes(to_json(done.value()));
  } else {
    print(to_text(done.value()));
  }
  return 0;
}

}  // namespace

void add_judge(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<JudgeArguments>();
  CLI::App& verb = add_verb(
      app, "judge", "judge sampled pairs of a run or labels, and see shares with an interval",
      {{"twinset judge groups --by resemblance -o groups.judged",
        "shows 200 pairs of each tenth of resemblance, and takes s, d or u for each"},
       {"twinset judge groups --by resemblance -o groups.judged --page judge.html",
        "makes a page on which to judge them"},
       {"twinset judge january.labels --by count -o labels.judged",
        "shows 200 labels of each decade of their counts"},
       {"twinset judge groups.judged --table", "counts the verdicts again"}});
  add_options(verb, {options_of(arguments->options),
                     {{"--json", &arguments->talk.json, OptionRole::unrecorded, Heading::output,
                       "print the table as one JSON object"},
                      color_option(arguments->color)}});
  verb.callback([arguments, &exit_code] { exit_code = run_judge(*arguments); });
}

}  // namespace twinset::cli
