// The places of a run of N tokens, one after the other: the first of them, the nearest one before
// each, and how many texts have the run.
//
//   EarlierPlaceFinder finder(50, PlacesIn::any_text, 0);
//   for (each place, run by run, those of a run in order) {
//     if (const auto places = finder.next(place, is_first_of_its_run)) use(*places);
//   }
//
// Runs side by side that have all their places side by side may be given as one, by the places of
// the first: what is earlier and what overlaps is the same for each.
//
// Linear in the places; a finder holds at most N of them.
//
// Threads: values.
#pragma once

#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "twinset/spans.h"

namespace twinset {

/// The same of runs side by side whose places are side by side: those of the first run.
struct EarlierStretch {
  RunPlace place;
  RunPlace first;
  RunPlace nearest;
  std::uint32_t runs = 1;
  std::uint32_t unused = 0;
};
inline std::uint32_t runs_at(const EarlierPlaces&) { return 1; }
inline std::uint32_t runs_at(const EarlierStretch& stretch) { return stretch.runs; }

/// Where an earlier place may be.
enum class PlacesIn : std::uint8_t { any_text, other_texts };

/// Counts of the runs that were grouped.
struct RunCounts {
  std::uint64_t places = 0;  ///< of runs that stand twice or more
  std::uint64_t pairs = 0;   ///< of places that may be paired, the later one of an input
  std::vector<std::uint64_t> by_documents;  ///< runs, by 2^i to 2^(i+1) - 1 documents
};

/// The places of a run in one document before which a later one does not overlap them.
class PlacesApart {
 public:
  explicit PlacesApart(unsigned run_tokens) : run_tokens_(run_tokens) {}
  void clear() {
    recent_.clear();
    nearest_.reset();
  }
  /// The nearest place that ends before `begin`, of those added.
  std::optional<std::uint32_t> before(std::uint32_t begin) {
    while (!recent_.empty() && std::uint64_t{recent_.front()} + run_tokens_ <= begin) {
      nearest_ = recent_.front();
      recent_.pop_front();
    }
    return nearest_;
  }
  void add(std::uint32_t begin) { recent_.push_back(begin); }

 private:
  unsigned run_tokens_;
  std::deque<std::uint32_t> recent_;  ///< at most run_tokens of them
  std::optional<std::uint32_t> nearest_;
};

/// Counts runs by their documents, and pairs of places.
class RunCounter {
 public:
  /// `references`: texts that come first, and are never the later one.
  RunCounter(unsigned run_tokens, PlacesIn wanted, std::uint64_t references)
      : run_tokens_(run_tokens), wanted_(wanted), references_(references) {}

  /// `runs`: that stand there side by side; equal for all places of a run.
  void next(const RunPlace& row, bool first_of_run, std::uint32_t runs) {
    if (first_of_run) {
      end_run();
      before_ = documents_ = 0;
    }
    runs_ = runs;
    if (first_of_run || row.text != text_) {
      before_ += in_document_.size();
      in_document_.clear();
      apart_ = 0;
      text_ = row.text;
      ++documents_;
    }
    while (wanted_ == PlacesIn::any_text && apart_ < in_document_.size() &&
           std::uint64_t{in_document_[apart_]} + run_tokens_ <= row.begin) {
      ++apart_;
    }
    ++places_;
    if (row.text >= references_) counts_.pairs += (before_ + apart_) * runs;
    in_document_.push_back(row.begin);
  }
  /// Those of all runs; the last one ends here.
  RunCounts take() {
    end_run();
    return std::exchange(counts_, {});
  }

 private:
  void end_run() {
    in_document_.clear();
    // Rows of a key that differ in their check stand alone.
    if (places_ >= 2) {
      counts_.places += places_ * runs_;
      const auto bin = static_cast<std::size_t>(std::bit_width(documents_)) - 1;
      if (counts_.by_documents.size() <= bin) counts_.by_documents.resize(bin + 1);
      counts_.by_documents[bin] += runs_;
    }
    documents_ = 0;
    places_ = 0;
  }

  unsigned run_tokens_;
  PlacesIn wanted_;
  std::uint64_t references_;
  RunCounts counts_;
  std::uint32_t text_ = 0;
  std::uint64_t places_ = 0;     ///< of the run
  std::uint64_t runs_ = 0;       ///< that it stands for
  std::uint64_t documents_ = 0;  ///< that it stands in
  std::uint64_t before_ = 0;     ///< places in earlier documents
  std::vector<std::uint32_t> in_document_;
  std::size_t apart_ = 0;  ///< of these, places that the row does not overlap
};

/// Gives each place of a run its first place and the nearest one before; counts.
class EarlierPlaceFinder {
 public:
  EarlierPlaceFinder(unsigned run_tokens, PlacesIn wanted, std::uint64_t references)
      : wanted_(wanted),
        references_(references),
        in_document_(run_tokens),
        counter_(run_tokens, wanted, references) {}

  std::optional<EarlierPlaces> next(const RunPlace& row, bool first_of_run,
                                    std::uint32_t runs = 1) {
    counter_.next(row, first_of_run, runs);
    if (first_of_run) {
      first_ = last_ = row;
      in_document_.clear();
      other_ = std::nullopt;
    } else if (row.text != last_.text) {
      other_ = last_;
      in_document_.clear();
    }
    std::optional<std::uint32_t> in_document;
    if (wanted_ == PlacesIn::any_text) {
      in_document = in_document_.before(row.begin);
      in_document_.add(row.begin);
    }
    last_ = row;
    if (!in_document.has_value() && !other_.has_value()) return std::nullopt;
    if (row.text < references_) return std::nullopt;
    return EarlierPlaces{row, first_,
                         in_document.has_value() ? RunPlace{row.text, *in_document} : *other_};
  }
  RunCounts take_counts() { return counter_.take(); }

 private:
  PlacesIn wanted_;
  std::uint64_t references_;  ///< texts that come first
  RunPlace first_;
  RunPlace last_;
  PlacesApart in_document_;
  std::optional<RunPlace> other_;  ///< the last place in an earlier document
  RunCounter counter_;
};

}  // namespace twinset
