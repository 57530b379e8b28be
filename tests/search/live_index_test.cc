// LiveIndex: many threads ask and change one index; what was acknowledged is there whatever
// happens to the process, the disk or the folder, and bad input is refused in words.
#include "twinset/live_index.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include "search/index.h"
#include "search/search_testing.h"
#include "support/faulty_files.h"
#include "support/tries.h"
#include "twinset/hits.h"

namespace twinset::testing {
namespace {

NewDocument document_of(std::uint64_t number, std::uint64_t version = 0) {
  NewDocument document;
  document.id = "\"d" + std::to_string(number) + "\"";
  document.text = words_of(number << 8 | version, 60);
  document.url = "http://h.org/" + std::to_string(number);
  document.date = "2026-01-" + std::to_string(10 + version);
  document.fields = "{\"version\": " + std::to_string(version) + "}";
  return document;
}

struct LiveFolder : SearchFolder {
  explicit LiveFolder(bool texts = false) {
    options.settings.scheme = {"mod", "fss"};
    options.settings.texts = texts;
    EXPECT_TRUE(create().ok());
  }
  LiveIndex open(LiveAccess access = LiveAccess::change) const {
    auto live = LiveIndex::open(options.index, access);
    EXPECT_TRUE(live.ok()) << live.error().message;
    return std::move(live).value();
  }
};

AddedDocuments add(const LiveIndex& live, const std::vector<NewDocument>& documents) {
  const auto added = live.add(documents);
  EXPECT_TRUE(added.ok()) << added.error().message;
  return added.ok() ? added.value() : AddedDocuments();
}

TEST(LiveIndex, TellsWhatItAddedAndRemoved) {
  LiveFolder toy(true);
  const LiveIndex live = toy.open();
  const std::shared_ptr<const Index> empty = live.current();
  AddedDocuments added = add(live, {document_of(1), document_of(2), document_of(1, 1)});
  EXPECT_EQ(added.added, 2U);
  EXPECT_EQ(added.replaced, 0U);
  EXPECT_EQ(added.repeated, 1U);
  added = add(live, {document_of(1, 1), document_of(2, 3), document_of(3)});
  EXPECT_EQ(added.added, 2U);
  EXPECT_EQ(added.replaced, 1U);
  EXPECT_EQ(added.unchanged, 1U);
  const std::shared_ptr<const Index> now = live.current();
  EXPECT_EQ(live.current(), now) << "no change since then";
  EXPECT_EQ(empty->stats().documents, 0U) << "as it was";
  EXPECT_EQ(now->stats().documents, 3U);
  const IndexAnswer answer = now->query(document_of(2, 3).text).value();
  ASSERT_EQ(answer.hits.size(), 1U);
  EXPECT_EQ(answer.hits.front().document.id, "\"d2\"");
  EXPECT_EQ(answer.hits.front().document.date, "2026-01-13");
  EXPECT_EQ(answer.hits.front().document.fields, "{\"version\": 3}");
  for (const std::string name : {"d2", "\"d2\"", "http://h.org/2"}) {
    const auto stored = now->document(name).value();
    ASSERT_TRUE(stored.has_value()) << name;
    EXPECT_EQ(stored->text, document_of(2, 3).text);
    EXPECT_EQ(stored->document.url, "http://h.org/2");
  }
  EXPECT_FALSE(now->document("d99").value().has_value());
  const std::vector<std::string> ids{"\"d1\"", "\"d9\"", "\"d1\"", "7", "\"\\u00643\""};
  const DeletedDocuments deleted = live.remove(ids).value();
  EXPECT_EQ(deleted.deleted, 2U);
  EXPECT_EQ(deleted.not_there, (std::vector<std::string>{"\"d9\"", "7"}));
  EXPECT_EQ(live.current()->stats().documents, 1U);
  EXPECT_EQ(toy.all().size(), 1U);
}

TEST(LiveIndex, IdsAreJsonValuesInOneForm) {
  LiveFolder toy;
  const LiveIndex live = toy.open();
  NewDocument document = document_of(1);
  for (const char* id : {"\"\\u0061\\/b\"", "17", "{\"a\": [1, 2]}", "true", " \"with space\" "}) {
    document.id = id;
    add(live, {document});
  }
  document.id = "\"a/b\"";
  document.text += " and more";
  EXPECT_EQ(add(live, {document}).replaced, 1U);
  EXPECT_EQ(live.current()->stats().documents, 5U);
  EXPECT_TRUE(live.current()->find("with space").value().has_value());
  EXPECT_TRUE(live.current()->find("17").value().has_value());
}

TEST(LiveIndex, BadDocumentsAreRefusedAndNoneOfTheirCallIsAdded) {
  LiveFolder toy;
  const LiveIndex live = toy.open();
  const auto refused = [&](const NewDocument& bad) {
    const std::vector<NewDocument> all{document_of(1), bad, document_of(2)};
    const auto added = live.add(all);
    EXPECT_FALSE(added.ok()) << bad.id;
    EXPECT_EQ(added.error().code, ErrorCode::usage);
    return added.error().message;
  };
  NewDocument bad = document_of(3);
  for (const char* id : {"", "null", "d3", "\"d3", "{", "1 2", "\"a\" \"b\""}) {
    bad.id = id;
    EXPECT_EQ(refused(bad),
              "document 2 has no id: that is a string, a number or another JSON value");
  }
  bad = document_of(3);
  for (const char* fields : {"[]", "7", "{", "{\"a\": }", "{} {}"}) {
    bad.fields = fields;
    EXPECT_EQ(refused(bad), "document 2: its fields are no JSON object");
  }
  EXPECT_EQ(live.current()->stats().documents, 0U);
  EXPECT_FALSE(live.remove(std::vector<std::string>{"\"d1\"", "d1"}).ok());
  EXPECT_EQ(add(live, {}).added, 0U);
  // Any bytes are a text.
  bad = document_of(4);
  bad.text = std::string("\xff\xfe\0 not UTF-8", 13);
  EXPECT_EQ(add(live, {bad}).added, 1U);
  bad.text.clear();
  EXPECT_EQ(add(live, {bad}).replaced, 1U);
}

/// What an index holds of its first document is the same, whoever added it.
TEST(LiveIndex, SchemesSeeTheFieldsOfDocuments) {
  NewDocument document = document_of(1);
  const std::string title = words_of(77, 30);
  document.fields = "{\"title\": \"" + title + "\"}";
  const auto sketch_in = [](const SearchFolder& toy) {
    const Index index = Index::open(toy.options.index).value();
    const Segment& segment = *OpenIndex::snapshot(index).parts().front().segment;
    const auto sketch = segment.sketch(0, 0).value();
    return std::vector<std::uint8_t>(sketch.begin(), sketch.end());
  };
  SearchFolder batch;
  SearchFolder live;
  SearchFolder without;
  for (SearchFolder* toy : {&batch, &live, &without}) {
    toy->options.settings.scheme = {"simhash(fields=title)"};
    ASSERT_TRUE(toy->create().ok());
  }
  batch.options.field = {"title"};
  ASSERT_TRUE(batch.add(record_line("d1", document.text, ", \"title\": \"" + title + "\"")).ok());
  add(LiveIndex::open(live.options.index, LiveAccess::change).value(), {document});
  document.fields.clear();
  add(LiveIndex::open(without.options.index, LiveAccess::change).value(), {document});
  EXPECT_EQ(sketch_in(live), sketch_in(batch));
  EXPECT_NE(sketch_in(without), sketch_in(batch));
}

TEST(LiveIndex, OneProcessChangesAndIsNamedToOthers) {
  LiveFolder toy;
  const LiveIndex live = toy.open();
  const auto second = LiveIndex::open(toy.options.index, LiveAccess::change);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("is being changed by"), std::string::npos);
  EXPECT_EQ(second.error().code, ErrorCode::io);
  EXPECT_FALSE(toy.add(record_line("a", "a text of words")).ok());
  const LiveIndex reader = toy.open(LiveAccess::read);
  EXPECT_EQ(reader.add(std::vector<NewDocument>{document_of(1)}).error().code, ErrorCode::usage);
  EXPECT_EQ(reader.remove(std::vector<std::string>{"\"a\""}).error().code, ErrorCode::usage);
  EXPECT_FALSE(LiveIndex::open("", LiveAccess::read).ok());
  EXPECT_FALSE(LiveIndex::open(toy.folder / "none", LiveAccess::read).ok());
  EXPECT_FALSE(LiveIndex::open(toy.folder / "none", LiveAccess::change).ok());
}

TEST(LiveIndex, AReaderFollowsWhoChangesIt) {
  LiveFolder toy;
  const LiveIndex reader = toy.open(LiveAccess::read);
  EXPECT_FALSE(reader.refresh().value());
  {
    const LiveIndex writer = toy.open();
    add(writer, {document_of(1)});
    EXPECT_EQ(reader.current()->stats().documents, 0U) << "not looked at again so soon";
    EXPECT_TRUE(reader.refresh().value());
    EXPECT_FALSE(reader.refresh().value());
    EXPECT_EQ(reader.current()->stats().documents, 1U);
    add(writer, {document_of(2)});
  }
  std::vector<NewDocument> many;
  for (std::uint64_t i = 0; i < 600; ++i) many.push_back(document_of(i));
  add(toy.open(), many);
  // Without being asked it looks once a second.
  for (int i = 0; i < 300 && reader.current()->stats().documents != 600; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(reader.current()->stats().documents, 600U);
  EXPECT_FALSE(reader.trouble().has_value());
}

TEST(LiveIndex, AFolderThatVanishesIsAskedOnAndToldOf) {
  for (const LiveAccess access : {LiveAccess::read, LiveAccess::change}) {
    LiveFolder toy(true);
    add(toy.open(), {document_of(1), document_of(2)});
    const LiveIndex live = toy.open(access);
    ASSERT_TRUE(disk().rename(toy.options.index, toy.folder / "old").ok());
    EXPECT_FALSE(live.refresh().ok());
    ASSERT_TRUE(live.trouble().has_value());
    EXPECT_NE(live.trouble()->message.find("there is no index"), std::string::npos);
    EXPECT_EQ(live.current()->query(document_of(1).text).value().hits.size(), 1U);
    EXPECT_EQ(live.current()->document("d2").value()->text, document_of(2).text);
    if (access == LiveAccess::change) {
      EXPECT_FALSE(live.add(std::vector<NewDocument>{document_of(3)}).ok());
    }
    // Another index stands in its place.
    EXPECT_TRUE(toy.create().ok());
    EXPECT_TRUE(live.refresh().value());
    EXPECT_FALSE(live.trouble().has_value());
    EXPECT_EQ(live.current()->stats().documents, 0U);
    if (access == LiveAccess::change) {
      EXPECT_EQ(add(live, {document_of(3)}).added, 1U);
    }
  }
}

TEST(LiveIndex, AFullDiskRefusesAndWorksOnOnceThereIsRoom) {
  LiveFolder toy;
  FaultyFiles files(disk());
  RunControl control;
  control.files = &files;
  const LiveIndex live = LiveIndex::open(toy.options.index, LiveAccess::change, control).value();
  add(live, {document_of(1)});
  files.limit_bytes(100);
  for (std::uint64_t i = 2; i < 5; ++i) {
    const auto refused = live.add(std::vector<NewDocument>{document_of(i)});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::io);
    EXPECT_TRUE(live.trouble().has_value());
    EXPECT_EQ(live.current()->query(document_of(1).text).value().hits.size(), 1U);
  }
  files.limit_bytes(std::uint64_t{1} << 40);
  add(live, {document_of(5)});
  EXPECT_FALSE(live.trouble().has_value());
  EXPECT_EQ(live.current()->query(document_of(1).text).value().hits.size(), 1U);
  EXPECT_EQ(live.current()->query(document_of(5).text).value().hits.size(), 1U);
}

/// Readers of one process, and of another one, beside threads that change: each answer is that of
/// one state, which has all that was acknowledged before.
TEST(LiveIndex, ManyAskAndChangeAtOnce) {
  for (const bool texts : {false, true}) {
    LiveFolder toy(texts);
    const LiveIndex live = toy.open();
    const LiveIndex beside = toy.open(LiveAccess::read);
    constexpr std::uint64_t threads = 4;
    const std::uint64_t rounds = tries(60);
    std::atomic<std::uint64_t> acknowledged[threads] = {};
    std::atomic<bool> ends = false;
    std::vector<std::thread> all;
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
      all.emplace_back([&, thread] {
        for (std::uint64_t round = 1; round <= rounds; ++round) {
          // Two documents that are there together or not at all.
          const std::uint64_t number = thread * 10'000 + round * 2;
          add(live, {document_of(number), document_of(number + 1)});
          acknowledged[thread] = round;
          if (round % 5 == 0) {
            const std::vector<std::string> gone{document_of(number).id, document_of(number + 1).id};
            EXPECT_EQ(live.remove(gone).value().deleted, 2U);
          }
        }
      });
    }
    std::vector<std::thread> askers;
    for (const LiveIndex* asked : {&live, &live, &beside}) {
      askers.emplace_back([&, asked] {
        for (std::uint64_t i = 0; !ends; ++i) {
          const std::uint64_t thread = i % threads;
          const std::uint64_t known = acknowledged[thread];
          const std::shared_ptr<const Index> index = asked->current();
          EXPECT_EQ(index->stats().documents % 2, 0U) << "a batch is whole";
          if (asked == &beside && i % 8 == 0) {
            EXPECT_TRUE(beside.refresh().ok());
          }
          if (known == 0 || asked == &beside) continue;
          const std::uint64_t wanted = 1 + mix64(i) % known;
          const NewDocument document = document_of(thread * 10'000 + wanted * 2);
          const auto answer = index->query(document.text);
          ASSERT_TRUE(answer.ok()) << answer.error().message;
          if (wanted % 5 == 0) continue;  // It may be gone.
          ASSERT_EQ(answer.value().hits.size(), 1U);
          EXPECT_EQ(answer.value().hits.front().document.id, document.id);
          EXPECT_EQ(index->lookup(document.url).value().documents.size(), 1U);
          EXPECT_EQ(index->locate(document.url).value().status, PageStatus::here);
          HitList hits;
          hits.hits.push_back({.id = document.id.substr(1, document.id.size() - 2)});
          EXPECT_TRUE(index->group(hits, {}).ok());
        }
      });
    }
    for (std::thread& thread : all) thread.join();
    ends = true;
    for (std::thread& thread : askers) thread.join();
    const std::uint64_t left = threads * 2 * (rounds - rounds / 5);
    EXPECT_EQ(live.current()->stats().documents, left);
    EXPECT_TRUE(beside.refresh().ok());
    EXPECT_EQ(beside.current()->stats().documents, left);
    EXPECT_EQ(toy.all().size(), left);
  }
}

/// Adds from several threads, and tells each to the pipe once it is durable.
void add_until_killed(const std::string& index, std::uint64_t first, int acknowledged) {
  const auto live = LiveIndex::open(index, LiveAccess::change);
  if (!live.ok()) return;
  std::vector<std::thread> all;
  for (std::uint64_t thread = 0; thread < 4; ++thread) {
    all.emplace_back([&, thread] {
      for (std::uint64_t number = first + thread;; number += 4) {
        if (!live.value().add(std::vector<NewDocument>{document_of(number)}).ok()) return;
        if (write(acknowledged, &number, sizeof number) != sizeof number) return;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}

TEST(LiveIndex, NothingAcknowledgedIsLostByAKill) {
  LiveFolder toy;
  std::set<std::uint64_t> acknowledged;
  std::uint64_t first = 0;
  for (std::uint64_t kills = 0; kills < tries(20); ++kills) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      add_until_killed(toy.options.index, first, ends[1]);
      _exit(1);
    }
    close(ends[1]);
    std::uint64_t told = 0;
    for (std::uint64_t i = mix64(kills) % 40; i > 0; --i) {
      ASSERT_EQ(read(ends[0], &told, sizeof told), static_cast<ssize_t>(sizeof told));
      acknowledged.insert(told);
    }
    usleep(static_cast<useconds_t>(mix64(kills) >> 8) % 3000);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
    while (read(ends[0], &told, sizeof told) == sizeof told) acknowledged.insert(told);
    close(ends[0]);
    const auto index = Index::open(toy.options.index);
    ASSERT_TRUE(index.ok()) << index.error().message;
    for (const std::uint64_t number : acknowledged) {
      EXPECT_TRUE(index.value().find("d" + std::to_string(number)).value().has_value()) << number;
    }
    // No more than one of each thread was under way.
    EXPECT_LE(index.value().stats().documents, acknowledged.size() + 4 * (kills + 1));
    first += 10'000;
  }
  EXPECT_GT(acknowledged.size(), 20U);
}

}  // namespace
}  // namespace twinset::testing
