# The commands of the house. CMake builds; this file only spares you the typing,
# and installs missing packages first. `make help` lists them.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: build demo test kill drill ten fresh tsan bench peers spark load site wasm extension page recipes predictions scale papers fuzz format install clean help

# PARQUET=1 reads Parquet, and so do later builds until PARQUET=0.
PARQUET ?= $(if $(shell grep -s '^TWINSET_PARQUET:STRING=ON' build/release/CMakeCache.txt),1)
WITH_PARQUET = $(filter-out 0,$(PARQUET))

build: ## the release binary, at build/release/twinset (the default); PARQUET=1: one that reads Parquet
	@tools/install_dependencies.sh build $(if $(WITH_PARQUET),parquet)
	@cmake --preset release $(if $(WITH_PARQUET),-DTWINSET_PARQUET=ON)
	@cmake --build --preset release --parallel $(JOBS) --target twinset_cli

demo: build ## finds the near-duplicates among this machine's copyright files
	@tools/install_dependencies.sh demo
	@tools/demo.sh

test: ## every test: release, sanitizers, layers, end to end, a little fuzzing
	@tools/install_dependencies.sh build test spark wasm extension page $(if $(WITH_PARQUET),parquet)
	@JOBS=$(JOBS) python3 tools/test.py

wasm: ## the package for JavaScript, at build/wasm: the core in WebAssembly
	@tools/install_dependencies.sh build wasm
	@cmake --preset wasm
	@cmake --build --preset wasm --parallel $(JOBS)

extension: wasm ## the browser extension, at build/extension, to be loaded unpacked
	@cd extension && npm ci --silent --ignore-scripts --no-audit --no-fund
	@node extension/build.mjs

page: ## page/built anew, from the sources in page/src: the page that reports and the service show
	@tools/install_dependencies.sh page
	@python3 tests/page/run.py --build

kill: build ## kills runs at random moments; KILLS=10000 by default
	@python3 tests/cli/kill_test.py --binary build/release/twinset --seconds 36000 \
	  --kills $(or $(KILLS),10000)
	@python3 tests/cli/index_kill_test.py --binary build/release/twinset --kills $(or $(KILLS),10000)

drill: ## kills a process that changes an index, takes the power from one, fails its disk, watches its threads; KILLS=10000, LOSSES=20000
	@tools/install_dependencies.sh build test
	@cmake --preset release-tests
	@cmake --build --preset release-tests --parallel $(JOBS) --target index_test dedup_test
	@TWINSET_KILLS=$(or $(KILLS),10000) TWINSET_SEED=$(or $(SEED),1) TWINSET_POWER_LOSSES=$(or $(LOSSES),20000) \
	  build/release/tests/index_test --gtest_filter='*ByAKill:*APowerLoss*'
	@TWINSET_EVERY_FAULT=1 build/release/tests/dedup_test --gtest_filter='KnownIndexFaults*'
	@cmake --preset tsan
	@cmake --build --preset tsan --parallel $(JOBS) --target index_test search_test filter_test
	@build/tsan/tests/index_test --gtest_filter='BackgroundMerge*:*MergesInTheBackground*'
	@build/tsan/tests/search_test --gtest_filter='ReadersBesideAWriter*'
	@build/tsan/tests/filter_test --gtest_filter='*BesideChanges*:FilterServer*'

ten: build ## dedup, spans and discover over ten times their memory, against runs with enough
	@python3 tests/cli/ten_times_test.py --binary build/release/twinset --times 10

fresh: ## make demo in minimal roots of Debian 12 and 13; ROOTS="bookworm trixie gtest clang trixie-clang parquet"
	@tools/install_dependencies.sh fresh
	@tools/fresh.sh $(ROOTS)

tsan: ## the unit tests under the thread sanitizer
	@tools/install_dependencies.sh build test
	@cmake --preset tsan
	@cmake --build --preset tsan --parallel $(JOBS)
	@ctest --preset tsan --label-exclude direct

bench: ## speed, memory and recall; BENCH=--million for a million documents
	@tools/install_dependencies.sh build bench
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS)
	@python3 bench/run.py --build build/bench $(BENCH)

peers: build ## twinset beside its peers, installed for it; PEERS="--sets million --thresholds 0.8", --write
	@tools/install_dependencies.sh bench
	@python3 bench/peers/compare.py --binary build/release/twinset $(PEERS)

spark: build ## twinset.spark beside the program, on two executors; SPARK="--made 200000 --mllib": and beside MLlib's join
	@tools/install_dependencies.sh build spark
	@python3 tests/spark/run.py --build build/release Spark.test_no_rows
	@PYTHONPATH=build/release/python build/spark/venv/bin/python bench/spark.py --binary build/release/twinset \
	  $(or $(SPARK),--made 50000)

site: ## the documentation as pages, at build/site
	@tools/install_dependencies.sh build test
	@python3 tests/python/run.py --build build/release --site

recipes: ## what README.md and docs/ show in Python, with Ray, which `make test` leaves out
	@tools/install_dependencies.sh build test python
	@python3 tests/python/run.py --build build/release --large

load: build ## questions a second of `twinset serve` with 64 clients and documents added; LOAD="--documents 10000000"
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS) --target serve_load
	@python3 bench/serve.py --binary build/release/twinset --load build/bench/bench/serve_load $(LOAD)

predictions: build ## how often the predictions of plan and cluster hold, in 60 made collections
	@python3 bench/predictions.py --binary build/release/twinset --misses

scale: build ## what plan predicts of shards and their merge, beside what these take, at three sizes
	@tools/install_dependencies.sh build bench
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS) --target collection
	@python3 bench/scale.py --binary build/release/twinset --collection build/bench/bench/collection

papers: build ## makes the papers' tables again; PAPERS=--update writes them
	@tools/install_dependencies.sh build bench
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS) --target collection
	@python3 papers/run.py --binary build/release/twinset $(PAPERS)

fuzz: ## fuzzes every reader and file format; SECONDS_EACH=60 by default
	@tools/install_dependencies.sh build test
	@cmake --preset asan
	@cmake --build --preset asan --parallel $(JOBS) --target fuzz_targets
	@fuzz/run.sh build/asan $(or $(SECONDS_EACH),60)

format: ## clang-format over every source
	@git ls-files -z '*.h' '*.cc' | xargs -0 clang-format -i

install: build ## the binary, its library and headers, under PREFIX (/usr/local)
	@cmake --build --preset release --parallel $(JOBS) --target twinset_archive
	@cmake --install build/release --prefix $(PREFIX)

clean: ## everything that was built
	rm -rf build

help: ## this list
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 16
