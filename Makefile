# The commands a newcomer needs:
#   make run     install what is missing, build, start the server
#   make test    install what is missing, build, run the quick test pyramid
#   make cluster the same on three nodes and a private Ceph, until Ctrl-C (ARGS="--nodes 5", ARGS=--help)
# Others: make build | apps | attack | chaos | crash | fuzz | bench | image | package | release | format | lint | alone | clean.   ARGS="..." goes to the program.

BUILD := build/release
ARGS  ?=

.PHONY: run cluster test build bootstrap apps attack chaos zombies crash fuzz bench image package release format lint alone clean

run: bootstrap
	tools/build release orrery
	exec $(BUILD)/bin/orrery serve $(ARGS)

cluster: bootstrap
	tools/build release orrery
	@exec tools/cluster $(ARGS)

# Ceph is for the tests of clusters alone. Where it cannot be installed they are skipped, and tools/test says so.
test: build
	@tools/ceph install || echo "make test: without Ceph the tests of clusters are skipped"
	tools/test

build: bootstrap
	tools/build release

bootstrap:
	@tools/bootstrap

# Long runs, separate from `make test`.
apps: bootstrap
	tools/build release orrery
	tools/apps $(ARGS)

attack: build
	tools/attack $(ARGS)

chaos: build
	tools/chaos $(ARGS)
	tools/chaos transactions --seconds 900 --faults 120

zombies: build
	tools/zombies $(ARGS)

crash: build
	tools/crash $(ARGS)

fuzz: bootstrap
	tools/fuzz $(ARGS)

bench: build
	tools/bench $(ARGS)

format: bootstrap
	git ls-files -co --exclude-standard '*.h' '*.cc' | xargs clang-format-19 -i

lint: bootstrap
	tools/lint

# An OCI archive of an image, without a daemon.
image: bootstrap
	tools/build release orrery
	tools/image $(ARGS)

# A Debian package, and an archive that runs on any Linux with a glibc of Debian 12 or newer.
package: bootstrap
	tools/build release orrery
	tools/package $(ARGS)

# Everything of a version, with checksums.
release: bootstrap
	tools/build release orrery
	tools/release $(ARGS)

# For the night: that each source compiles without its neighbours.
alone: build
	tools/alone --all

clean:
	rm -rf build
