/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reclaimtop/codec.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A step of one memcg, zone and process, without what the model would reckon. */
struct hand {
	struct sample now;
	struct lruvec lruvec;
	struct zone zone;
	struct pageset pageset;
	struct process process;
	struct gen_step gen;
	struct lruvec_step lruvec_step;
	struct lruvec_step *of_memcg[1];
	struct memcg_step memcg;
	struct node_step node;
	struct zone_step zone_step;
	struct pageset_step pageset_step;
	struct process_step process_step;
	struct amount vm[VM_NR];
	struct step st;
};

static struct amount measured(int64_t v, uint8_t scope)
{
	return (struct amount){ v, v, v, AMOUNT_MEASURED, scope };
}

static struct amount inferred(int64_t lo, int64_t v, int64_t hi)
{
	return (struct amount){ v, lo, hi, AMOUNT_INFERRED, SCOPE_MEMCG };
}

static void hand_init(struct hand *h)
{
	*h = (struct hand){ .now = { .n = 7, .mono_us = 9000000 } };
	h->lruvec = (struct lruvec){ .memcg = 28, .path = "/web", .node = 1 };
	h->gen = (struct gen_step){ .seq = 4, .age_ms = 900, .born = true, .now = { 5, 6 } };
	h->lruvec_step = (struct lruvec_step){ .now = &h->lruvec, .ngens = 1, .gens = &h->gen };
	h->lruvec_step.flow[TYPE_FILE].evicted = inferred(3, 4, AMOUNT_NO_LIMIT);
	h->lruvec_step.flow[TYPE_FILE].unexplained = inferred(-AMOUNT_NO_LIMIT, -2, 9);
	h->lruvec_step.flow[TYPE_ANON].artefacts = ARTEFACT_ROTATED | ARTEFACT_TORN;
	h->of_memcg[0] = &h->lruvec_step;
	h->memcg = (struct memcg_step){ .path = "/web", .id = UNKNOWN, .dying = true,
					.nlruvecs = 1, .lruvecs = h->of_memcg,
					.lru_pages = { 5, UNKNOWN }, .oldest_age_ms = { UNKNOWN, 9 } };
	h->memcg.lost = measured(-12, SCOPE_MEMCG_TREE);
	h->node = (struct node_step){ .node = 1, .kswapd = KSWAPD_WORKING };
	h->pageset = (struct pageset){ .cpu = 3, .count = 87, .high = 408 };
	h->pageset_step = (struct pageset_step){ .now = &h->pageset, .fill_permille = 213,
						 .change = measured(-31, SCOPE_MACHINE) };
	h->zone = (struct zone){ .node = 1, .name = "Normal" };
	h->zone_step = (struct zone_step){ .now = &h->zone, .level = ZONE_BELOW_LOW, .usable = 700,
					   .to_min = 38, .to_low = -127, .to_high = -292,
					   .npagesets = 1, .pagesets = &h->pageset_step,
					   .fragmented_permille = { 1, 2, UNKNOWN } };
	h->process = (struct process){ .pid = 61, .start_ticks = 900, .name = "kswapd0" };
	h->process_step = (struct process_step){ .now = &h->process,
						 .cpu_ms = measured(430, SCOPE_MACHINE) };
	h->vm[VM_pgfault] = measured(33, SCOPE_MACHINE);
	h->vm[VM_pgmajfault] = measured(0, SCOPE_MACHINE);
	h->st = (struct step){ .now = &h->now, .dt_us = 1000123, .why = "", .vm = h->vm,
			       .nnodes = 1, .nodes = &h->node, .nzones = 1, .zones = &h->zone_step,
			       .nlruvecs = 1, .lruvecs = &h->lruvec_step, .nmemcgs = 1,
			       .memcgs = &h->memcg, .nprocesses = 1, .processes = &h->process_step };
	h->st.reclaim.stolen_by[WHO_KSWAPD] = measured(512, SCOPE_MACHINE);
	h->st.reclaim.scanned[TYPE_ANON] = (struct amount){ 0, 0, 0, AMOUNT_RESET, SCOPE_MACHINE };
	h->st.reclaim.check = CHECK_AGREE;
	h->st.stall[PSI_MEMORY].some_us = measured(2000, SCOPE_MACHINE);
}

static void has(const struct buf *line, const char *text)
{
	if (!strstr(line->data, text))
		fail_msg("no %s in\n%s", text, line->data);
}

static void test_step(void **state)
{
	static const struct finding finding = { SEVERITY_WARN, "kswapd-behind", "It \"lags\".", "a=1" };
	struct codec *c = codec_new();
	struct buf line = { 0 };
	struct hand h;

	(void)state;
	hand_init(&h);
	codec_step(c, &h.st, &finding, 1, &line);
	has(&line, "{\"type\":\"step\",\"mono_us\":9000000,\"n\":7,\"dt_us\":1000123,\"state\":\"ok\","
		   "\"reclaim\":{\"by\":{\"kswapd\":{\"stolen\":{\"v\":512,\"state\":\"measured\","
		   "\"scope\":\"machine\"}}},\"types\":{\"anon\":{\"scanned\":{\"state\":\"reset\","
		   "\"scope\":\"machine\"}}},\"check\":\"agree\",\"check_diff\":0,\"check_allowed\":0},"
		   "\"stall\":{\"memory\":{\"some_us\":{\"v\":2000,");
	has(&line, "\"lruvecs\":[{\"memcg\":28,\"path\":\"/web\",\"node\":1,\"new\":true,\"gens\":[{\"seq\":4,"
		   "\"age_ms\":900,\"born\":true,\"before\":[0,0],\"now\":[5,6]}],\"flow\":{\"anon\":{"
		   "\"artefacts\":[\"rotated\",\"torn\"]},\"file\":{\"evicted\":{\"v\":4,\"state\":\"inferred\","
		   "\"scope\":\"memcg\",\"lo\":3},\"unexplained\":{\"v\":-2,\"state\":\"inferred\","
		   "\"scope\":\"memcg\",\"hi\":9}}}}]");
	has(&line, "\"memcgs\":[{\"path\":\"/web\",\"dying\":true,\"places\":[[0,0],[0,0],[0,0],[0,0]],"
		   "\"lru_pages\":[5,null],\"oldest_age_ms\":[null,9],\"lost\":{\"v\":-12,"
		   "\"state\":\"measured\",\"scope\":\"memcg_tree\"}}]");
	has(&line, "\"nodes\":[{\"node\":1,\"kswapd\":\"working\"}]");
	has(&line, "\"zones\":[{\"node\":1,\"zone\":\"Normal\",\"level\":\"below_low\",\"usable\":700,"
		   "\"to_min\":38,\"to_low\":-127,\"to_high\":-292,\"pageset_pages\":0,\"stranded\":0,"
		   "\"fragmented_permille\":[1,2,null],\"pagesets\":[{\"cpu\":3,\"change\":{\"v\":-31,");
	has(&line, "\"fill_permille\":213}]}]");
	has(&line, "\"processes\":[{\"pid\":61,\"start_ticks\":900,\"name\":\"kswapd0\",\"cpu_ms\":{\"v\":430,");
	has(&line, "\"vm\":{\"pgfault\":{\"v\":33,\"state\":\"measured\",\"scope\":\"machine\"}},"
		   "\"findings\":[{\"severity\":\"warn\",\"rule\":\"kswapd-behind\","
		   "\"text\":\"It \\\"lags\\\".\",\"evidence\":\"a=1\"}],\"crc\":\"");
	assert_int_equal(line.data[line.len - 1], '\n');
	buf_fini(&line);
	codec_free(c);
}

/* A first step knows nothing: no number, and not a 0 in its place. */
static void test_first(void **state)
{
	struct codec *c = codec_new();
	struct sample now = { .n = 0, .mono_us = 5 }, out = { .arena = arena_new() };
	struct step st = { .now = &now, .state = STEP_FIRST, .why = "" };
	struct buf line = { 0 };

	(void)state;
	st.reclaim.stolen_all.state = AMOUNT_FIRST;
	codec_step(c, &st, NULL, 0, &line);
	has(&line, "{\"type\":\"step\",\"mono_us\":5,\"n\":0,\"dt_us\":0,\"state\":\"first\",\"reclaim\":{"
		   "\"stolen\":{\"state\":\"first\",\"scope\":\"machine\"},\"check\":\"unknown\"},"
		   "\"findings\":[],\"crc\":\"");
	assert_null(strstr(line.data, "\"v\""));
	/* It is whole and sound, and no sample. */
	assert_int_equal(codec_read(c, line.data, line.len - 1, NULL, &out), -EPROTO);
	line.data[9] ^= 1;
	assert_int_equal(codec_read(c, line.data, line.len - 1, NULL, &out), -EILSEQ);
	buf_fini(&line);
	arena_free(out.arena);
	codec_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
