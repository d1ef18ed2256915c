# `make demo` shows Dodona at work, `make test` runs everything that CI runs; each works alone on a fresh machine.

# Build products lie outside the checkout, where the next run (and the next clone) finds them.
export CARGO_TARGET_DIR ?= $(HOME)/.cache/dodona/target
export RUST_BACKTRACE ?= 0
DODONA = $(CARGO_TARGET_DIR)/release/dodona

.PHONY: demo test setup setup-tests build subjects lint doctest nextest embedding embedding-wasm test-python test-page test-slurm test-engines bench fuzz

demo: build
	@scripts/demo.sh $(DODONA)

test: setup-tests lint doctest nextest embedding test-python test-page test-slurm test-engines

setup:
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh tests

build: setup
	cargo build --release --package dodona-cli

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

doctest:
	cargo test --workspace --doc --locked

# nextest where it is installed, else cargo's own runner; its summary is the last thing printed. What this machine lacks for
# some tests is told before, for a test that is skipped passes.
#
# nextest starts each test through a second copy of itself. This takes 6 ms a test, and matters only to who suspends a run by ctrl-Z.
nextest: export NEXTEST_DOUBLE_SPAWN = 0
# The compiler of WebAssembly shares out its work with rayon. There are as many tests at once as processors, so one thread each will do.
nextest: export RAYON_NUM_THREADS = 1
nextest:
	@scripts/capabilities.sh
	@if cargo nextest --version >/dev/null 2>&1; \
	then cargo nextest run --workspace --locked --no-fail-fast; \
	else cargo test --workspace --tests --locked --no-fail-fast; fi

# A package of somebody else that embeds Dodona, without and with WebAssembly. The latter compiles wasmtime anew, so `make test` runs its tests in
# the workspace only.
embedding:
	cargo test --locked --manifest-path tests/embedding/Cargo.toml

embedding-wasm:
	cargo test --locked --manifest-path tests/embedding/Cargo.toml --features wasm

# The wheel with the program in it, in a fresh environment, and the plugin for pytest. The package alone has other features than the workspace, so wasmtime is compiled once more the
# first time.
test-python:
	scripts/test-python.sh

# A run in shards on a Slurm that is started for the test, and what `dodona submit` writes for other engines.
test-slurm:
	scripts/test-slurm.sh

test-engines:
	scripts/test-engines.sh

# The pages of `dodona report` in a browser.
test-page:
	scripts/test-page.sh

bench: setup
	cargo bench --package dodona-benches

fuzz: setup
	scripts/fuzz.sh 600
