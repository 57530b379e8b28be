// The fields of the manifest; this file's interface is its fields_of().
#include "index/manifest.h"

namespace twinset {

std::vector<Field> fields_of(IndexSettings& settings) {
  return {{"analyzer", &settings.analyzer, Unit::text, "its name"},
          {"schemes", &settings.scheme, Unit::code, "their full specs"},
          {"resemblance", &settings.resemblance, Unit::share,
           "bands are planned so that documents of at least this resemblance share a key"},
          {"distance", &settings.distance, Unit::count,
           "the most bits in which signatures differ that are found"},
          {"texts", &settings.texts, Unit::text, "texts are kept, too"}};
}

std::vector<Field> fields_of(ListedSegment& segment) {
  return {{"number", &segment.number, Unit::count, "the name of its folder"},
          {"documents", &segment.documents, Unit::count, "deleted ones, too"},
          {"deleted", &segment.deleted, Unit::count, "of them, those that are deleted"},
          {"deletions", &segment.deletions, Unit::count,
           "`deleted.N` in its folder lists them; 0: none"},
          {"hash", &segment.hash, Unit::code, "of its files"},
          {"deleted is at most documents",
           FieldRule{[&segment] { return segment.deleted <= segment.documents; }}}};
}

std::vector<Field> fields_of(PendingSegment& pending) {
  return {{"segment", Nested(&pending.segment), Unit::text, "as in `segments`"},
          {"output", &pending.output, Unit::text, "the folder of the run"},
          {"identity", &pending.identity, Unit::code, "of the run, as in its summary"}};
}

std::vector<Field> fields_of(Manifest& manifest) {
  return {{"settings", Nested(&manifest.settings), Unit::text, "what decides its content"},
          {"fingerprint", &manifest.fingerprint, Unit::code, "of the settings"},
          {"changes", &manifest.changes, Unit::count, "made so far"},
          {"next", &manifest.next, Unit::count, "the number of the next segment or list"},
          {"serials", &manifest.serials, Unit::count,
           "documents added so far; those of the log may come on top"},
          if_set({"log", &manifest.log, Unit::count,
                  "`log.N` has the changes since; 0: there is none"}),
          {"segments", NestedList(&manifest.segments, ListLayout::lines), Unit::count,
           "the oldest documents first"},
          if_set({"pending", OptionalNested(&manifest.pending), Unit::text,
                  "a segment that counts once the output of its run is there"})};
}

}  // namespace twinset
