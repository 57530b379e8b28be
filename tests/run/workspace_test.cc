// The state file and the work folder of a run.
#include "run/workspace.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <string>

#include "support_runs/job_testing.h"

namespace twinset {
namespace {

using testing::folder_bytes;
using testing::ScratchFolder;
using testing::unsynced;

StateFile sample_state() {
  StateFile state;
  state.set("source", std::uint64_t{3});
  state.set("largest", ~std::uint64_t{0});
  state.set("path", "/tmp/a folder/with  spaces ");
  state.set("empty", "");
  return state;
}

TEST(StateFile, ComesBackFromItsBytes) {
  StateFile back;
  ASSERT_TRUE(StateFile::decode(sample_state().encode(), back));
  EXPECT_EQ(back.number("source"), 3U);
  EXPECT_EQ(back.number("largest"), ~std::uint64_t{0});
  EXPECT_EQ(back.text("path"), "/tmp/a folder/with  spaces ");
  EXPECT_EQ(back.text("empty"), "");
  EXPECT_TRUE(back.has("empty"));
  EXPECT_FALSE(back.has("other"));
  EXPECT_EQ(back.number("other"), 0U);
  EXPECT_EQ(back.text("other"), "");
  EXPECT_EQ(back.encode(), sample_state().encode());
  ASSERT_TRUE(StateFile::decode(StateFile().encode(), back));
}

TEST(StateFile, AnyDamageIsSeen) {
  const std::string bytes = sample_state().encode();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    StateFile state;
    ASSERT_FALSE(StateFile::decode(bytes.substr(0, length), state)) << length;
  }
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    StateFile state;
    ASSERT_FALSE(StateFile::decode(damaged, state)) << bit;
  }
  StateFile state;
  EXPECT_FALSE(StateFile::decode(bytes + "\n", state));
}

Workspace::Settings settings_in(const ScratchFolder& folder, const std::string& identity = "me") {
  return {folder / "out", "", identity, ""};
}

TEST(Workspace, MakesItsFoldersAndPublishesByARename) {
  const ScratchFolder folder;
  auto opened = Workspace::open(unsynced(), settings_in(folder));
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  Workspace& workspace = *opened.value();
  EXPECT_EQ(workspace.folder(), folder / "out.partial");
  folder.write("out.partial/out/a.jsonl", "kept");
  folder.write("out.partial/spill/rows", "rows");
  ASSERT_TRUE(workspace.publish().ok());
  EXPECT_EQ(folder_bytes(folder.path()),
            (std::map<std::string, std::string>{{"out/a.jsonl", "kept"}}));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.partial"));
}

TEST(Workspace, KeepsItsCheckpointForTheSameCommandOnly) {
  const ScratchFolder folder;
  {
    auto workspace = Workspace::open(unsynced(), settings_in(folder));
    StateFile none;
    EXPECT_FALSE(workspace.value()->load(none).value());
    ASSERT_TRUE(workspace.value()->save(sample_state()).ok());
  }
  {
    const auto another = Workspace::open(unsynced(), settings_in(folder, "somebody else"));
    ASSERT_FALSE(another.ok());
    EXPECT_EQ(another.error().code, ErrorCode::usage);
  }
  auto workspace = Workspace::open(unsynced(), settings_in(folder));
  ASSERT_TRUE(workspace.ok());
  StateFile state;
  ASSERT_TRUE(workspace.value()->load(state).value());
  EXPECT_EQ(state.number("source"), 3U);
  // A truncated checkpoint counts as none.
  std::filesystem::resize_file(folder / "out.partial/state", 20);
  StateFile damaged;
  EXPECT_FALSE(workspace.value()->load(damaged).value());
  // Starting over removes it and all written files.
  ASSERT_TRUE(workspace.value()->save(sample_state()).ok());
  folder.write("out.partial/out/half", "half");
  folder.write("out.partial/spill/rows", "rows");
  ASSERT_TRUE(workspace.value()->start_over().ok());
  EXPECT_FALSE(workspace.value()->load(state).value());
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out.partial/out"));
  EXPECT_TRUE(std::filesystem::is_empty(folder / "out.partial/spill"));
}

TEST(Workspace, IsLockedWhileItIsOpen) {
  const ScratchFolder folder;
  {
    auto first = Workspace::open(unsynced(), settings_in(folder));
    ASSERT_TRUE(first.ok());
    const auto second = Workspace::open(unsynced(), settings_in(folder));
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::usage);
  }
  EXPECT_TRUE(Workspace::open(unsynced(), settings_in(folder)).ok());
}

TEST(Workspace, SpillsElsewhereByAFolderOfTheOutputsName) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "tmp");
  Workspace::Settings settings = settings_in(folder);
  settings.tmp = folder / "tmp";
  auto one = Workspace::open(unsynced(), settings);
  Workspace::Settings other = settings;
  other.output = folder / "other";
  auto two = Workspace::open(unsynced(), other);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_NE(one.value()->spill(), two.value()->spill());
  EXPECT_TRUE(one.value()->spill().starts_with(settings.tmp + "/twinset-"));
  ASSERT_TRUE(one.value()->abandon().ok());
  EXPECT_FALSE(std::filesystem::exists(one.value()->spill()));
  EXPECT_TRUE(std::filesystem::exists(two.value()->spill()));
}

TEST(Workspace, FinishedIsTrueOfTheSameCommandsOutputOnly) {
  const ScratchFolder folder;
  const auto finished = [&](const std::string& identity) {
    return Workspace::finished(unsynced(), settings_in(folder, identity));
  };
  EXPECT_FALSE(finished("me").value().has_value());
  folder.write("out/summary.json", "{\"read\":1,\"run\":{\"identity\":\"me\"}}");
  EXPECT_TRUE(finished("me").value().has_value());
  EXPECT_EQ(finished("another").error().code, ErrorCode::usage);
  for (const char* summary : {"", "not json", "{}", "{\"run\":1}", "{\"run\":{\"identity\":7}}"}) {
    folder.write("out/summary.json", summary);
    EXPECT_EQ(finished("me").error().code, ErrorCode::usage) << summary;
  }
  std::filesystem::rename(folder / "out/summary.json", folder / "out/novel.txt");
  EXPECT_EQ(finished("me").error().code, ErrorCode::usage);
  std::filesystem::remove(folder / "out/novel.txt");
  EXPECT_FALSE(finished("me").value().has_value()) << "an empty folder";
}

// The run was killed between its last rename and its end.
TEST(Workspace, WhatAFinishedRunLeftIsRemovedByTheSameCommand) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "tmp");
  Workspace::Settings settings = settings_in(folder, "me");
  settings.tmp = folder / "tmp";
  {
    auto workspace = Workspace::open(unsynced(), settings);
    ASSERT_TRUE(workspace.ok());
    ASSERT_TRUE(workspace.value()->save(sample_state()).ok());
  }
  folder.write("out/summary.json", "{\"run\":{\"identity\":\"me\"}}");
  const auto left = [&] {
    return std::filesystem::exists(folder / "out.partial") ||
           !std::filesystem::is_empty(folder / "tmp");
  };
  {
    const auto working = Workspace::open(unsynced(), settings);
    EXPECT_TRUE(Workspace::finished(unsynced(), settings).value().has_value());
    EXPECT_TRUE(left()) << "while another run works there";
  }
  EXPECT_TRUE(Workspace::finished(unsynced(), settings).value().has_value());
  EXPECT_FALSE(left());
  // All files that an interrupted removal may leave.
  for (const char* name : {"lock", "identity"}) {
    folder.write(std::string("out.partial/") + name, name == std::string("lock") ? "1" : "me\n");
    EXPECT_TRUE(Workspace::finished(unsynced(), settings).value().has_value());
    EXPECT_FALSE(left()) << name;
  }
  folder.write("out.partial/identity", "another\n");
  EXPECT_TRUE(Workspace::finished(unsynced(), settings).value().has_value());
  EXPECT_TRUE(left()) << "another command's";
  folder.write("out.partial/novel.txt", "chapter one");
  std::filesystem::remove(folder / "out.partial/identity");
  EXPECT_TRUE(Workspace::finished(unsynced(), settings).value().has_value());
  EXPECT_EQ(folder.read("out.partial/novel.txt"), "chapter one");
}

// What a killed run without a folder left is removed by the next one of the same verb, unless its
// owner works.
TEST(Workspace, ClearsWhatKilledRunsLeftBesideIt) {
  const ScratchFolder folder;
  const auto settings = [&](const char* name) {
    return Workspace::Settings{folder / name, "", "me", ""};
  };
  for (const char* name : {"twinset-discover-1-1-1", "twinset-lexicon-1-1-1"}) {
    ASSERT_TRUE(Workspace::open(unsynced(), settings(name)).ok());
  }
  const auto alive = Workspace::open(unsynced(), settings("twinset-discover-2-1-1"));
  ASSERT_TRUE(alive.ok());
  folder.write("twinset-discover-3-1-1.partial/novel.txt", "chapter one");
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string begun = "twinset-discover-" + std::to_string(child) + "-1-1.partial";
  const std::string beginning = "twinset-discover-" + std::to_string(::getpid()) + "-1-1.partial";
  for (const std::string& empty : {begun, beginning}) {
    ASSERT_TRUE(disk().make_directory(folder / empty).ok());
  }
  Workspace::clear_dead(unsynced(), folder / "twinset-discover-4-1-1", "discover");
  const auto there = [&](const std::string& name) {
    return std::filesystem::exists(folder / name);
  };
  EXPECT_FALSE(there("twinset-discover-1-1-1.partial"));
  EXPECT_FALSE(there(begun)) << "killed before it wrote anything";
  EXPECT_TRUE(there(beginning)) << "its owner has just made it";
  EXPECT_TRUE(there("twinset-discover-2-1-1.partial")) << "its owner works";
  EXPECT_TRUE(there("twinset-discover-3-1-1.partial/novel.txt")) << "not twinset's";
  EXPECT_TRUE(there("twinset-lexicon-1-1-1.partial")) << "of another verb";
}

TEST(Workspace, AFinishedRunIsCheckedToBeComplete) {
  const ScratchFolder folder;
  folder.write("out/deep/a.jsonl", "four");
  folder.write("out/summary.json",
               "{\"run\":{\"identity\":\"me\",\"outputs\":[{\"file\":\"deep/a.jsonl\",\"bytes\":4},"
               "{\"file\":\"not utf-8: \xef\xbf\xbd\",\"bytes\":1}]}}");
  const auto finished = [&] { return Workspace::finished(unsynced(), settings_in(folder)); };
  EXPECT_EQ(finished().value(), folder.read("out/summary.json"));
  folder.write("out/deep/a.jsonl", "fo");
  const auto shorter = finished();
  ASSERT_FALSE(shorter.ok());
  EXPECT_EQ(shorter.error().code, ErrorCode::io);
  EXPECT_EQ(shorter.error().message,
            (folder / "out") + " is no longer complete: " + (folder / "out/deep/a.jsonl") +
                " has 2 bytes, not the 4 that were written. Remove " + (folder / "out") +
                " and run the same command again to make it anew");
  std::filesystem::remove(folder / "out/deep/a.jsonl");
  EXPECT_NE(finished().error().message.find("out/deep/a.jsonl is missing"), std::string::npos);
}

TEST(Workspace, ChangedInputsAreToldFromAnotherCommand) {
  const ScratchFolder folder;
  folder.write("out/summary.json", "{\"run\":{\"identity\":\"command/inputs\"}}");
  const auto message = [&](const std::string& identity) {
    const auto finished = Workspace::finished(unsynced(), settings_in(folder, identity));
    return finished.ok() ? "" : finished.error().text(Door::command_line);
  };
  EXPECT_EQ(message("command/inputs"), "");
  EXPECT_NE(message("command/others").find("its inputs have changed"), std::string::npos);
  EXPECT_NE(message("other/inputs").find("a different command"), std::string::npos);
}

TEST(Workspace, AnUnfinishedRunNamesItsCommandAndGoesWhenItsInputsChanged) {
  const ScratchFolder folder;
  const auto open = [&](const std::string& identity, const std::string& command) {
    Workspace::Settings settings = settings_in(folder, identity);
    settings.command = command;
    return Workspace::open(unsynced(), settings);
  };
  ASSERT_TRUE(open("command/inputs", "twinset dedup in -o out").value()->save(sample_state()).ok());
  const auto other = open("other/inputs", "twinset cluster in -o out");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::usage);
  EXPECT_EQ(other.error().text(Door::command_line),
            (folder / "out.partial") +
                " holds an unfinished run of a different command (twinset dedup in -o out); run "
                "that one again to finish it, or remove " +
                (folder / "out.partial") + ", or choose another -o");
  StateFile state;
  {
    const auto same = open("command/inputs", "");
    ASSERT_TRUE(same.ok());
    EXPECT_FALSE(same.value()->dropped_checkpoint());
    EXPECT_TRUE(same.value()->load(state).value());
  }
  const auto changed = open("command/others", "");
  ASSERT_TRUE(changed.ok());
  EXPECT_TRUE(changed.value()->dropped_checkpoint());
  EXPECT_FALSE(changed.value()->load(state).value());
}

TEST(Workspace, MakesFoldersAboveAndReplacesAnEmptyFolder) {
  const ScratchFolder folder;
  Workspace::Settings settings = settings_in(folder);
  settings.output = folder / "a/b/out";
  {
    auto opened = Workspace::open(unsynced(), settings);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    ASSERT_TRUE(opened.value()->publish().ok());
  }
  std::filesystem::create_directories(folder / "empty");
  settings.output = folder / "empty";
  EXPECT_FALSE(Workspace::finished(unsynced(), settings).value().has_value());
  auto opened = Workspace::open(unsynced(), settings);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  folder.write("empty.partial/out/a.jsonl", "kept");
  ASSERT_TRUE(opened.value()->publish().ok());
  EXPECT_EQ(folder.read("empty/a.jsonl"), "kept");
  folder.write("file", "mine");
  settings.output = folder / "file/out";
  EXPECT_EQ(Workspace::open(unsynced(), settings).error().message,
            "cannot make " + (folder / "file/out") + ": " + (folder / "file") + " is not a folder");
}

TEST(Workspace, TakesNoFolderThatIsNotItsOwn) {
  const ScratchFolder folder;
  folder.write("out.partial/novel.txt", "chapter one");
  const auto opened = Workspace::open(unsynced(), settings_in(folder));
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::usage);
  EXPECT_EQ(folder.read("out.partial/novel.txt"), "chapter one");
  std::filesystem::remove_all(folder / "out.partial");
  folder.write("out.partial", "a file");
  EXPECT_FALSE(Workspace::open(unsynced(), settings_in(folder)).ok());
  EXPECT_EQ(folder.read("out.partial"), "a file");
  // A run killed right at its start has left only a lock: that folder is twinset's.
  std::filesystem::remove(folder / "out.partial");
  folder.write("out.partial/lock", "123");
  folder.write("out.partial/identity.partial", "m");
  EXPECT_TRUE(Workspace::open(unsynced(), settings_in(folder)).ok());
}

}  // namespace
}  // namespace twinset
