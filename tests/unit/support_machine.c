/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "support_fake.h"

static const struct {
	const char *path, *text;
} files[] = {
	{ "proc/sys/kernel/osrelease", "7.2.13+deb14-amd64\n" },
	{ "proc/sys/kernel/random/boot_id", "0f6e3f2a-9c1d-4e1b-8a55-0f2a3b4c5d6e\n" },
	{ "proc/sys/vm/swappiness", "60\n" },
	{ "proc/sys/vm/watermark_scale_factor", "10\n" },
	{ "proc/sys/vm/min_free_kbytes", "2650\n" },
	{ "proc/sys/vm/percpu_pagelist_high_fraction", "0\n" },
	{ "sys/devices/system/cpu/online", "0-1\n" },
	{ "sys/devices/system/node/online", "0\n" },
	{ "sys/kernel/security/lockdown", "[none] integrity confidentiality\n" },
	{ "sys/kernel/mm/lru_gen/enabled", "0x0007\n" },
	{ "sys/kernel/mm/lru_gen/min_ttl_ms", "0\n" },
	{ "proc/uptime", "1000.00 1900.00\n" },
	{ "proc/vmstat", "nr_free_pages 5000\npgscan_kswapd 700\npgsteal_kswapd 650\nnr_unstable 0\n" },
	{ "proc/zoneinfo",
	  "Node 0, zone   Normal\n"
	  "  per-node stats\n"
	  "      nr_inactive_anon 10\n"
	  "  pages free     5000\n"
	  "        boost    0\n"
	  "        min      100\n"
	  "        low      125\n"
	  "        high     150\n"
	  "        spanned  131072\n"
	  "        present  131072\n"
	  "        managed  125000\n"
	  "        cma      0\n"
	  "        protection: (0, 0)\n"
	  "      nr_free_pages 5000\n"
	  "  pagesets\n"
	  "    cpu: 0\n"
	  "              count:    87\n"
	  "              high:     408\n"
	  "              batch:    31\n"
	  "              high_min: 408\n"
	  "              high_max: 6942\n"
	  "  vm stats threshold: 12\n"
	  "    cpu: 1\n"
	  "              count:    5\n"
	  "              high:     408\n"
	  "              batch:    31\n"
	  "              high_min: 408\n"
	  "              high_max: 6942\n"
	  "  vm stats threshold: 12\n"
	  "  node_unreclaimable:  0\n"
	  "  start_pfn:           1\n" },
	{ "proc/buddyinfo", "Node 0, zone   Normal      1      2      3 \n" },
	{ "proc/pagetypeinfo",
	  "Page block order: 9\n"
	  "Pages per block:  512\n"
	  "\n"
	  "Free pages count per migrate type at order       0      1      2 \n"
	  "Node    0, zone   Normal, type    Unmovable      1      0      3 \n"
	  "Node    0, zone   Normal, type      Movable      0      2      0 \n"
	  "\n"
	  "Number of blocks type     Unmovable      Movable \n"
	  "Node 0, zone   Normal            20          230 \n" },
	{ "proc/pressure/memory",
	  "some avg10=2.65 avg60=1.32 avg300=0.32 total=1102959\n"
	  "full avg10=1.00 avg60=0.50 avg300=0.10 total=502959\n" },
	{ "proc/pressure/io",
	  "some avg10=0.00 avg60=1.11 avg300=0.68 total=2828208\n"
	  "full avg10=0.00 avg60=0.91 avg300=0.56 total=2334731\n" },
	{ "proc/pressure/cpu", "some avg10=2.65 avg60=2.78 avg300=2.92 total=111749368752\n" },
	{ "proc/meminfo", "MemTotal:         500000 kB\nMemFree:           20000 kB\n" },
	{ "proc/swaps",
	  "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
	  "/dev/zram0                              partition\t524284\t\t1024\t\t100\n" },
	{ "sys/block/vda/stat", "0\n" },
	{ "sys/block/zram0/mm_stat", "4096 1024 8192 0 8192 3 0 1 2\n" },
	{ "sys/kernel/debug/lru_gen",
	  "memcg 1 /\n"
	  " node     0\n"
	  "          2       9000          0           5 \n"
	  "          3       1000          0           0 \n"
	  "memcg 28 /web\n"
	  " node     0\n"
	  "          4       9000        100         200 \n"
	  "memcg 77 /db\n"
	  " node     0\n"
	  "          7       9000          0         700 \n" },
	{ "sys/kernel/debug/lru_gen_full",
	  "memcg 1 /\n"
	  " node     0\n"
	  "          0          0          0x          0x\n"
	  "                     0          0x          0x          0x          0x          0x          0x\n"
	  "          1          0          0x          0x\n"
	  "                     0          0x          0x          0x          0x          0x          0x\n"
	  "          2       9000          0           5 \n"
	  "                     0          4r          5e          6p          1r          2e          3p\n"
	  "          3       1000          0           0 \n"
	  "                     0          0R          9T          0x          7R          8T          0x\n" },
	{ "proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n" },
	{ "sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n" },
	{ "sys/fs/cgroup/cgroup.stat", "nr_descendants 2\nnr_dying_descendants 1\n" },
	{ "sys/fs/cgroup/memory.stat", "anon 4096\nfile 8192\n" },
	{ "sys/fs/cgroup/memory.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=11\n" },
	{ "sys/fs/cgroup/web/memory.current", "1228800\n" },
	{ "sys/fs/cgroup/web/memory.min", "0\n" },
	{ "sys/fs/cgroup/web/memory.low", "65536\n" },
	{ "sys/fs/cgroup/web/memory.high", "max\n" },
	{ "sys/fs/cgroup/web/memory.max", "67108864\n" },
	{ "sys/fs/cgroup/web/memory.swap.current", "4096\n" },
	{ "sys/fs/cgroup/web/memory.swap.max", "max\n" },
	{ "sys/fs/cgroup/web/memory.zswap.current", "512\n" },
	{ "sys/fs/cgroup/web/memory.stat", "anon 409600\nfile 819200\npgscan 77\n" },
	{ "sys/fs/cgroup/web/memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n" },
	{ "sys/fs/cgroup/web/memory.pressure",
	  "some avg10=1.00 avg60=0.00 avg300=0.00 total=12345\n"
	  "full avg10=0.50 avg60=0.00 avg300=0.00 total=2345\n" },
	{ "sys/fs/cgroup/web/cgroup.stat", "nr_descendants 0\nnr_dying_descendants 0\n" },
	{ "sys/fs/cgroup/db/memory.current", "2867200\n" },
	{ "sys/fs/cgroup/db/memory.max", "max\n" },
	{ "sys/fs/cgroup/db/memory.stat", "anon 0\nfile 2867200\n" },
};

void fake_machine(struct fake *f)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		fake_set(f, files[i].path, files[i].text);
	fake_inode(f, "sys/fs/cgroup", 1);
	fake_inode(f, "sys/fs/cgroup/web", 28);
	fake_inode(f, "sys/fs/cgroup/db", 77);
}
