// A process that changes an index all the time is killed at any moment: what it has acknowledged is
// there, and of what it was doing all or nothing.
//
// TWINSET_KILLS is the number of kills; TWINSET_SEED draws their moments.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <string>

#include "index/index_testing.h"

namespace twinset::testing {
namespace {

using Held = std::map<std::string, std::string>;

std::uint64_t number_from(const char* name, std::uint64_t usual) {
  const char* const set = std::getenv(name);
  return set == nullptr ? usual : std::strtoull(set, nullptr, 10);
}

/// The `number`-th change: a document deleted, or some added, each under one of 100 ids.
struct KillChange {
  std::vector<std::string> removed;
  std::vector<AddedDocument> added;

  explicit KillChange(std::uint64_t number) {
    const auto draw = [&](std::uint64_t what) { return mix64(number << 8 | what); };
    const auto id_of = [](std::uint64_t drawn) {
      return quoted("d" + std::to_string(drawn % 100));
    };
    if (draw(0) % 5 == 0) {
      removed.push_back(id_of(draw(1)));
      return;
    }
    // Some go past the log, into a segment.
    const std::uint64_t count = draw(0) % 97 == 1 ? 300 : 1 + draw(0) % 3;
    for (std::uint64_t i = 0; i < count; ++i) {
      added.push_back({id_of(draw(2 + i)), made_text(number << 9 | i, 12), std::to_string(number)});
    }
  }
  void make_to(Held& held) const {
    for (const std::string& id : removed) held.erase(id);
    for (const AddedDocument& document : added) held[document.id] = document.url;
  }
};

Result<Held> held_on(const std::string& index) {
  TWINSET_ASSIGN(const auto all, all_of(disk(), index));
  Held held(all.begin(), all.end());
  EXPECT_EQ(held.size(), all.size());
  return held;
}

/// Makes the changes from `number` on, and tells each to the pipe once it is durable.
void change_until_killed(const std::string& index, std::uint64_t number, int acknowledged) {
  const RunContext context = context_on(disk());
  const auto writer = IndexWriter::open(context, index, "a test");
  if (!writer.ok()) return;
  writer.value()->merge_in_background();
  for (;; ++number) {
    const KillChange change(number);
    for (const std::string& id : change.removed) {
      if (!writer.value()->remove(id).ok()) return;
    }
    if (!change.added.empty() && !add_documents(*writer.value(), change.added).ok()) return;
    if (!writer.value()->commit().ok()) return;
    if (write(acknowledged, &number, sizeof number) != sizeof number) return;
  }
}

TEST(IndexWriter, NothingAcknowledgedIsLostByAKill) {
  const std::uint64_t kills = number_from("TWINSET_KILLS", 40);
  const std::uint64_t seed = number_from("TWINSET_SEED", 1);
  const ScratchFolder folder;
  const std::string index = folder / "x";
  ASSERT_TRUE(IndexWriter::create(disk(), index, two_schemes).ok());
  Held model;
  std::uint64_t number = 0;  // the next change
  for (std::uint64_t kill_number = 0; kill_number < kills; ++kill_number) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      change_until_killed(index, number, ends[1]);
      _exit(1);
    }
    close(ends[1]);
    const auto take_told = [&] {
      std::uint64_t told = 0;
      if (read(ends[0], &told, sizeof told) != sizeof told) return false;
      EXPECT_EQ(told, number);
      KillChange(number++).make_to(model);
      return true;
    };
    // After so many changes, and some time more; or while it opens the index.
    const std::uint64_t drawn = mix64(seed << 32 | kill_number);
    for (std::uint64_t i = drawn % 12; i > 0; --i) ASSERT_TRUE(take_told()) << "the writer failed";
    usleep(static_cast<useconds_t>((drawn >> 8) % 3000));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed";
    while (take_told()) {
    }
    close(ends[0]);
    const auto held = held_on(index);
    ASSERT_TRUE(held.ok()) << held.error().message;
    if (held.value() == model) continue;
    // It was made, and killed before it was told.
    KillChange(number++).make_to(model);
    ASSERT_EQ(held.value(), model) << "kill " << kill_number << ", change " << number;
  }
  EXPECT_GE(number, kills);
  std::printf("%llu kills, %llu changes\n", static_cast<unsigned long long>(kills),
              static_cast<unsigned long long>(number));
}

}  // namespace
}  // namespace twinset::testing
