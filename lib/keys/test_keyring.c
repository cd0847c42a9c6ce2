#include "keys/keyring.c"

#include <signal.h>
#include <sys/wait.h>

#include "keys/test_util.h"

static struct test_dir dir;
static char why[512], master_path[256], data_path[256];

static bool create(void)
{
    return keyring_create(dir.keys, why, sizeof why);
}

static void keyring_test_begin(void)
{
    CHECK(secrets_init());
    test_dir_make(&dir);
    snprintf(master_path, sizeof master_path, "%s/master.key", dir.keys);
    snprintf(data_path, sizeof data_path, "%s/data.keys", dir.keys);
    CHECK(create());
}

static void keyring_test_end(void)
{
    test_dir_remove(&dir);
}

static bool loads(void)
{
    struct keyring *k = keyring_load(dir.keys, why, sizeof why);

    keyring_free(k);
    return k != NULL;
}

static void refused_for(const char *reason)
{
    CHECK(!loads());
    CHECK(strstr(why, reason) != NULL);
    if (strstr(why, reason) == NULL)
        fprintf(stderr, "  said: %s\n", why);
}

static void slurp(char *out, size_t size, const char *path)
{
    FILE *f = fopen(path, "r");

    CHECK(f != NULL);
    if (f == NULL)
        return;
    out[fread(out, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void spill(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0 && chmod(path, 0600) == 0);
}

static unsigned mode_of(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? st.st_mode & 07777u : 0;
}

static void created_files(void)
{
    char text[512];
    struct keyring *k;

    keyring_test_begin();
    CHECK(mode_of(dir.keys) == 0700 && mode_of(master_path) == 0600 && mode_of(data_path) == 0600);
    slurp(text, sizeof text, master_path);
    CHECK(strlen(text) == 65 && text[64] == '\n' && strspn(text, "0123456789abcdef") == 64);
    k = keyring_load(dir.keys, why, sizeof why);
    CHECK(k != NULL && keyring_size(k) == 1 && keyring_newest(k)->id == 1);
    CHECK(k != NULL && keyring_find(k, 1) == keyring_newest(k) && keyring_find(k, 2) == NULL);
    keyring_free(k);
    keyring_free(NULL);
    keyring_test_end();
}

static void second_create_changes_nothing(void)
{
    char master[512], data[512], text[512];

    keyring_test_begin();
    slurp(master, sizeof master, master_path);
    slurp(data, sizeof data, data_path);
    CHECK(create());
    slurp(text, sizeof text, master_path);
    CHECK_STR(text, master);
    slurp(text, sizeof text, data_path);
    CHECK_STR(text, data);
    keyring_test_end();
}

/* The crash came between the two files, or while one was written. */
static void create_completes(void)
{
    char master[512], text[512], half[300];

    keyring_test_begin();
    slurp(master, sizeof master, master_path);
    snprintf(half, sizeof half, "%s.new", data_path);
    spill(half, "1 abc");
    CHECK(unlink(data_path) == 0);
    refused_for("data.keys");
    CHECK(create() && loads());
    CHECK(access(half, F_OK) != 0);
    slurp(text, sizeof text, master_path);
    CHECK_STR(text, master);

    snprintf(half, sizeof half, "%s.new", master_path);
    CHECK(unlink(data_path) == 0 && rename(master_path, half) == 0);
    CHECK(create() && loads());
    CHECK(access(half, F_OK) != 0);
    keyring_test_end();
}

static void lost_master_is_not_replaced(void)
{
    keyring_test_begin();
    CHECK(unlink(master_path) == 0);
    CHECK(!create());
    CHECK(strstr(why, "backup") != NULL && access(master_path, F_OK) != 0);
    keyring_test_end();
}

static void modes_are_checked(void)
{
    static const unsigned loose[] = { 0640, 0604, 0620, 0610, 0601, 0660, 0644 };

    keyring_test_begin();
    for (size_t i = 0; i < sizeof loose / sizeof loose[0]; i++) {
        CHECK(chmod(master_path, loose[i]) == 0);
        refused_for("has mode");
        CHECK(chmod(master_path, 0600) == 0 && chmod(data_path, loose[i]) == 0);
        refused_for("has mode");
        CHECK(chmod(data_path, 0600) == 0);
    }
    CHECK(chmod(dir.keys, 0750) == 0);
    refused_for("has mode");
    CHECK(!create());
    CHECK(chmod(dir.keys, 0700) == 0 && loads());
    CHECK(chmod(master_path, 0400) == 0 && loads());
    keyring_test_end();
}

static void owner_is_checked(void)
{
    if (geteuid() != 0)
        return;
    keyring_test_begin();
    CHECK(chown(data_path, 65534, 65534) == 0);
    refused_for("belongs to uid 65534");
    CHECK(chown(data_path, 0, 0) == 0 && chown(dir.keys, 65534, 65534) == 0);
    refused_for("belongs to uid 65534");
    keyring_test_end();
}

static void links_are_not_followed(void)
{
    char real[300];

    keyring_test_begin();
    snprintf(real, sizeof real, "%s/real", dir.root);
    CHECK(rename(master_path, real) == 0 && symlink(real, master_path) == 0);
    refused_for("master.key");
    CHECK(unlink(master_path) == 0 && mkfifo(master_path, 0600) == 0);
    refused_for("not a plain file");
    keyring_test_end();
}

static void every_truncation_is_refused(void)
{
    static const char *const names[] = { master_path, data_path };

    keyring_test_begin();
    for (size_t i = 0; i < 2; i++) {
        char text[512];

        slurp(text, sizeof text, names[i]);
        for (off_t n = 0; n < (off_t)strlen(text); n++) {
            CHECK(truncate(names[i], n) == 0);
            CHECK(!loads());
        }
        spill(names[i], text);
        CHECK(loads());
    }
    keyring_test_end();
}

static void every_changed_digit_is_refused(void)
{
    static const char *const names[] = { master_path, data_path };

    keyring_test_begin();
    for (size_t i = 0; i < 2; i++) {
        char text[512];

        slurp(text, sizeof text, names[i]);
        for (size_t n = 0; n < strlen(text); n++) {
            char was = text[n];

            text[n] = was == '2' ? '3' : '2';
            spill(names[i], text);
            CHECK(!loads());
            text[n] = was;
        }
        spill(names[i], text);
        CHECK(loads());
    }
    keyring_test_end();
}

static void other_master_is_refused(void)
{
    keyring_test_begin();
    spill(master_path, "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n");
    refused_for("not sealed under this master key");
    CHECK(create()); /* leaves it for the operator */
    refused_for("not sealed under this master key");
    keyring_test_end();
}

static void keyring_add_line(char *text, size_t size, uint32_t id, const struct secret *master)
{
    struct secret *key = secret_random();
    char line[DATA_LINE + 1];
    size_t n = strlen(text);

    CHECK(data_line(line, id, key, master));
    snprintf(text + n, size - n, "%s", line);
    secret_free(key);
}

static void several_data_keys(void)
{
    static char text[4 * DATA_LINE];
    struct secret *master;
    struct keyring *k;

    keyring_test_begin();
    master = keyfile_secret(master_path, why, sizeof why);
    text[0] = '\0';
    keyring_add_line(text, sizeof text, 1, master);
    keyring_add_line(text, sizeof text, 7, master);
    keyring_add_line(text, sizeof text, UINT32_MAX, master);
    spill(data_path, text);
    k = keyring_load(dir.keys, why, sizeof why);
    CHECK(k != NULL && keyring_size(k) == 3 && keyring_newest(k)->id == UINT32_MAX);
    CHECK(k != NULL && keyring_find(k, 7) == &k->keys[1] && keyring_find(k, 2) == NULL);
    keyring_free(k);

    text[0] = '\0';
    keyring_add_line(text, sizeof text, 7, master);
    keyring_add_line(text, sizeof text, 7, master);
    spill(data_path, text);
    refused_for("line 2 is damaged");
    secret_free(master);
    keyring_test_end();
}

static void create_many_at_once(void)
{
    enum { N = 12 };
    pid_t pids[N];

    CHECK(secrets_init());
    for (int round = 0; round < 10; round++) {
        test_dir_make(&dir);
        for (int i = 0; i < N; i++) {
            pids[i] = fork();
            if (pids[i] == 0)
                _exit(create() && loads() ? 0 : 1);
        }
        for (int i = 0; i < N; i++) {
            int status = -1;

            CHECK(waitpid(pids[i], &status, 0) == pids[i] && status == 0);
        }
        CHECK(loads());
        keyring_test_end();
    }
}

/* The first data key's bytes, which no rotation may change; zeros when it does not load. */
static struct secret first_key(void)
{
    struct keyring *k = keyring_load(dir.keys, why, sizeof why);
    struct secret s = { { 0 } };

    if (k != NULL)
        s = *k->keys[0].key;
    keyring_free(k);
    return s;
}

static bool same(const struct secret *a, const struct secret *b)
{
    return memcmp(a->bytes, b->bytes, SECRET_LEN) == 0;
}

static void rotation_changes_the_master_alone(void)
{
    char before[256], after[256];
    struct secret key, now;

    keyring_test_begin();
    key = first_key();
    slurp(before, sizeof before, master_path);
    CHECK(keyring_rotate(dir.keys, why, sizeof why));
    slurp(after, sizeof after, master_path);
    CHECK(strlen(after) == strlen(before) && strcmp(before, after) != 0);
    now = first_key();
    CHECK(same(&now, &key));
    spill(master_path, before);
    refused_for("not sealed under this master key");
    keyring_test_end();
}

static pid_t rotate_until(const char *point)
{
    char list[200];
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    snprintf(list, sizeof list, "%s/faults", dir.root);
    spill(list, point);
    setenv("GATEWAY_FAULTS", list, 1);
    if (freopen("/dev/null", "w", stderr) == NULL)
        _exit(2);
    _exit(keyring_rotate(dir.keys, why, sizeof why) ? 0 : 1);
}

/* kill -9 at every step: the wallets' keys open as before, and the next rotation is a whole one. */
static void interrupted_rotations_lose_nothing(void)
{
    static const char *const points[] = { "keyfile.written kill 1", "keys.rotate.master kill",
                                          "keyfile.written kill 2", "keys.rotate.data kill",
                                          "keys.rotate.done kill" };

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        char before[256], after[256], next[256];
        struct secret key, now;
        int status = 0;
        pid_t pid;

        keyring_test_begin();
        key = first_key();
        pid = rotate_until(points[i]);
        CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        now = first_key();
        CHECK(same(&now, &key));
        CHECK(create()); /* leaves it alone */
        slurp(before, sizeof before, master_path);
        CHECK(keyring_rotate(dir.keys, why, sizeof why));
        slurp(after, sizeof after, master_path);
        now = first_key();
        CHECK(same(&now, &key) && strcmp(before, after) != 0);
        snprintf(next, sizeof next, "%s/master.next", dir.keys);
        CHECK(access(next, F_OK) != 0);
        keyring_test_end();
    }
}

static void backups_open(void)
{
    struct secret key, now;
    char to[200];

    keyring_test_begin();
    key = first_key();
    snprintf(to, sizeof to, "%s/copy", dir.root);
    CHECK(keyring_backup(dir.keys, to, why, sizeof why));
    CHECK(!keyring_backup(dir.keys, to, why, sizeof why)); /* nothing is written over */
    CHECK(keyring_rotate(dir.keys, why, sizeof why));
    memcpy(dir.keys, to, strlen(to) + 1 < sizeof dir.keys ? strlen(to) + 1 : 0);
    now = first_key();
    CHECK(same(&now, &key));
    keyring_test_end();
}

/* A copy made while a rotation hangs in the middle has the master key that counts. */
static void backups_of_half_rotated_keys_open(void)
{
    struct secret key, now;
    char to[200];
    int status;
    pid_t pid;

    keyring_test_begin();
    key = first_key();
    pid = rotate_until("keys.rotate.data kill");
    CHECK(waitpid(pid, &status, 0) == pid);
    snprintf(to, sizeof to, "%s/copy", dir.root);
    CHECK(keyring_backup(dir.keys, to, why, sizeof why));
    memcpy(dir.keys, to, strlen(to) + 1 < sizeof dir.keys ? strlen(to) + 1 : 0);
    now = first_key();
    CHECK(same(&now, &key));
    keyring_test_end();
}

/* Loaders that begin at any moment of many rotations see the keys as before or as after. */
static void loading_during_rotations(void)
{
    struct secret key, now;
    int status = -1;
    pid_t pid;

    keyring_test_begin();
    key = first_key();
    pid = fork();
    if (pid == 0) {
        bool ok = true;

        for (int i = 0; i < 20; i++)
            ok = ok && keyring_rotate(dir.keys, why, sizeof why);
        _exit(ok ? 0 : 1);
    }
    while (waitpid(pid, &status, WNOHANG) == 0) {
        now = first_key();
        CHECK(same(&now, &key));
    }
    CHECK(status == 0);
    keyring_test_end();
}

/* A copy of them was made of keys that may have been in use since. */
static void keys_are_unused_once(void)
{
    char to[200];

    keyring_test_begin();
    snprintf(to, sizeof to, "%s/copy", dir.root);
    CHECK(keyring_backup(dir.keys, to, why, sizeof why) && !keyring_take_unused(to));
    CHECK(keyring_take_unused(dir.keys) && !keyring_take_unused(dir.keys));
    CHECK(create() && !keyring_take_unused(dir.keys));
    CHECK(keyring_rotate(dir.keys, why, sizeof why) && !keyring_take_unused(dir.keys));
    keyring_test_end();
}

TEST_MAIN(TEST(created_files), TEST(second_create_changes_nothing), TEST(create_completes),
          TEST(lost_master_is_not_replaced), TEST(modes_are_checked), TEST(owner_is_checked),
          TEST(links_are_not_followed), TEST(every_truncation_is_refused),
          TEST(every_changed_digit_is_refused), TEST(other_master_is_refused), TEST(several_data_keys),
          TEST(create_many_at_once), TEST(rotation_changes_the_master_alone),
          TEST(interrupted_rotations_lose_nothing), TEST(backups_open),
          TEST(backups_of_half_rotated_keys_open), TEST(loading_during_rotations), TEST(keys_are_unused_once))
