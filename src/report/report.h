// The plain values of a report. A run fills them as it goes, and the writers of text.h and
// html.h turn them into pages. Nothing here grows with the
// collection; collector.h keeps the few clusters and pairs worth showing.
//
// Strings are raw bytes as read (ids, paths, texts): the writers make them
// harmless, callers never escape.
//
// Threads: values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "join/fate.h"
#include "report/passages.h"
#include "twinset/dedup.h"

namespace twinset {

struct ReportDocument {
  std::string id;
  std::string file;
  std::uint64_t record = 0;  ///< from 1
};

struct ReportFile {
  std::string name;
  bool reference = false;  ///< given with --against: nothing of it is written or removed
  Counts counts;
};

struct ReportMember {
  ReportDocument document;
  Fate kind = Fate::near;
  double resemblance = 0;  ///< to the survivor
  double containment = 0;  ///< in the survivor

  /// The measure it went by.
  double evidence() const { return kind == Fate::contained ? containment : resemblance; }
};

/// A survivor and what it stands for.
struct ReportCluster {
  ReportDocument survivor;
  std::uint64_t members = 0;           ///< the survivor included
  std::uint64_t sources = 0;           ///< different files among the members
  double lowest_resemblance = 1;       ///< of its near members to the survivor; 1 if none
  std::uint64_t contained = 0;         ///< members that went because the survivor contains them
  double lowest_containment = 1;       ///< of those in the survivor; 1 if none
  std::vector<ReportMember> examples;  ///< a few removed members, least alike first
};

/// Two documents with their texts, to be shown side by side. A is the survivor.
struct ReportPair {
  ReportDocument survivor;
  ReportDocument removed;
  Fate kind = Fate::near;
  std::string survivor_text;
  std::string removed_text;
  bool cut = false;        ///< the texts are only the documents' beginnings: then
  double resemblance = 0;  ///< this, of the whole documents, is what is shown
  Passages passages;       ///< find_passages(survivor, removed)
};

/// Clusters by size in powers of two: bin 0 counts size 2, bin i sizes in
/// (2^i, 2^(i+1)].
struct SizeHistogram {
  std::array<std::uint64_t, 64> bins{};
  void add(std::uint64_t members);
};

/// Removed records by resemblance to their survivor, in hundredths; the last
/// bin is exactly 1.
struct ResemblanceHistogram {
  std::array<std::uint64_t, 101> bins{};
  void add(double resemblance);
};

/// How the run was made; every field may be empty.
struct ReportRun {
  std::string title;    ///< the output folder
  std::string command;  ///< as typed
  std::string version;
  std::string scheme;  ///< the full spec
  std::string analyzer;
  std::string keep;                  ///< keep order
  std::string started;               ///< ISO 8601
  double threshold = 0;              ///< resemblance at which a record goes
  double containment_threshold = 0;  ///< 0: containment was not asked for
  bool verified_exactly = true;
  double seconds = 0;
  std::uint64_t text_bytes = 0;
  unsigned threads = 0;
};

struct Report {
  ReportRun run;
  Counts totals;
  std::uint64_t clusters = 0;
  std::vector<std::string> warnings;  ///< sentences, shown at the top
  std::vector<ReportFile> files;      ///< in input order
  SizeHistogram cluster_sizes;
  ResemblanceHistogram near_resemblance;       ///< of near removals
  ResemblanceHistogram contained_resemblance;  ///< of contained removals
  std::vector<ReportCluster> largest;
  std::vector<ReportCluster> least_alike;
  std::vector<ReportCluster> widest;
  std::vector<ReportPair> pairs;
};

}  // namespace twinset
