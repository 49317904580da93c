# make demo and make test need only Python >= 3.11, make and a C++20 compiler; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)
EDITABLE_BUILD = $(firstword $(shell ls -td build/editable-*))

.PHONY: demo dev test test-cpp test-python test-slow lint format bench attack docs wheel portable sanitize sanitize-address sanitize-thread clean

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

# The first import rebuilds what changed; the processes of tests and campaigns then leave the build alone.
# SKBUILD_EDITABLE_SKIP also hides where the extension was installed, so a link to it stands beside the package.
BUILT_PYTHON = ln -sf "$$($(BIN)/python -c 'import credenet._core as core; print(core.__file__)')" src/credenet/ && \
  SKBUILD_EDITABLE_SKIP=$(abspath $(EDITABLE_BUILD)) $(BIN)/python
PYTEST = $(BUILT_PYTHON) -m pytest

test-python: .venv/dev
	$(PYTEST) -n $(JOBS)

test-slow: .venv/dev wheel
	$(PYTEST) -m 'slow or large'

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp')
	git ls-files 'cpp/src/*.cpp' ':!cpp/src/*_win32.cpp' | xargs -P $(JOBS) -n 8 $(BIN)/clang-tidy -p $(EDITABLE_BUILD) --quiet
	$(BIN)/python cpp/check_includes.py
	$(BIN)/lint-imports --no-cache

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(git ls-files '*.cpp' '*.hpp')

bench: .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[bench]"
	$(BIN)/python benchmarks/run.py

# The site, in build/docs: warnings are errors, and no page loads anything from another host.
docs: .venv/docs
	$(BIN)/python docs/site/build_site.py build/docs

.venv/docs: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[docs]"
	@touch $@

# Source archive and wheels in dist, audited, and each tried in an empty environment without a compiler: minutes.
# PYTHONS adds interpreters to those on PATH and of pyenv: make wheel PYTHONS="/opt/python3.14/bin/python3"
wheel: .venv/release
	$(BIN)/python packaging/build_wheels.py $(foreach python,$(PYTHONS),--python $(python))

.venv/release: .venv/base
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation -e ".[release]"
	@touch $@

# The core by the other compilers that are here, for this and other systems; COMPILERS="clang gcc-windows" names some.
portable:
	$(PYTHON) packaging/check_portability.py --jobs $(JOBS) $(COMPILERS)

# Random campaigns, for as long as one likes: make attack MINUTES=60. A seed repeats them: make attack SEED=7.
MINUTES ?= 10
attack: .venv/dev
	$(BUILT_PYTHON) -m attacks --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(CAMPAIGNS)

# The C++ tests, then tests of the extension. The interpreter is not built with a sanitizer, so that the library of the
# sanitizer is loaded before it; what the interpreter does not free is not looked for. With -s a report is not captured.
sanitize: sanitize-address sanitize-thread

sanitize-address: SANITIZERS = address;undefined
sanitize-address: PRELOADED = libasan.so libstdc++.so
sanitize-thread: SANITIZERS = thread
sanitize-thread: PRELOADED = libtsan.so
sanitize-address sanitize-thread: export UBSAN_OPTIONS = halt_on_error=1:print_stacktrace=1
sanitize-address sanitize-thread: export TSAN_OPTIONS = halt_on_error=1
sanitize-address sanitize-thread: .venv/dev
	$(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	  "-DCREDENET_SANITIZE=$(SANITIZERS)" -DCREDENET_PYTHON=ON -DCREDENET_TESTS=ON \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
	$(BIN)/cmake --build build/$@ --target _core cpp_tests
	$(BIN)/ctest --test-dir build/$@ --output-on-failure -j $(JOBS)
	CREDENET_SANITIZED_CORE=$$(ls $(abspath build/$@)/bindings/_core*.so) PYTHONPATH=tests/sanitized \
	  ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$(foreach library,$(PRELOADED),$$($(CXX) -print-file-name=$(library)))" \
	  $(BIN)/python -m pytest -q -s tests/sanitized tests/test_stops.py \
	  tests/credible/test_diagrams.py::test_threads_draw_from_one_diagram

clean:
	rm -rf build dist .venv src/credenet/_core.*.so
