# SPDX-License-Identifier: GPL-2.0-or-later
#
# make [all]       build/reclaimtop
# make run         build it and start it (ARGS='...' are its arguments)
# make check       build everything, run every test (T='NAME ...' only those; SANITIZE=no without sanitizers)
# make asan        the tests under address and undefined-behaviour sanitizers alone
# make m32         the pure parsers built for 32 bits, where the compiler can
# make check-kernel  boots real kernels under emulation and tests on them (KERNELS='6.1 7.2' only those)
# make golden      write the screens of tests/screens anew; read what changed before you keep it
# make man         write the parts of the man page that come from the program's tables anew
# make bench       the ratios of tests/bench
# make install     to $(DESTDIR)$(PREFIX); make uninstall takes it away again
# make clean
#
# CC, CFLAGS, CPPFLAGS, LDFLAGS, PREFIX and DESTDIR are yours. O is the output folder; V=1 shows commands.

VERSION    := 0.1.0
O          ?= build
PREFIX     ?= /usr/local
DATADIR    ?= $(PREFIX)/share/reclaimtop
CC         ?= cc
CFLAGS     ?= -O2 -g
PKG_CONFIG ?= pkg-config
SANITIZE   ?= yes

WARN := -Wall -Wextra -Wshadow -Wundef -Wformat=2 -Wwrite-strings -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith
SANFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += -r --no-print-directory

# ---- what there is ------------------------------------------------------------------------------

MAIN    := ui/cli/main.c
SRCS    := $(sort $(wildcard collectors/*.c collectors/recording/*.c model/*.c model/sim/*.c \
	ui/cli/*.c ui/tui/*.c))
TESTS   := $(sort $(wildcard tests/unit/*_test.c))
SUPPORT := $(sort $(wildcard tests/unit/support*.c))
BENCHES := $(sort $(wildcard tests/bench/*.c))
BENCH_SUPPORT := $(sort $(wildcard tests/bench/support/*.c))
MAN     := $(wildcard docs/reclaimtop.1)
DEMO    := $(wildcard data/demo.jsonl.zst)
SERVICE := $(wildcard data/reclaimtop.service)

# Sources that need nothing but libc: `make m32` builds these for 32 bits, with tests/unit/m32.c as main.
PURE := $(sort $(wildcard collectors/scan*.c collectors/lru_gen*.c collectors/vmstat*.c \
	collectors/zoneinfo*.c collectors/buddyinfo*.c collectors/pagetypeinfo*.c \
	collectors/pressure*.c collectors/meminfo*.c collectors/counters*.c collectors/swaps*.c \
	collectors/small*.c collectors/mountinfo*.c collectors/events_hist*.c model/arena.c model/buf.c model/keys.c \
	model/names.c model/sample.c \
	model/units.c model/utf8.c))

obj         = $(patsubst %.c,$(O)/obj/%.o,$(1))
OBJS       := $(call obj,$(SRCS))
CORE       := $(filter-out $(call obj,$(MAIN)),$(OBJS))
TEST_BINS  := $(patsubst tests/unit/%.c,$(O)/tests/%,$(TESTS))
BENCH_BINS := $(patsubst tests/bench/%.c,$(O)/bench/%,$(BENCHES))
ALL_OBJS   := $(OBJS) $(call obj,$(TESTS) $(SUPPORT) $(BENCHES) $(BENCH_SUPPORT) tests/kernel/reckon.c)
M32_MAIN   := $(wildcard tests/unit/m32.c)
M32_OBJS   := $(patsubst %.c,$(O)/m32/obj/%.o,$(PURE) $(M32_MAIN))

# ---- libraries ----------------------------------------------------------------------------------

LIBS := ncursesw libproc2 json-c libzstd libtracefs
deb_ncursesw := libncurses-dev
deb_libproc2 := libproc2-dev
deb_json-c   := libjson-c-dev
deb_libzstd  := libzstd-dev
deb_libtracefs := libtracefs-dev libtraceevent-dev
deb_cmocka   := libcmocka-dev

missing = $(shell for p in $(1); do $(PKG_CONFIG) --exists $$p || echo $$p; done)
lacking = $(error missing: $(1) (Debian: $(foreach p,$(1),$(deb_$(p)))); ./bootstrap check installs it)

ifneq ($(filter-out clean uninstall,$(or $(MAKECMDGOALS),all)),)
  ifeq ($(shell command -v $(PKG_CONFIG)),)
    $(error missing: $(PKG_CONFIG) (Debian: pkg-config); ./bootstrap check installs it)
  endif
  MISSING := $(call missing,$(LIBS))
  $(if $(MISSING),$(call lacking,$(MISSING)))
  LIB_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBS))
  LIB_LIBS   := $(shell $(PKG_CONFIG) --libs $(LIBS)) -lm
  CC_VERSION := $(shell $(CC) --version 2>/dev/null | head -n 1)
  CMOCKA_CFLAGS := $(shell $(PKG_CONFIG) --cflags cmocka 2>/dev/null)
  CMOCKA_LIBS   := $(shell $(PKG_CONFIG) --libs cmocka 2>/dev/null)
endif

# Only tests need cmocka, so only their recipes ask for it.
need_cmocka = $(if $(filter tests/unit/%,$(1)),$(if $(CMOCKA_LIBS),,$(call lacking,cmocka)))

# ---- flags --------------------------------------------------------------------------------------

ALL_CPPFLAGS = -Iinclude -I. -I$(O)/generated -D_GNU_SOURCE $(LIB_CFLAGS) $(CPPFLAGS)
ALL_CFLAGS   = -std=c11 -pthread $(WARN) -ffile-prefix-map=$(CURDIR)=. $(CFLAGS)
ALL_LDFLAGS  = -pthread $(CFLAGS) $(LDFLAGS)

ifeq ($(V),1)
  Q   :=
  say :=
else
  Q   := @
  say  = @printf '  %-7s %s\n' $(1) $(2)
endif

# $(call keep,TEXT): makes the target hold TEXT, and leaves its time alone when it does already. So what
# depends on it is built again when the text changes, and only then.
define keep
@mkdir -p $(@D)
@printf '%s\n' '$(subst ','\'',$(strip $(1)))' >$@.new
@if cmp -s $@.new $@; then rm -f $@.new; else mv $@.new $@; fi
endef

# ---- the program --------------------------------------------------------------------------------

.PHONY: all run tests objects check check-sanitized check-kernel asan m32 golden man bench install uninstall clean FORCE

all: $(O)/reclaimtop

run: all
	$(Q)$(O)/reclaimtop $(ARGS)

$(O)/flags.stamp: FORCE
	$(call keep,$(CC) | $(CC_VERSION) | $(ALL_CPPFLAGS) $(CMOCKA_CFLAGS) | $(ALL_CFLAGS))

# A source that goes away must be linked out, hence the names of the objects.
$(O)/link.stamp: FORCE
	$(call keep,$(ALL_LDFLAGS) | $(LIB_LIBS) $(CMOCKA_LIBS) | $(OBJS) $(SUPPORT))

$(O)/datadir.stamp: FORCE
	$(call keep,$(DATADIR))

$(O)/generated/version.h: FORCE
	$(call keep,#define RECLAIMTOP_VERSION "$(VERSION)")

# The only object that knows where `make install` puts the demo.
$(O)/obj/ui/cli/demo.o: private OWN_FLAGS := -DDATADIR='"$(DATADIR)"'
$(O)/obj/ui/cli/demo.o: $(O)/datadir.stamp

$(O)/obj/%.o: %.c $(O)/flags.stamp | $(O)/generated/version.h
	$(call need_cmocka,$<)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CPPFLAGS) $(OWN_FLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/reclaimtop: $(OBJS) $(O)/link.stamp
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(OBJS) $(LIB_LIBS)

# ---- tests --------------------------------------------------------------------------------------

# LDFLAGS_NAME_test, if set below, is added for that test alone (-Wl,--wrap=malloc and the like).

LDFLAGS_session_test := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
LDFLAGS_history_test := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
LDFLAGS_recording_damage_test := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
LDFLAGS_steady_test := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
LDFLAGS_river_motion_test := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

tests: $(TEST_BINS)

objects: $(ALL_OBJS)

$(O)/tests/%: $(O)/obj/tests/unit/%.o $(CORE) $(call obj,$(SUPPORT)) $(O)/link.stamp
	$(call need_cmocka,tests/unit/)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) $(LDFLAGS_$*) -o $@ $(filter %.o,$^) $(LIB_LIBS) $(CMOCKA_LIBS)

$(O)/bench/%: $(O)/obj/tests/bench/%.o $(CORE) $(call obj,$(BENCH_SUPPORT)) $(O)/link.stamp
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB_LIBS)

# The sanitizers have an output folder of their own, so that nothing is built twice.
SAN_MAKE = $(MAKE) O=$(O)/asan CFLAGS='$(SANFLAGS)' DATADIR='$(CURDIR)/data'
RUN      = O=$(O) CC='$(CC)' MAKE='$(MAKE)' tests/run

check: all tests m32
ifneq ($(SANITIZE),no)
	+$(Q)$(SAN_MAKE) all tests
endif
	@SANITIZE=$(SANITIZE) $(RUN) $(T)

asan:
	+$(Q)$(SAN_MAKE) all tests
	@SANITIZE=only $(RUN) $(T)

golden: $(foreach t,screens demo_screens replay time_view pagesets pageset_flow river_screens,$(O)/tests/$(t)_test)
	$(Q)for test in $^; do LC_ALL=C.UTF-8 TZ=UTC UPDATE_GOLDEN=1 $$test || exit 1; done

man: $(O)/tests/manpage_test
	$(Q)UPDATE_MAN=1 $(O)/tests/manpage_test

bench: all $(BENCH_BINS)
	@if [ -x tests/bench/run ]; then O=$(O) tests/bench/run $(T); \
	else echo 'bench: there is no tests/bench/run yet'; fi

# ---- real kernels -------------------------------------------------------------------------------

$(O)/tests/kernel/reckon: $(call obj,tests/kernel/reckon.c) $(CORE) $(O)/link.stamp
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB_LIBS)

check-kernel: all $(O)/tests/kernel/reckon $(O)/bench/live_bench
	@O=$(O) CC='$(CC)' KERNELS='$(KERNELS)' tests/kernel/run

# ---- 32 bits ------------------------------------------------------------------------------------

M32_PROBE = printf '\043include <stdio.h>\nint main(void) { return 0; }\n' | \
	$(CC) -m32 -x c -o $(O)/m32/probe - 2>/dev/null

# Says what it leaves out, and is no failure: not every compiler has the 32-bit libc.
m32:
ifneq ($(M32_MAIN),)
	@mkdir -p $(O)/m32
	+@if $(M32_PROBE); then $(MAKE) $(O)/m32/parsers; \
	else rm -f $(O)/m32/parsers; echo '  m32     left out: $(CC) -m32 does not link (Debian: gcc-multilib)'; fi
endif

$(O)/m32/obj/%.o: %.c $(O)/flags.stamp
	$(call say,CC32,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -m32 $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/m32/parsers: $(M32_OBJS) $(O)/link.stamp
	$(call say,LD32,$@)
	$(Q)$(CC) -m32 $(ALL_LDFLAGS) -o $@ $(M32_OBJS) -lm

# ---- install ------------------------------------------------------------------------------------

dest = $(DESTDIR)$(PREFIX)
dest_data = $(DESTDIR)$(DATADIR)
dest_units = $(dest)/lib/systemd/system

install: all
	install -d '$(dest)/bin'
	install -m 755 $(O)/reclaimtop '$(dest)/bin/reclaimtop'
ifneq ($(MAN),)
	install -d '$(dest)/share/man/man1'
	install -m 644 $(MAN) '$(dest)/share/man/man1/reclaimtop.1'
endif
ifneq ($(DEMO),)
	install -d '$(dest_data)'
	install -m 644 $(DEMO) '$(dest_data)/'
endif
ifneq ($(SERVICE),)
	install -d '$(dest_units)'
	sed 's|@bindir@|$(PREFIX)/bin|' $(SERVICE) >'$(dest_units)/reclaimtop.service'
	chmod 644 '$(dest_units)/reclaimtop.service'
endif

uninstall:
	rm -f '$(dest)/bin/reclaimtop' '$(dest)/share/man/man1/reclaimtop.1'
	rm -f '$(dest_data)/demo.jsonl.zst' '$(dest_units)/reclaimtop.service'
	-rmdir '$(DESTDIR)$(DATADIR)' 2>/dev/null

# By name, and not `rm -rf $(O)`: O may be a folder that holds other things.
clean:
	rm -rf $(foreach d,obj tests bench m32 asan generated werror-gcc werror-clang,'$(O)/$(d)')
	rm -f '$(O)/reclaimtop' $(foreach s,flags link datadir,'$(O)/$(s).stamp')
	-@rmdir '$(O)' 2>/dev/null || :

-include $(ALL_OBJS:.o=.d) $(M32_OBJS:.o=.d)
