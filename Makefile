# make demo and make test need only Python >= 3.11, make and a C++20 compiler; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
EDITABLE_BUILD = $(firstword $(shell ls -td build/editable-*))

.PHONY: demo dev test test-cpp test-python test-slow lint format bench sanitize clean

# The stamps say which parts of pyproject.toml are installed; an edit of it installs again.
.venv/base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "credenet needs Python 3.11 or newer")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "scikit-build-core>=1.1" "nanobind>=3.1" cmake ninja
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[dev,plot]"
	@touch $@

dev: .venv/dev

demo: .venv/base
	@mkdir -p build
	$(BIN)/python examples/demo.py build

test: test-cpp test-python

# The C++ tests use the core that the editable package is made of.
test-cpp: .venv/dev
	$(BIN)/cmake --build $(EDITABLE_BUILD) --target cpp_tests
	$(BIN)/ctest --test-dir $(EDITABLE_BUILD) --output-on-failure -j $(JOBS)

# The first import rebuilds what changed; the parallel test workers then leave the build alone.
PYTEST = $(BIN)/python -c 'import credenet._core' && SKBUILD_EDITABLE_SKIP=$(abspath $(EDITABLE_BUILD)) $(BIN)/python -m pytest

test-python: .venv/dev
	$(PYTEST) -n $(JOBS)

test-slow: .venv/dev
	$(PYTEST) -m 'slow or large'

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp')
	$(BIN)/python cpp/check_includes.py
	$(BIN)/lint-imports --no-cache

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(git ls-files '*.cpp' '*.hpp')

bench: .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[bench]"
	$(BIN)/python benchmarks/run.py

sanitize: .venv/dev
	for kind in "address;undefined" thread; do \
	  dir=build/sanitize-$${kind%%;*}; \
	  $(BIN)/cmake -S . -B $$dir -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCREDENET_PYTHON=OFF -DCREDENET_TESTS=ON "-DCREDENET_SANITIZE=$$kind" && \
	  $(BIN)/cmake --build $$dir && $(BIN)/ctest --test-dir $$dir --output-on-failure || exit 1; \
	done

clean:
	rm -rf build .venv
