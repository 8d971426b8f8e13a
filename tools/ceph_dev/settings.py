"""What is written into a new cluster's directory: ceph.conf and the keys."""
import base64
import os
import struct
import time

# The first line of ceph.conf: only a directory that has it is ever removed.
MARK = "# Made by tools/ceph."
POOL = "orrery"
USER = "client.orrery"

# The least that Orrery needs: docs/operations/cluster.md says why.
USER_CAPS = {"mon": "profile simple-rados-client-with-blocklist", "osd": f"allow rwx pool={POOL}"}

# Fixed here rather than left to the defaults, which are meant for machines of their own.
COMMON = """
# Loopback only, the second protocol only, no sockets or files outside the directory.
ms_bind_msgr1 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
admin_socket =
run_dir = {root}/run
log_file = {root}/log/$name.log
crash_dir = {root}/log
log_max_recent = 500
auth_allow_insecure_global_id_reclaim = false

# A hung OSD is given up after 4 s instead of 20, told to the monitor within a second instead of five, and new maps
# come without a pause between them; the others then wait at most 1.2 s for what it may still serve. All OSDs are on
# one host and may still report each other.
osd_heartbeat_interval = 1
osd_heartbeat_grace = 4
osd_mon_report_interval = 0
paxos_propose_interval = 0.25
osd_pool_default_read_lease_ratio = 0.3
mon_osd_adjust_heartbeat_grace = false
mon_osd_reporter_subtree_level = osd
mon_osd_down_out_interval = 86400
# One that was given up five times within ten minutes would end itself; here that is done on purpose.
osd_max_markdown_count = 100000
# The monitor sees that a full pool has room again when it ticks; of copies it hears within two seconds.
mon_tick_interval = 1
mgr_stats_period = 1
mgr_tick_period = 1

osd_pool_default_size = {size}
osd_pool_default_min_size = {min_size}
osd_pool_default_pg_num = 16
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_data_avail_warn = 3
mon_data_avail_crit = 1
mgr_initial_modules =
mgr_disabled_modules = alerts,cephadm,dashboard,influx,insights,iostat,k8sevents,localpool,mds_autoscaler,nfs,osd_perf_query,osd_support,prometheus,rook,selftest,snap_schedule,stats,telegraf,test_orchestrator,zabbix

# Small: sparse files, little cache, few threads.
osd_objectstore = bluestore
bluestore_block_size = 4294967296
bluestore_cache_autotune = false
bluestore_cache_size = 67108864
bluestore_fsck_on_mkfs = false
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 1
osd_scrub_begin_hour = 0
osd_scrub_end_hour = 0
"""
QUIET = ("asok auth bdev bluefs bluestore crush crypto filer finisher heartbeatmap javaclient journal kstore mgr "
         "mgrc mon monc ms none objclass objecter optracker osd paxos perfcounter rocksdb timer tp")


def new_key():
    """A cephx secret: type AES, when made, and 16 random bytes."""
    header = struct.pack("<hiih", 1, int(time.time()), 0, 16)
    return base64.b64encode(header + os.urandom(16)).decode()


def keyring(entries):
    """entries: [(name, key, {service: capability})]"""
    text = ""
    for name, key, caps in entries:
        text += f"[{name}]\n\tkey = {key}\n"
        text += "".join(f'\tcaps {service} = "{words}"\n' for service, words in caps.items())
    return text


def ceph_conf(root, fsid, mon_port, size, min_size):
    text = f"{MARK}\n[global]\nfsid = {fsid}\nmon_host = [v2:127.0.0.1:{mon_port}]\n"
    text += COMMON.format(root=root, size=size, min_size=min_size)
    text += "".join(f"debug_{part} = 0/0\n" for part in QUIET.split())
    text += f"\n[mon]\nmon_data = {root}/mon\n"
    text += f"\n[mgr]\nmgr_data = {root}/mgr\nkeyring = {root}/mgr/keyring\n"
    text += f"\n[osd]\nosd_data = {root}/$name\nkeyring = {root}/$name/keyring\n"
    text += f"\n[client.admin]\nkeyring = {root}/admin.keyring\n"
    text += f"\n[{USER}]\nkeyring = {root}/{POOL}.keyring\n"
    return text
