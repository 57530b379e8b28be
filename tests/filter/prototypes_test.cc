// Prototypes: what was added is found, what was removed or has expired is not, also after a new
// start; and what cannot be told is unknown, never a match.
#include "filter/prototypes.h"

#include <set>
#include <thread>

#include "filter/filter_testing.h"
#include "support/faulty_files.h"

namespace twinset::testing {
namespace {

// I-16: prototypes are added and removed while messages pass.
TEST(Prototypes, AreFoundFromAddToRemoveAndAfterANewStart) {
  for (const char* scheme : {"fss", "simhash", "mod(samples=64)", "minhash"}) {
    ToySet toy;
    toy.options.settings.scheme = {scheme};
    toy.open();
    const std::string spam = message_of(1, 200);
    EXPECT_EQ(toy.matched(spam), "");
    ASSERT_TRUE(
        toy.change({ToySet::adding("a", spam), ToySet::adding("b", message_of(2, 200))}).ok());
    EXPECT_EQ(toy.matched(spam), "\"a\"") << scheme;
    EXPECT_EQ(toy.matched(spam + " one"), "\"a\"") << scheme;
    EXPECT_EQ(toy.matched(message_of(3, 200)), "");
    toy.open();
    EXPECT_EQ(toy.matched(spam), "\"a\"") << scheme;
    std::vector<PrototypeChange> gone{ToySet::removing("a"), ToySet::removing("nobody")};
    ASSERT_TRUE(toy.prototypes->change(gone).ok());
    EXPECT_TRUE(gone[0].was_there);
    EXPECT_FALSE(gone[1].was_there);
    EXPECT_EQ(toy.matched(spam), "");
    toy.open();
    EXPECT_EQ(toy.matched(spam), "");
    EXPECT_EQ(toy.matched(message_of(2, 200)), "\"b\"");
  }
}

TEST(Prototypes, ChangesOfOneIdCountInTheirOrder) {
  ToySet toy;
  toy.open();
  const std::string first = message_of(1, 100);
  const std::string second = message_of(2, 100);
  ASSERT_TRUE(toy.change({ToySet::adding("a", first), ToySet::adding("a", second)}).ok());
  EXPECT_EQ(toy.matched(first), "");
  EXPECT_EQ(toy.matched(second), "\"a\"");
  ASSERT_TRUE(toy.change({ToySet::adding("b", first), ToySet::removing("b")}).ok());
  EXPECT_EQ(toy.matched(first), "");
  ASSERT_TRUE(toy.change({ToySet::removing("a"), ToySet::adding("a", first)}).ok());
  EXPECT_EQ(toy.matched(first), "\"a\"");
  EXPECT_EQ(toy.prototypes->stats(1).value().prototypes, 1U);
}

TEST(Prototypes, WhatCannotBeToldIsUnknown) {
  ToySet toy;
  toy.open();
  std::vector<PrototypeChange> changes{ToySet::adding("short", "only four words here"),
                                       ToySet::adding("empty", "")};
  ASSERT_TRUE(toy.prototypes->change(changes).ok());
  EXPECT_NE(changes[0].refused.find("at least 5 tokens, and this has 4"), std::string::npos);
  EXPECT_FALSE(changes[1].refused.empty());
  for (const std::string text : {"", "only four words here", "\xff\xfe", "!!! ... ???"}) {
    const FilterAnswer answer = toy.check(text);
    EXPECT_EQ(answer.verdict, FilterVerdict::unknown) << text;
    EXPECT_EQ(answer.why, WhyUnknown::few_tokens) << text;
  }
  EXPECT_EQ(toy.prototypes->stats(1).value().prototypes, 0U);
}

TEST(Prototypes, KeysOfTooManyAreSkippedAndSaid) {
  ToySet toy;
  toy.options.max_group = 20;
  toy.open();
  std::vector<PrototypeChange> changes;
  const std::string text = message_of(1, 300);
  for (int i = 0; i < 40; ++i) {
    changes.push_back(ToySet::adding(
        std::to_string(i), text + " " + message_of(100 + static_cast<std::uint64_t>(i), 3)));
  }
  ASSERT_TRUE(toy.prototypes->change(changes).ok());
  const FilterAnswer answer = toy.check(text + " something else");
  EXPECT_EQ(answer.verdict, FilterVerdict::unknown);
  EXPECT_EQ(answer.why, WhyUnknown::common_keys);
  EXPECT_EQ(toy.matched(changes[7].text), "\"7\"") << "a copy is found by its tokens";
}

TEST(Prototypes, GoByAgeAndByUse) {
  constexpr std::int64_t day = 86'400;
  ToySet toy;
  toy.options.expire_after = 30;
  toy.options.expire_unused = 10;
  toy.open();
  const auto text = [](int i) { return message_of(static_cast<std::uint64_t>(i), 80); };
  ASSERT_TRUE(toy.change({ToySet::adding("0", text(0)), ToySet::adding("1", text(1))}).ok());
  toy.now += 5 * day;
  ASSERT_TRUE(toy.change({ToySet::adding("2", text(2))}).ok());
  EXPECT_EQ(toy.matched(text(0)), "\"0\"");
  toy.now += 6 * day;
  // Prototype 1 was not matched for 11 days, 0 was 6 days ago, and 2 is 6 days old.
  EXPECT_EQ(toy.prototypes->expire().value(), 1U);
  EXPECT_EQ(toy.matched(text(1)), "");
  EXPECT_EQ(toy.matched(text(0)), "\"0\"");
  toy.open();
  for (int i = 0; i < 3; ++i) {
    toy.now += 6 * day;
    EXPECT_EQ(toy.matched(text(0)), "\"0\"");
    EXPECT_EQ(toy.prototypes->expire().value(), i == 0 ? 1U : 0U) << i;
  }
  toy.now += 2 * day;
  EXPECT_EQ(toy.prototypes->expire().value(), 1U) << "31 days old, although it was used";
  EXPECT_EQ(toy.prototypes->stats(1).value().prototypes, 0U);
  toy.options.expire_after = toy.options.expire_unused = UINT64_MAX;
  ASSERT_TRUE(toy.change({ToySet::adding("kept", text(5))}).ok());
  toy.now += 1000 * day;
  EXPECT_EQ(toy.prototypes->expire().value(), 0U) << "never";
  ASSERT_TRUE(toy.change({ToySet::removing("kept")}).ok());
  toy.options.expire_after = 30;
  toy.options.expire_unused = 10;
  // What is added is told apart from what went, and a change looks for expired ones by itself.
  ASSERT_TRUE(toy.change({ToySet::adding("0", text(0))}).ok());
  EXPECT_EQ(toy.matched(text(0)), "\"0\"");
  toy.now += 31 * day;
  ASSERT_TRUE(toy.change({}).ok());
  EXPECT_EQ(toy.matched(text(0)), "");
}

TEST(Prototypes, ExpiredOnesGoWhenASetIsOpened) {
  ToySet toy;
  toy.options.expire_after = 3;
  toy.open();
  ASSERT_TRUE(toy.change({ToySet::adding("a", message_of(1, 50))}).ok());
  toy.now += 4 * 86'400;
  toy.open();
  EXPECT_EQ(toy.matched(message_of(1, 50)), "");
}

TEST(Prototypes, CountsOfThoseThatAreGoneAreForgotten) {
  ToySet toy;
  toy.open();
  ASSERT_TRUE(toy.change({ToySet::adding("a", message_of(1, 50))}).ok());
  const auto asked = toy.prototypes->snapshot();
  FilterAnswer answer{FilterVerdict::match, WhyUnknown::known, IndexHit()};
  answer.prototype->document.id = "\"a\"";
  ASSERT_TRUE(toy.prototypes->count(answer, asked).ok());
  EXPECT_EQ(toy.prototypes->counts().of("\"a\"")->matches, 1U);
  // A check that began before the change counts after it.
  ASSERT_TRUE(toy.change({ToySet::removing("a")}).ok());
  ASSERT_TRUE(toy.prototypes->count(answer, asked).ok());
  EXPECT_EQ(toy.prototypes->counts().of("\"a\""), std::nullopt);
  EXPECT_TRUE(toy.prototypes->stats(10).value().most_matched.empty());
}

TEST(Prototypes, CountsOfAnotherProgramsDeletionsAreForgotten) {
  ToySet toy;
  toy.open();
  ASSERT_TRUE(toy.change({ToySet::adding("b", message_of(2, 50))}).ok());
  EXPECT_EQ(toy.matched(message_of(2, 50)), "\"b\"");
  toy.prototypes.reset();
  {
    const RunContext context = context_of(toy.control);
    const auto writer = IndexWriter::open(context, "set", "t").value();
    ASSERT_TRUE(writer->remove("\"b\"").value());
    ASSERT_TRUE(writer->commit().ok());
  }
  EXPECT_EQ(toy.open().counts().of("\"b\""), std::nullopt);
}

TEST(Prototypes, AnEmptyFolderIsASetToBeMade) {
  ToySet toy;
  ASSERT_TRUE(toy.files.make_directory("set").ok());
  toy.open();
  ASSERT_TRUE(toy.change({ToySet::adding("a", message_of(1, 50))}).ok());
  EXPECT_EQ(toy.matched(message_of(1, 50)), "\"a\"");
}

TEST(Prototypes, ASetThatWasMadeForMoreResemblanceSaysSo) {
  ToySet toy;
  toy.options.resemblance = Ratio(9, 10);
  EXPECT_EQ(toy.open().warning(), "");
  toy.options.resemblance = Ratio(1, 2);
  EXPECT_NE(toy.open().warning().find("was made for a resemblance of 0.9"), std::string::npos);
}

TEST(Prototypes, CountsSurviveANewStart) {
  ToySet toy;
  toy.open();
  ASSERT_TRUE(
      toy.change({ToySet::adding("a", message_of(1, 50)), ToySet::adding("b", message_of(2, 50))})
          .ok());
  for (int i = 0; i < 3; ++i) toy.matched(message_of(1, 50));
  toy.now += 100;
  toy.matched(message_of(2, 50));
  toy.check("short");
  FilterStats stats = toy.prototypes->stats(10).value();
  EXPECT_EQ(stats.checked, 5U);
  EXPECT_EQ(stats.matched, 4U);
  EXPECT_EQ(stats.unknown, 1U);
  toy.open();
  stats = toy.prototypes->stats(10).value();
  EXPECT_EQ(stats.checked, 0U) << "since it was opened";
  ASSERT_EQ(stats.most_matched.size(), 2U);
  EXPECT_EQ(stats.most_matched[0].id, "\"a\"");
  EXPECT_EQ(stats.most_matched[0].matches, 3U);
  EXPECT_EQ(stats.most_matched[0].added, "1970-01-12T13:46:40Z");
  EXPECT_EQ(stats.most_matched[1].first_seen, "1970-01-12T13:48:20Z");
}

TEST(Prototypes, ASetOfAnotherSchemeIsAnError) {
  ToySet toy;
  toy.open();
  toy.prototypes.reset();
  toy.options.settings.scheme = {"simhash"};
  const auto opened = Prototypes::open(toy.options, toy.control, system_clocks());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::usage);
  EXPECT_NE(opened.error().message.find("set was made with "), std::string::npos);
  EXPECT_NE(opened.error().message.find("fss("), std::string::npos);
  toy.options.settings.scheme.clear();
  toy.options.settings.analyzer = "code";
  EXPECT_EQ(Prototypes::open(toy.options, toy.control, system_clocks()).error().code,
            ErrorCode::usage);
  toy.options.settings.analyzer = "words";
  toy.options.settings.distance = 5;
  EXPECT_EQ(Prototypes::open(toy.options, toy.control, system_clocks()).error().code,
            ErrorCode::usage);
}

TEST(Prototypes, AfterAFailedChangeQuestionsAreAnsweredAndTheNextIsTaken) {
  ToySet toy;
  FaultyFiles disk(toy.files);
  toy.control.files = &disk;
  toy.open();
  ASSERT_TRUE(toy.change({ToySet::adding("a", message_of(1, 50))}).ok());
  disk.limit_bytes(10);
  ASSERT_FALSE(toy.change({ToySet::removing("a")}).ok());
  ASSERT_FALSE(toy.change({ToySet::adding("b", message_of(2, 50))}).ok());
  EXPECT_EQ(toy.matched(message_of(1, 50)), "\"a\"");
  EXPECT_EQ(toy.matched(message_of(2, 50)), "");
  disk.limit_bytes(std::uint64_t{1} << 40);
  ASSERT_TRUE(toy.change({ToySet::adding("b", message_of(2, 50))}).ok());
  EXPECT_EQ(toy.matched(message_of(1, 50)), "\"a\"");
  EXPECT_EQ(toy.matched(message_of(2, 50)), "\"b\"");
  toy.open();
  EXPECT_EQ(toy.matched(message_of(1, 50)), "\"a\"");
  EXPECT_EQ(toy.matched(message_of(2, 50)), "\"b\"");
  toy.prototypes.reset();  // It writes its counts to the disk.
}

/// Checks run beside changes, seals and merges: what was acknowledged before a check began is
/// found.
TEST(Prototypes, QuestionsBesideChangesFindWhatWasAcknowledged) {
  ToySet toy;
  toy.options.sketches = true;
  toy.open();
  std::atomic<std::uint64_t> acknowledged = 0;
  constexpr std::uint64_t all = 3000;
  std::thread changes([&] {
    for (std::uint64_t i = 0; i < all; i += 30) {
      std::vector<PrototypeChange> batch;
      for (std::uint64_t j = i; j < i + 30; ++j) {
        batch.push_back(ToySet::adding(std::to_string(j), message_of(j, 30)));
      }
      ASSERT_TRUE(toy.prototypes->change(batch).ok());
      acknowledged = i + 30;
    }
  });
  std::vector<std::thread> askers;
  for (std::uint64_t asker = 0; asker < 2; ++asker) {
    askers.emplace_back([&, asker] {
      PrototypeChecker checker(*toy.prototypes);
      for (std::uint64_t i = 0; acknowledged < all; ++i) {
        const std::uint64_t known = acknowledged;
        if (known == 0) continue;
        const std::uint64_t wanted = mix64(asker << 40 | i) % known;
        const std::string text = message_of(wanted, 30);
        Record record;
        record.text = text;
        const auto answer = checker.check(record);
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        ASSERT_TRUE(answer.value().prototype.has_value()) << wanted << " of " << known;
        EXPECT_EQ(answer.value().prototype->document.id, "\"" + std::to_string(wanted) + "\"");
      }
    });
  }
  changes.join();
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(toy.prototypes->stats(1).value().prototypes, all);
}

}  // namespace
}  // namespace twinset::testing
