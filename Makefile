# make            builds the release: fcgi/gateway, fcgi/signer, jobs/*, contrib/cli/gw
# make run        installs what is missing, starts everything locally, performs a real swap and a bridge, stays in front
# make test       all tests; ends with "N passed, N failed"
# Further targets: up down restart reset status key test-all test-bare test-deb test-faults test-nights test-galera test-mysql
# test-build check-source analyze model prove fuzz bench install uninstall deb tarball clean

SHELL := /bin/sh
.DEFAULT_GOAL := all
MAKEFLAGS += --no-print-directory

CC ?= gcc
PKGS := libmariadb jansson libcurl libsecp256k1 libsodium libseccomp openssl
WARN := -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wundef -Wformat-security -Wvla
# System headers are not ours to mend, hence -isystem. Asked once, by the first file: a target before may install the packages.
PKG_CFLAGS = $(eval PKG_CFLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(PKGS) 2>/dev/null)))$(PKG_CFLAGS)
BASE_CFLAGS = -std=c11 -D_GNU_SOURCE -include base/banned.h -Ilib -Ifcgi -I. $(PKG_CFLAGS) $(WARN) -MMD -MP \
	-fno-strict-aliasing -fstack-protector-strong -g

# Programs leave out what they never call of the library.
RELEASE_CFLAGS := -O2 -D_FORTIFY_SOURCE=2 -ffunction-sections -fdata-sections
RELEASE_LDFLAGS := -Wl,--gc-sections
# Under sanitizers, for tests that are about inputs; compiling takes most of the time, and half of it without optimisation.
TEST_CFLAGS := -O0 -Werror -DFAULTS -fsanitize=address,undefined -fno-sanitize-recover=undefined
# For tests that are about crashes, starts and other parts' troubles: processes begin and end by the thousand there.
FAULT_CFLAGS := -O1 -Werror -DFAULTS
# Of the tarball, which has the libraries beside its programs; libraries, too, look for others there.
RELOCATABLE_LDFLAGS := $(RELEASE_LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib:$$ORIGIN/../../lib'
# Each process that begins touches the pages of every address to relocate, and each that ends those of every library's data, in
# search of leaks: a third fewer like this.
# Some 400 programs are linked, by gold, where it is, in half of the time.
TEST_LDFLAGS := -fsanitize=address,undefined -static-libubsan -no-pie $(if $(shell command -v ld.gold),-fuse-ld=gold)

# What takes a while shows how far it is. Each file that is made counts as a step.
SHOWN := node tests/progress.mjs
MADE = $(if $(GATEWAY_PROGRESS), && echo did made >>"$$GATEWAY_PROGRESS")

LIB_SRC := $(filter-out %/test_%.c,$(filter-out lib/test_%,$(shell find lib -name '*.c' ! -name 'test_*.c' | LC_ALL=C sort)))
GATEWAY_SRC := $(filter-out fcgi/signer.c fcgi/cgi.c,$(wildcard fcgi/*.c))
CLI_SRC := $(wildcard contrib/cli/*.c)
UNIT_SRC := $(shell find lib -name 'test_*.c' | LC_ALL=C sort)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)

PROGRAMS := fcgi/gateway fcgi/signer fcgi/gateway.cgi jobs/swap-poll jobs/order-poll jobs/webhook-drain jobs/quote-expire \
	jobs/schema-migrate jobs/agent-purge jobs/token-refresh jobs/lend-watch jobs/drift-watch jobs/keyctl jobs/agentctl \
	contrib/cli/gw

LIBS_crypto := -Wl,--as-needed -lsecp256k1 -lsodium -lseccomp
LIBS_db := $(shell pkg-config --libs libmariadb 2>/dev/null || echo -lmariadb)
LIBS_all := -Wl,--as-needed $(LIBS_db) -ljansson -lcurl -lsodium -lz -lm

# $(1) variant, $(2) directory of the programs, $(3) extra CFLAGS, $(4) extra LDFLAGS
define VARIANT
$(1)_OBJ := build/$(1)/obj
$(1)_LIB := build/$(1)/libgateway.a

$$($(1)_OBJ)/%.o: %.c
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $$(BASE_CFLAGS) $(3) $$(CFLAGS) -c -o $$@ $$<

$$($(1)_LIB): $$(LIB_SRC:%.c=$$($(1)_OBJ)/%.o)
	@rm -f $$@
	ar rcs $$@ $$^

$(2)fcgi/gateway: $$(GATEWAY_SRC:%.c=$$($(1)_OBJ)/%.o) $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$^ $$(LIBS_all) -lfcgi

$(2)fcgi/signer: $$($(1)_OBJ)/fcgi/signer.o $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$^ $$(LIBS_crypto)

$(2)fcgi/gateway.cgi: $$($(1)_OBJ)/fcgi/cgi.o $$($(1)_OBJ)/fcgi/records.o $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$^

$(2)contrib/cli/gw: $$(CLI_SRC:%.c=$$($(1)_OBJ)/%.o) $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$^ -Wl,--as-needed -ljansson -lcurl

$(2)jobs/keyctl: $$($(1)_OBJ)/jobs/keyctl.o $$($(1)_OBJ)/jobs/wallet_import.o $$($(1)_OBJ)/jobs/settings_copy.o $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$^ $$(LIBS_all) $$(LIBS_crypto)

$(2)jobs/schema-migrate $(2)jobs/agentctl: $(2)jobs/%: $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$($(1)_LIB) $$(LIBS_all)
$(2)jobs/schema-migrate: $$($(1)_OBJ)/jobs/schema_migrate.o
$(2)jobs/agentctl: $$($(1)_OBJ)/jobs/agentctl.o $$($(1)_OBJ)/jobs/agentctl_look.o $$($(1)_OBJ)/jobs/agentctl_drift.o $$($(1)_OBJ)/jobs/output.o

$(2)jobs/swap-poll $(2)jobs/order-poll $(2)jobs/webhook-drain $(2)jobs/quote-expire $(2)jobs/agent-purge \
		$(2)jobs/token-refresh $(2)jobs/lend-watch $(2)jobs/drift-watch: $(2)jobs/%: $$($(1)_OBJ)/jobs/job.o $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(4) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) $$($(1)_LIB) $$(LIBS_all)
$(2)jobs/swap-poll: $$($(1)_OBJ)/jobs/swap_poll.o
$(2)jobs/order-poll: $$($(1)_OBJ)/jobs/order_poll.o
$(2)jobs/webhook-drain: $$($(1)_OBJ)/jobs/webhook_drain.o
$(2)jobs/quote-expire: $$($(1)_OBJ)/jobs/quote_expire.o
$(2)jobs/agent-purge: $$($(1)_OBJ)/jobs/agent_purge.o
$(2)jobs/token-refresh: $$($(1)_OBJ)/jobs/token_refresh.o
$(2)jobs/lend-watch: $$($(1)_OBJ)/jobs/lend_watch.o
$(2)jobs/drift-watch: $$($(1)_OBJ)/jobs/drift_watch.o
endef

# Date and commit that programs give as their own, or what the builder gives where there is no history. Those of tests give none:
# each commit would have all of them linked anew.
ifndef BUILD_ID
BUILD_ID := $(shell git log -1 --format=+%cd.%h --date=format:%Y%m%d --abbrev=8 2>/dev/null)
endif
BUILT_FROM := build/release/obj/lib/base/build.o build/relocatable/obj/lib/base/build.o
$(BUILT_FROM): BASE_CFLAGS += -DBUILD_ID='"$(BUILD_ID)"'
$(BUILT_FROM): build/build-id
build/build-id: .FORCE
	@mkdir -p $(@D)
	@echo '$(BUILD_ID)' | cmp -s - $@ || echo '$(BUILD_ID)' >$@
.FORCE:

$(eval $(call VARIANT,release,,$$(RELEASE_CFLAGS),$$(RELEASE_LDFLAGS)))
$(eval $(call VARIANT,relocatable,build/relocatable/,$$(RELEASE_CFLAGS),$$(RELOCATABLE_LDFLAGS)))
$(eval $(call VARIANT,test,build/test/,$$(TEST_CFLAGS),$$(TEST_LDFLAGS)))
$(eval $(call VARIANT,fault,build/fault/,$$(FAULT_CFLAGS),))

# $(1) variant, $(2) extra LDFLAGS. peek asks the signer, rows shows tables of the programs; races is for the cluster.
define TESTERS
build/$(1)/peek: $$($(1)_OBJ)/tests/jobs/peek.o $$($(1)_LIB)
	$$(CC) $(2) -o $$@ $$^ $$(LIBS_crypto)
build/$(1)/rows: $$($(1)_OBJ)/tests/rows.o $$($(1)_LIB)
	$$(CC) $(2) -o $$@ $$^ $$(LIBS_all)
build/$(1)/cluster/races: $$($(1)_OBJ)/tests/cluster/races.o $$($(1)_LIB)
	@mkdir -p $$(@D)$$(MADE)
	$$(CC) $(2) -o $$@ $$^ $$(LIBS_all)
endef

$(eval $(call TESTERS,release,))
$(eval $(call TESTERS,test,$$(TEST_LDFLAGS)))
$(eval $(call TESTERS,fault,))

UNIT := $(UNIT_SRC:lib/%.c=build/test/unit/%)
FUZZ := $(FUZZ_SRC:tests/fuzz/fuzz_%.c=build/test/fuzz/%)

$(UNIT): build/test/unit/%: build/test/obj/lib/%.o $(test_LIB)
	@mkdir -p $(@D)$(MADE)
	$(CC) $(TEST_LDFLAGS) -o $@ $^ $(LIBS_all) $(LIBS_crypto)

$(FUZZ): build/test/fuzz/%: build/test/obj/tests/fuzz/fuzz_%.o build/test/obj/tests/fuzz/run.o $(test_LIB)
	@mkdir -p $(@D)$(MADE)
	$(CC) $(TEST_LDFLAGS) -o $@ $^ $(LIBS_all) $(LIBS_crypto)

-include $(shell find build -name '*.d' -type f 2>/dev/null)

.PHONY: .FORCE all build programs test-programs check-stack run up down restart reset status key help check unit test test-all test-faults test-nights test-galera test-mysql \
	test-build check-source analyze model prove fuzz bench install uninstall deb test-deb test-bare tarball clean deps-build deps deps-test deps-cluster deps-mysql deps-bench

# Builds in a make of its own, so that what deps installed is seen.
JOBS := $(shell nproc 2>/dev/null || echo 2)

all: programs
programs: $(PROGRAMS)
test-programs: $(foreach variant,test fault,$(PROGRAMS:%=build/$(variant)/%) $(addprefix build/$(variant)/,peek rows cluster/races)) $(UNIT) $(FUZZ)

deps-build:
	@contrib/sandbox/deps.sh build
deps:
	@contrib/sandbox/deps.sh run
deps-test:
	@contrib/sandbox/deps.sh test
deps-cluster:
	@contrib/sandbox/deps.sh cluster
deps-mysql:
	@contrib/sandbox/deps.sh mysql
deps-bench:
	@contrib/sandbox/deps.sh bench

build: deps
	@$(SHOWN) --make build $(MAKE) -s -j$(JOBS) programs
test-build: deps-test
	@$(SHOWN) --make test-build $(MAKE) -s -j$(JOBS) test-programs

check-stack:
	@contrib/sandbox/stack check
up: check-stack build
	@contrib/sandbox/stack up
down:
	@contrib/sandbox/stack down
restart: build
	@contrib/sandbox/stack restart
reset: build
	@contrib/sandbox/stack reset
status:
	@contrib/sandbox/stack status
key: build
	@contrib/sandbox/stack key "$(or $(TIER),standard)"

run: check-stack build
	@contrib/sandbox/run

# All tests, or with ONLY=NAME a part of them: a section, a file, or the files with a test of that name.
test: test-build
	@ONLY="$(ONLY)" $(SHOWN) $(if $(ONLY),test-part,test) tests/run
# The modules' own tests.
unit: test-build
	@$(SHOWN) unit tests/run unit
# What takes a minute, before a commit.
check: test-build
	@$(SHOWN) check tests/run source unit fuzz
help:
	@awk '/^## / { here = /^## (Two commands|Commands)$$/ } here && /^    / { print }' README.md contrib/docs/CONTRIBUTING.md

# All there is, some hours; what a release asks for. As root.
test-all:
	@tests/all test analyze test-bare test-deb test-faults test-nights test-galera test-mysql model prove fuzz

test-faults: test-build
	@$(SHOWN) test-faults tests/run matrix chains lies

# What the log says in ten kinds of trouble, each for a while; as root.
test-nights: test-build
	@$(SHOWN) test-nights tests/run nights

# The engine in every interleaving, within bounds; DEEP=1 goes beyond them, DEEP_MINUTES (10) into each instance.
model:
	@contrib/sandbox/deps.sh model
	@node tests/model/main.mjs $(if $(DEEP),deep,all)

# The code itself: what CBMC proves of arithmetic and of readers, for all inputs within bounds.
prove:
	@contrib/sandbox/deps.sh prove
	@node tests/proofs/main.mjs "$(ONLY)"

# Two and three machines: a Galera cluster whose nodes are killed and cut off under load.
test-galera: deps-cluster test-build
	@$(SHOWN) test-galera tests/run cluster

# The sections that need a database, on MySQL.
test-mysql: deps-mysql test-build
	@GATEWAY_DB=mysql $(SHOWN) test-mysql tests/run unit api predict jobs starts

check-source:
	@tests/check-source.sh

bench: build deps-bench
	@$(SHOWN) bench tests/bench/run

# Timed fuzzing with coverage, SECONDS_EACH per target.
SECONDS_EACH ?= 60
fuzz: deps-test
	@$(SHOWN) fuzz tests/fuzz/fuzz.sh $(SECONDS_EACH)

# Static analysis; DEEP=1 goes on to the analyzer's own limit.
analyze: deps-test
	@DEEP=$(DEEP) $(SHOWN) analyze tests/analyze.sh

PREFIX ?= /usr/local
# Settings and state lie in the system's own places for a prefix of the system's, else below the prefix.
ifneq ($(filter /usr /usr/local,$(PREFIX)),)
SYSCONFDIR ?= /etc
LOCALSTATEDIR ?= /var
RUNSTATEDIR ?= /run
else
SYSCONFDIR ?= $(PREFIX)/etc
LOCALSTATEDIR ?= $(PREFIX)/var
RUNSTATEDIR ?= $(PREFIX)/var/run
endif
LIBDIR := $(PREFIX)/lib/agent-gateway
UNITDIR ?= $(PREFIX)/lib/systemd/system
# Whom the package and SECURITY.md name: make CONTACT='NAME <ADDRESS>' deb.
CONTACT ?= Agent DeFi Gateway maintainers <maintainers@gateway.example>
# Where the programs are that are installed: BUILT=build/test/ takes those of the tests.
BUILT ?=
INSTALL = DESTDIR="$(DESTDIR)" BUILT="$(BUILT)" PROGRAMS="$(PROGRAMS)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" \
	SYSCONFDIR="$(SYSCONFDIR)" LOCALSTATEDIR="$(LOCALSTATEDIR)" RUNSTATEDIR="$(RUNSTATEDIR)" UNITDIR="$(UNITDIR)" \
	CONTACT="$(CONTACT)" contrib/install.sh
install: $(PROGRAMS:%=$(BUILT)%)
	@$(INSTALL) install
uninstall:
	@$(INSTALL) uninstall

# A Debian package, checked by lintian, in build/deb.
deb:
	@contrib/sandbox/deps.sh deb
	@CONTACT="$(CONTACT)" contrib/debian/make-deb.sh
# The same in a Debian 12 that boots: installed in every way, used, upgraded, removed.
test-deb:
	@contrib/sandbox/deps.sh test-deb
	@tests/deb/run
# The README's two commands in a Debian 12 with git and make and nothing else; as root.
test-bare:
	@contrib/sandbox/deps.sh test-bare
	@tests/bare/run
# A tree that runs wherever it is unpacked.
tarball: deps-build $(PROGRAMS:%=build/relocatable/%)
	@MAKE="$(MAKE)" PROGRAMS="$(PROGRAMS)" contrib/tarball.sh

clean:
	rm -rf build $(PROGRAMS)
