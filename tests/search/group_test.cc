// Index::group(): groups as a slow comparison of each hit with each lead makes them, and answers
// that are the same, to the byte, whether hidden documents are there or not.
#include "search/group.h"

#include <algorithm>
#include <set>

#include "search/search_testing.h"
#include "twinset/pair.h"

namespace twinset::testing {
namespace {

using HitIds = std::vector<std::string>;

HitList list_of(const HitIds& ids) {
  HitList list;
  for (const std::string& id : ids) list.hits.push_back({.id = id});
  return list;
}

HitIds plain(const HitIds& quoted) {
  HitIds ids;
  for (const std::string& id : quoted) ids.push_back(read_json(id, "id").value().text());
  return ids;
}

/// The ids of each group's members, the best one first.
std::vector<HitIds> groups_of(const GroupedHits& grouped) {
  std::vector<HitIds> groups;
  for (const HitGroup& group : grouped.groups) {
    HitIds& ids = groups.emplace_back(HitIds{group.best});
    for (const GroupedHit& member : group.members) {
      if (!member.best) ids.push_back(member.id);
    }
    ids = plain(ids);
  }
  return groups;
}

HitIds order_of(const GroupedHits& grouped) {
  HitIds ids;
  for (const ShownHit& shown : grouped.order) ids.push_back(shown.id);
  return plain(ids);
}

Index opened(const SearchFolder& folder) { return Index::open(folder.options.index).value(); }

/// Texts in families of an original and edits of more and more words, in mixed order.
struct MadeText {
  std::string id;
  std::string text;
};
std::vector<MadeText> made_families(std::uint64_t families, std::uint64_t seed) {
  std::vector<MadeText> made;
  for (std::uint64_t family = 0; family < families; ++family) {
    const std::size_t words = 20 + mix64(seed + family) % 200;
    for (std::uint64_t copy = 0; copy < 5; ++copy) {
      std::string text;
      for (std::size_t i = 0; i < words; ++i) {
        const bool is_edited = mix64(seed << 32 | family << 20 | copy << 10 | i) % 100 < copy * 4;
        text += (is_edited ? " e" + std::to_string(copy) + "x" : " w") +
                std::to_string(mix64(family << 20 | i) % 20'000);
      }
      made.push_back({"f" + std::to_string(family) + "." + std::to_string(copy), text});
    }
  }
  std::ranges::sort(
      made, {}, [&](const MadeText& of) { return mix64(seed + std::hash<std::string>()(of.id)); });
  return made;
}

/// Stars, the slow way: each hit is compared with each lead before it.
template <class Resembles>
std::vector<HitIds> slow_groups(const std::vector<MadeText>& hits, const Resembles& resembles) {
  std::vector<std::size_t> leads;
  std::vector<HitIds> groups;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto lead = std::ranges::find_if(leads, [&](std::size_t of) { return resembles(i, of); });
    if (lead == leads.end()) {
      leads.push_back(i);
      groups.push_back({hits[i].id});
    } else {
      groups[static_cast<std::size_t>(lead - leads.begin())].push_back(hits[i].id);
    }
  }
  return groups;
}

// B-26: the groups of a result list, by sketches and by texts, held against all pairs.
TEST(GroupHits, AreThoseOfAllPairs) {
  for (const char* const spec : {"mod(samples=64)", "fss", "minhash(values=64)", "simhash"}) {
    for (const bool texts : {false, true}) {
      for (const Ratio least : {Ratio(2, 5), Ratio(1, 2), Ratio(4, 5)}) {
        const std::vector<MadeText> made = made_families(40, 7);
        SearchFolder folder;
        folder.options.settings.scheme = {spec};
        folder.options.settings.texts = texts;
        ASSERT_TRUE(folder.create().ok());
        std::string lines;
        for (const MadeText& of : made) lines += record_line(of.id, of.text);
        ASSERT_TRUE(folder.add(lines).ok());
        const TextScheme scheme = make_scheme(spec).value();
        std::vector<TextSketch> sketches;
        for (const MadeText& of : made) sketches.push_back(scheme.sketch(of.text).value());
        const auto by_sketch = [&](std::size_t a, std::size_t b) {
          const Comparison found = scheme.compare(sketches[a], sketches[b]).value();
          if (found.distance.has_value()) return found.distance->differ <= 3;
          return found.resemblance.has_value() &&
                 static_cast<std::uint64_t>(std::round(found.resemblance->value * 1e6)) *
                         least.denominator() >=
                     std::uint64_t{least.numerator()} * 1'000'000;
        };
        const auto by_text = [&](std::size_t a, std::size_t b) {
          const Result<ExactShare> exact = resemblance(made[a].text, made[b].text);
          return by_sketch(a, b) && scheme.compare(sketches[a], sketches[b]).value().distance
                     ? true
                     : exact.value().value >= least.value() - 1e-12;
        };
        HitIds ids;
        for (const MadeText& of : made) ids.push_back(of.id);
        GroupSettings settings;
        settings.resemblance = least;
        settings.sketches = !texts;
        const Index index = opened(folder);
        const auto grouped = index.group(list_of(ids), settings);
        ASSERT_TRUE(grouped.ok()) << grouped.error().message;
        // What is held of the texts changes nothing.
        EXPECT_EQ(to_json(index.group(list_of(ids), settings).value()), to_json(grouped.value()));
        if (!texts) {
          EXPECT_EQ(groups_of(grouped.value()), slow_groups(made, by_sketch))
              << spec << " " << least.text();
        } else if (!scheme.compare(sketches[0], sketches[0]).value().distance) {
          EXPECT_EQ(groups_of(grouped.value()), slow_groups(made, by_text))
              << spec << " " << least.text();
        }
        for (const HitGroup& group : grouped.value().groups) {
          for (const GroupedHit& member : group.members) {
            EXPECT_EQ(member.exact, texts && !member.best);
          }
        }
        // Texts of the list in place of documents give the same groups.
        HitList with_texts = list_of(ids);
        for (std::size_t i = 0; i < made.size(); ++i) with_texts.hits[i].text = made[i].text;
        const auto again = opened(folder).group(with_texts, settings);
        EXPECT_EQ(groups_of(again.value()), groups_of(grouped.value())) << spec;
      }
    }
  }
}

/// An index of small families with fields, and what they are.
struct Library : SearchFolder {
  Library() {
    options.settings.texts = true;
    options.url = "url";
    options.date = "date";
    options.field = {"readers", "quality"};
    EXPECT_TRUE(create().ok());
  }
};

std::string noted(const std::string& id, const std::string& text, const std::string& fields) {
  return record_line(id, text, fields.empty() ? "" : ", " + fields);
}

TEST(GroupHits, TheBestIsTheFirstByARule) {
  Library library;
  const std::string text = words_of(1, 60);
  ASSERT_TRUE(
      library
          .add(noted("a", text,
                     R"("date": "2024-01-01", "quality": 3, "url": "http://a.org/long/path")") +
               noted("b", text + " one more",
                     R"("date": "2026-01-01", "quality": 20, "url": "http://b.org/")") +
               noted("c", text + " two", R"("date": "2025-01-01", "url": "http://c.org/p")") +
               noted("d", words_of(2, 60), ""))
          .ok());
  const Index index = opened(library);
  const auto best = [&](const std::string& rule) {
    GroupSettings settings;
    settings.best = rule;
    const auto grouped = index.group(list_of({"d", "a", "b", "c"}), settings);
    EXPECT_TRUE(grouped.ok()) << grouped.error().message;
    EXPECT_EQ(grouped.value().groups.size(), 2U);
    // The order is kept: a better version takes the place of its group.
    EXPECT_EQ(order_of(grouped.value())[0], "d");
    EXPECT_EQ(order_of(grouped.value())[1], groups_of(grouped.value())[1][0]);
    return groups_of(grouped.value())[1][0];
  };
  EXPECT_EQ(best("first"), "a");
  EXPECT_EQ(best("newest:date"), "b");
  EXPECT_EQ(best("oldest:date"), "a");
  EXPECT_EQ(best("highest:quality"), "b");
  EXPECT_EQ(best("lowest:quality"), "a");
  EXPECT_EQ(best("longest"), "b");
  EXPECT_EQ(best("shortest"), "a");
  EXPECT_EQ(best("shortest-url"), "b");
  // A value that is known only now comes before that of the index.
  HitList list = list_of({"d", "a", "b", "c"});
  list.hits[3].fields = R"({"quality": 99})";
  GroupSettings settings;
  settings.best = "highest:quality";
  EXPECT_EQ(groups_of(index.group(list, settings).value())[1][0], "c");
}

// S-28: of equal copies the one on the least loaded host represents the others.
TEST(GroupHits, OfEqualCopiesTheLeastLoadedHostIsTaken) {
  Library library;
  const std::string text = words_of(1, 60);
  ASSERT_TRUE(library
                  .add(noted("busy", text, R"("url": "http://busy.org/x")") +
                       noted("idle", text, R"("url": "http://idle.org/x")") +
                       noted("near", text + " but longer", R"("url": "http://free.org/x")"))
                  .ok());
  const Index index = opened(library);
  HitList list = list_of({"busy", "idle", "near"});
  EXPECT_EQ(groups_of(index.group(list, {}).value()),
            (std::vector<HitIds>{{"busy", "idle", "near"}}));
  list.load = {{"busy.org", 0.9}, {"idle.org", 0.1}};
  // A near copy is no equal one, whatever the load of its host.
  EXPECT_EQ(groups_of(index.group(list, {}).value()),
            (std::vector<HitIds>{{"idle", "busy", "near"}}));
  list.load = {{"busy.org", 0.1}, {"idle.org", 0.9}};
  EXPECT_EQ(groups_of(index.group(list, {}).value())[0][0], "busy");
  list.load = {{"busy.org", 0.5}, {"idle.org", 0.5}};
  EXPECT_EQ(groups_of(index.group(list, {}).value())[0][0], "busy") << "equal loads leave the rank";
}

// S-27: diverse results, and priorities: near copies behind all others, or left out.
TEST(GroupHits, RestIsDemotedOrSkippedAndHostsTakeTurns) {
  Library library;
  std::string lines;
  for (int i = 0; i < 6; ++i) {
    const std::string host = i < 3 ? "a.org" : "h" + std::to_string(i) + ".org";
    const std::string n = std::to_string(i);
    lines += noted(n, words_of(static_cast<std::uint64_t>(i), 60),
                   R"("url": "http://)" + host + "/" + n + "\"");
    lines += noted(n + "'", words_of(static_cast<std::uint64_t>(i), 60) + " more",
                   R"("url": "http://)" + host + "/" + n + "c\"");
  }
  ASSERT_TRUE(library.add(lines).ok());
  const Index index = opened(library);
  const HitList list = list_of({"0", "0'", "1", "1'", "2", "2'", "3", "4", "5", "3'"});
  GroupSettings settings;
  EXPECT_EQ(order_of(index.group(list, settings).value()),
            (HitIds{"0", "1", "2", "3", "4", "5", "0'", "1'", "2'", "3'"}));
  settings.rest = RestOfGroup::skip;
  const GroupedHits skipped = index.group(list, settings).value();
  EXPECT_EQ(order_of(skipped), (HitIds{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(skipped.groups[0].members[1].action, HitAction::skip);
  EXPECT_EQ(skipped.groups[0].members[0].action, HitAction::show);
  settings.per_group = 2;
  EXPECT_EQ(order_of(index.group(list, settings).value()),
            (HitIds{"0", "0'", "1", "1'", "2", "2'", "3", "4", "5", "3'"}));
  settings.per_group = 1;
  settings.per_host = 1;
  settings.page = 4;
  EXPECT_EQ(order_of(index.group(list, settings).value()), (HitIds{"0", "3", "4", "5", "1", "2"}));
  settings.page = 2;
  EXPECT_EQ(order_of(index.group(list, settings).value()), (HitIds{"0", "3", "1", "2", "4", "5"}));
}

// S-28: who may not see the first copy gets another.
TEST(GroupHits, AHiddenCopyHidesNoVisibleOne) {
  Library library;
  const std::string text = words_of(1, 60);
  ASSERT_TRUE(
      library
          .add(noted("secret", text, R"("readers": ["board"], "url": "http://a.org/")") +
               noted("public", text, R"("readers": ["board", "all"], "url": "http://b.org/")") +
               noted("nobody", text, ""))
          .ok());
  const Index index = opened(library);
  GroupSettings settings;
  settings.access = "readers";
  const auto seen_by = [&](const HitIds& values) {
    HitList list = list_of({"secret", "public", "nobody", "not known"});
    list.access = values;
    return groups_of(index.group(list, settings).value());
  };
  EXPECT_EQ(seen_by({"board"}), (std::vector<HitIds>{{"secret", "public"}}));
  EXPECT_EQ(seen_by({"all"}), (std::vector<HitIds>{{"public"}}));
  EXPECT_EQ(seen_by({}), std::vector<HitIds>());
  EXPECT_EQ(seen_by({"[\"board\"]", "boar", ""}), std::vector<HitIds>());
  settings.access = "readers=all";
  EXPECT_EQ(groups_of(index.group(list_of({"secret", "public"}), settings).value()),
            (std::vector<HitIds>{{"public"}}));
  // A later document of one URL that may not be seen takes nobody's place.
  ASSERT_TRUE(
      library
          .add(noted("v1", words_of(5, 60), R"("readers": "all", "url": "http://v.org/")") +
               noted("v2", words_of(6, 60), R"("readers": "board", "url": "http://v.org/")"))
          .ok());
  const GroupedHits by_url =
      opened(library).group(list_of({"http://v.org/", "v1"}), settings).value();
  EXPECT_EQ(groups_of(by_url), (std::vector<HitIds>{{"http://v.org/", "v1"}}));
}

TEST(GroupHits, RightsThatCannotBeAskedAreRefused) {
  Library library;
  ASSERT_TRUE(library.add(noted("a", words_of(1, 60), "")).ok());
  HitList list = list_of({"a"});
  list.access = {"all"};
  EXPECT_EQ(opened(library).group(list, {}).error().code, ErrorCode::usage);
}

/// A random index, list and settings, with documents that the asker may not see.
struct RandomCase {
  struct Document {
    std::string id;
    std::string line;
    bool hidden = false;
  };
  std::vector<Document> documents;
  HitList list;
  std::vector<bool> hidden;  ///< by hit
  GroupSettings settings;

  explicit RandomCase(std::uint64_t seed) : seed_(seed) {
    static const char* const readers[] = {
        "\"all\"", "[\"all\", \"x\"]",  "\"board\"", "[\"board\", 7]", "[]", "null",
        "7",       "{\"all\": \"all\"}"};
    const std::size_t count = 5 + next(25);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t right = next(8);
      std::string text = words_of(next(6), 30 + next(2) * 30);
      if (next(3) > 0) text += " and " + std::to_string(next(4));
      const std::string id = "d" + std::to_string(i);
      documents.push_back(
          {id,
           noted(id, text,
                 "\"readers\": " + std::string(readers[right]) +
                     ", \"quality\": " + std::to_string(next(5)) + ", \"url\": \"http://h" +
                     std::to_string(next(4)) + ".org/" + std::to_string(next(6)) + "\""),
           right > 1});
    }
    const std::size_t hits = next(30);
    for (std::size_t i = 0; i < hits; ++i) {
      const std::size_t of = next(documents.size());
      ListedHit hit{.id = documents[of].id};
      hit.hidden = next(10) == 0;
      if (next(12) == 0) hit.text = words_of(next(6), 30);
      hidden.push_back(documents[of].hidden || hit.hidden);
      list.hits.push_back(hit);
    }
    list.access = std::vector<std::string>{"all", "y"};
    if (next(2) == 0) list.load = {{"h0.org", 0.5}, {"h1.org", 0.25}};
    settings.access = "readers";
    settings.best = std::vector<std::string>{"first", "highest:quality", "lowest:quality",
                                             "longest", "shortest-url"}[next(5)];
    settings.rest = next(2) == 0 ? RestOfGroup::skip : RestOfGroup::demote;
    settings.per_group = 1 + next(2);
    settings.per_host = next(3);
    settings.page = 1 + next(6);
    settings.sketches = next(2) == 0;
    if (next(3) == 0) settings.containment = Ratio(9, 10);
  }

  std::size_t next(std::size_t below) { return mix64(seed_ * 1'000'003 + ++drawn_) % below; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
};

std::string answered(const SearchFolder& folder, const HitList& list,
                     const GroupSettings& settings) {
  const auto grouped = opened(folder).group(list, settings);
  EXPECT_TRUE(grouped.ok()) << grouped.error().message;
  return grouped.ok() ? to_json(grouped.value()) : "";
}

// S-28: nothing of the answer - groups, shares, counts, order - tells of what is hidden: it is, to
// the byte, that to a list without it, and over an index that never had it.
TEST(GroupHits, NothingTellsOfHiddenDocuments) {
  std::size_t hidden_hits = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomCase made(seed);
    Library whole;
    Library without;
    whole.options.settings.texts = without.options.settings.texts = true;
    std::string all;
    std::string some;
    for (const RandomCase::Document& of : made.documents) {
      all += of.line;
      if (!of.hidden) some += of.line;
    }
    ASSERT_TRUE(whole.add(all).ok());
    ASSERT_TRUE(some.empty() || without.add(some).ok());
    HitList seen = made.list;
    seen.hits.clear();
    for (std::size_t i = 0; i < made.list.hits.size(); ++i) {
      if (!made.hidden[i]) seen.hits.push_back(made.list.hits[i]);
    }
    hidden_hits += made.list.hits.size() - seen.hits.size();
    const std::string answer = answered(whole, made.list, made.settings);
    EXPECT_EQ(answer, answered(whole, seen, made.settings)) << seed;
    EXPECT_EQ(answer, answered(without, seen, made.settings)) << seed;
    EXPECT_EQ(answer, answered(without, made.list, made.settings)) << seed;
    // By URL, of whose documents some are hidden.
    HitList by_url = made.list;
    by_url.hits.clear();
    for (int i = 0; i < 12; ++i) {
      by_url.hits.push_back({.id = "http://h" + std::to_string(made.next(4)) + ".org/" +
                                   std::to_string(made.next(6))});
    }
    EXPECT_EQ(answered(whole, by_url, made.settings), answered(without, by_url, made.settings))
        << seed;
  }
  EXPECT_GT(hidden_hits, 500U);
}

TEST(GroupHits, UnknownRepeatedAndEmptyOnes) {
  Library library;
  ASSERT_TRUE(library.add(noted("a", words_of(1, 60), "") + noted("empty", "", "")).ok());
  const Index index = opened(library);
  EXPECT_EQ(to_json(index.group({}, {}).value()), "{\"groups\": [], \"order\": []}");
  const GroupedHits grouped =
      index.group(list_of({"who", "a", "a", "who", "empty", "other"}), {}).value();
  EXPECT_EQ(groups_of(grouped),
            (std::vector<HitIds>{{"who", "who"}, {"a", "a"}, {"empty"}, {"other"}}));
  EXPECT_TRUE(grouped.groups[0].members[0].unknown);
  EXPECT_FALSE(grouped.groups[1].members[0].unknown);
  EXPECT_EQ(grouped.groups[1].members[1].same, Sameness::bytes);
  EXPECT_EQ(order_of(grouped), (HitIds{"who", "a", "empty", "other", "a", "who"}));
  // A text that is not in the index, beside one that is.
  HitList list = list_of({"a", "new"});
  list.hits[1].text = words_of(1, 60) + " more";
  EXPECT_EQ(groups_of(index.group(list, {}).value()), (std::vector<HitIds>{{"a", "new"}}));
}

TEST(GroupHits, SettingsThatMeanNothingAreRefused) {
  const auto refused = [](const auto& set) {
    GroupSettings settings;
    set(settings);
    const auto rules = group_rules(settings);
    return !rules.ok() && rules.error().code == ErrorCode::usage;
  };
  EXPECT_TRUE(refused([](GroupSettings& of) { of.resemblance = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](GroupSettings& of) { of.containment = Ratio(0, 1); }));
  EXPECT_TRUE(refused([](GroupSettings& of) { of.per_group = 0; }));
  EXPECT_TRUE(refused([](GroupSettings& of) { of.best = "nicest"; }));
  EXPECT_TRUE(refused([](GroupSettings& of) { of.access = "=x"; }));
  EXPECT_FALSE(refused([](GroupSettings&) {}));
  Library library;
  HitList list;
  list.hits.resize(most_hits + 1);
  const Index index = opened(library);
  EXPECT_EQ(index.group(list, {}).error().code, ErrorCode::usage);
  // Hidden hits do not count, or an error would tell of them.
  for (ListedHit& hit : list.hits) hit.hidden = true;
  EXPECT_TRUE(index.group(list, {}).ok());
}

}  // namespace
}  // namespace twinset::testing
