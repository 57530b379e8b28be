// What I-Match costs a token, with one lexicon and with eleven, beside the published recipe taken
// literally: a set of strings for each document, sorted terms concatenated, and SHA-1, once for
// each lexicon (I-15).
//
//   scheme_imatch_bench
//
// Documents of 500 words by Zipf's law: three hundred words that most documents have, the terms of
// the built-in lexicon of English by their frequency, and a quarter as many words of no lexicon. 38
// % of the words of mails are in the lexicon, and of these 36 %.
//
// `mails` are those of the collection spamassassin below TWINSET_DATA, subject and body, in words
// of the papers' preparation: `of_first` is the speed with K more signatures as a part of that with
// the first alone, taken in turn, with the words of the mail found (analyzed) and without
// (sketched).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/sha1.h"
#include "io/reader.h"
#include "scheme/scheme.h"
#include "scheme/sub_lexicons.h"
#include "stats/lexicon.h"
#include "text/token_hash.h"

namespace twinset {
namespace {

constexpr std::size_t common_words = 300;
constexpr std::size_t document_words = 500;
constexpr std::size_t documents = 200;  // Tokens are in a near cache, as after the analyzer.

struct MadeDocuments {
  std::vector<std::vector<std::string>> words;
  std::vector<Analysis> analyses;
};

const MadeDocuments& made_documents() {
  static const MadeDocuments made = [] {
    const auto lexicon = Lexicon::load(disk(), "", TermTexts::keep);
    if (!lexicon.ok()) return MadeDocuments();
    std::vector<LexiconTerm> terms(lexicon.value().primary().begin(),
                                   lexicon.value().primary().end());
    terms.insert(terms.end(), lexicon.value().secondary().begin(),
                 lexicon.value().secondary().end());
    std::ranges::stable_sort(terms, std::greater<>(), &LexiconTerm::documents);
    std::vector<std::string> vocabulary;
    for (std::size_t i = 0; i < common_words; ++i) vocabulary.push_back("c" + std::to_string(i));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      vocabulary.push_back(lexicon.value().texts()[terms[i].place]);
      if (i % 4 == 0) vocabulary.push_back("unknown" + std::to_string(i));
    }
    std::mt19937_64 random(1);
    const double most = std::log(static_cast<double>(vocabulary.size()));
    MadeDocuments out;
    for (std::size_t d = 0; d < documents; ++d) {
      std::vector<std::string> words;
      Analysis analysis;
      for (std::size_t i = 0; i < document_words; ++i) {
        const double share = static_cast<double>(random() >> 11) / 9007199254740992.0;
        const auto rank = static_cast<std::size_t>(std::exp(share * most));
        words.push_back(vocabulary[std::min(rank, vocabulary.size() - 1)]);
        analysis.tokens.push_back(token_hash(words.back()));
      }
      out.words.push_back(std::move(words));
      out.analyses.push_back(std::move(analysis));
    }
    return out;
  }();
  return made;
}

void count_tokens(benchmark::State& state) {
  state.counters["per_token"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(documents * document_words),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void sketch_all(benchmark::State& state, const std::string& spec) {
  const auto scheme = make_scheme(spec, 0.8);
  if (!scheme.ok()) return state.SkipWithError(scheme.error().text().c_str());
  Sketch sketch;
  for (auto _ : state) {
    for (const Analysis& analysis : made_documents().analyses) {
      scheme.value()->sketch(GivenView("", analysis), sketch);
      benchmark::DoNotOptimize(sketch.stored.data());
    }
  }
  count_tokens(state);
}

/// The recipe of the paper for each of the lexicons.
void literal_recipe(benchmark::State& state, unsigned lists) {
  const auto lexicon = Lexicon::load(disk(), "", TermTexts::keep);
  if (!lexicon.ok()) return state.SkipWithError("no lexicon");
  std::vector<std::uint32_t> masks(lexicon.value().primary().size(), 1);
  bag_terms(SecretKey(), "primary", lists, masks);
  std::vector<std::unordered_map<std::string, int>> lexicons(lists + 1);
  for (std::size_t i = 0; i < masks.size(); ++i) {
    for (unsigned list = 0; list <= lists; ++list) {
      if ((masks[i] >> list & 1) == 0) continue;
      lexicons[list].emplace(lexicon.value().texts()[lexicon.value().primary()[i].place], 1);
    }
  }
  for (auto _ : state) {
    for (const std::vector<std::string>& words : made_documents().words) {
      for (const auto& terms : lexicons) {
        std::set<std::string> kept;
        for (const std::string& word : words) {
          if (terms.contains(word)) kept.insert(word);
        }
        std::string text;
        for (const std::string& word : kept) text += word;
        benchmark::DoNotOptimize(sha1(text));
      }
    }
  }
  count_tokens(state);
}

const std::vector<std::string>& mails() {
  static const std::vector<std::string> read = [] {
    std::vector<std::string> texts;
    const char* const data = std::getenv("TWINSET_DATA");
    if (data == nullptr) return texts;
    Input input;
    input.path = std::string(data) + "/spamassassin/messages.jsonl.zst";
    input.format = "jsonl";
    input.compression = Compression::zstd;
    const auto reader = open_reader(disk(), input, {});
    if (!reader.ok()) return texts;
    FieldNames fields;
    fields.text = "subject,text";
    RecordBatch batch;
    while (true) {
      const Result<bool> more = reader.value()->read(batch);
      if (!more.ok() || !more.value()) return texts;
      reader.value()->decode(fields, batch);
      for (const Record& record : batch.records) texts.emplace_back(record.text);
    }
  }();
  return read;
}

/// Signatures beside the first, in turn with none beside it.
void sketch_mails(benchmark::State& state, bool analyzes, unsigned more) {
  if (mails().empty()) return state.SkipWithError("no mails below TWINSET_DATA");
  const Analyzer& analyzer = *find_analyzer("words(min_chars=4, max_digits=1, min_different=5)");
  const auto first = make_scheme("imatch(signatures=0)", 0.8);
  const auto all = make_scheme("imatch(signatures=" + std::to_string(more) + ")", 0.8);
  if (!first.ok() || !all.ok()) return state.SkipWithError("no scheme");
  std::vector<Analysis> analyses(mails().size());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < mails().size(); ++i) {
    analyzer.analyze(mails()[i], Offsets::drop, analyses[i]);
    bytes += mails()[i].size();
  }
  Analysis analysis;
  Sketch sketch;
  const auto take = [&](const Scheme& scheme) {
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < mails().size(); ++i) {
      if (analyzes) analyzer.analyze(mails()[i], Offsets::drop, analysis);
      scheme.sketch(GivenView(mails()[i], analyzes ? analysis : analyses[i]), sketch);
      benchmark::DoNotOptimize(sketch.stored.data());
    }
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  double seconds = 0;
  double first_seconds = 0;
  for (auto _ : state) {
    const double taken = take(*all.value());
    state.SetIterationTime(taken);
    seconds += taken;
    first_seconds += take(*first.value());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
  state.counters["of_first"] = first_seconds / seconds;
}

const bool registered = [] {
  for (const char* spec :
       {"imatch(signatures=0)", "imatch", "imatch(signatures=31)", "imatch(digest=sha1)"}) {
    benchmark::RegisterBenchmark(spec, sketch_all, spec);
  }
  for (const unsigned more : {1U, 10U, 31U}) {
    for (const bool analyzes : {true, false}) {
      benchmark::RegisterBenchmark(
          (std::string("mails/") + (analyzes ? "analyzed/" : "sketched/") + std::to_string(more))
              .c_str(),
          sketch_mails, analyzes, more)
          ->UseManualTime()
          ->MinTime(0.5);
    }
  }
  benchmark::RegisterBenchmark("literal/1", literal_recipe, 0U);
  benchmark::RegisterBenchmark("literal/1+10", literal_recipe, 10U);
  return true;
}();

}  // namespace
}  // namespace twinset
