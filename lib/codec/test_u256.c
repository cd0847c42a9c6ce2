#include "base/test.h"
#include "codec/u256.c"

#define MAX_TEXT                                                                                             \
    "115792089237316195423570985008687907853269984665640564039457584007913129639935" /* 2^256 - 1 */

static struct u256 of_hex(const char *text)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse_hex(&v, text));
    return v;
}

static struct u256 of_u128(u128 v)
{
    return (struct u256){ { (uint64_t)v, (uint64_t)(v >> 64), 0, 0 } };
}

static u128 to_u128(struct u256 v)
{
    CHECK(v.limb[2] == 0 && v.limb[3] == 0);
    return (u128)v.limb[1] << 64 | v.limb[0];
}

/* Deterministic: a failure can be repeated. */
static uint64_t next_random(void)
{
    static uint64_t state = 88172645463325252U;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A random number of any length, so that small and large operands meet. */
static struct u256 any_u256(void)
{
    struct u256 v = { { next_random(), next_random(), next_random(), next_random() } };
    size_t keep = (size_t)(next_random() % 5);

    for (size_t i = keep; i < LIMBS; i++)
        v.limb[i] = 0;
    if (keep > 0)
        v.limb[keep - 1] >>= next_random() % 64;
    return v;
}

/* Worked out with arbitrary precision elsewhere; limbs of all ones, of one high bit and of zeros make the
 * quotient estimates go wrong where they can. */
static const char *const division_rows[][4] = {
    /* a, b, a / b, a % b */
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x1",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x0" },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x1", "0x0" },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x8ac7230489e80000",
      "0x1d83c94fb6d2ac34a5663d3c7a0d865ca3c4ca40e0ea7cfe9", "0x693fcf03e3d7ffff" },
    { "0x5", "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x0", "0x5" },
    { "0x0", "0x3", "0x0", "0x0" },
    { "0x7fffffffffffffff800000000000000000000000000000000000000000000000",
      "0x800000000000000000000000000000000000000000000001", "0xfffffffffffffffe",
      "0x7fffffffffffffffffffffffffffffff0000000000000002" },
    { "0x7fffffffffffffff7fffffffffffffffffffffffffffffff", "0x5955fb9f7d17ebddf75c883d07884b7d9435541",
      "0x16ecba9499", "0x4ce3336f2714f943c5efafc2597236a5c3e7826" },
    { "0x3e85b9c09a26edf1bd27855798394afbe91bea705ec879b6633f9b6bb2",
      "0x2000000000000000000000000000000000000000000000001", "0x1f42dce04d",
      "0x26edf1bd27855798394afbe91bea705ec879b643fcbe8b65" },
    { "0xffffffffffffffff8000000000000001", "0x61571a43d87a9738b079e17711b757", "0x2a1",
      "0x1a03f3a3e5b873780f9645fa6d044a" },
    { "0x2a942e5be90fb6516ac26ae07c2c6a87392bc552e57f76912ff3c23c9c2f6723", "0x7fffffffffffffff",
      "0x55285cb7d21f6ca37fd58f309c97ae557202a907042e49cd", "0x21f66b43a05db0f0" },
    { "0xee7d0ae2145103c7ff5e1d1f1cfb0a06bb93c8eb", "0x432c9121ef95eee8a70828a7", "0x38ce0bb322e3337b2",
      "0x27938a796ea044d3bbe6a3cd" },
    { "0x5fb6d625d6d106fb60ed33a0b9b253e3aa181345", "0xa03d500bc22cb1be4a5db", "0x98e9f0f212e27931082",
      "0x1151b72cf15179bdd2a0f" },
    { "0xffffffffffffffff80000000000000018000000000000000ffffffffffffffff",
      "0x33cf9c4445aaea01ac23acfd3bb743f7dc86b692a4f0ea1b49bf707c0909c", "0x4f0e",
      "0x196c62c47270a7c993aa64b92e00e3645e4ac314a294d6bfe3d1926d7f377" },
    { "0x180000000000000010000000000000000", "0x1e6077d79", "0xca4269e7487796aaca65967a", "0x22c4e56" },
    { "0x58970ef1d2a0169d4da60990bd0d8cfeee59b397cd751e08023a80a22ed51b12",
      "0x80000000000000008000000000000000", "0xb12e1de3a5402d39ea1df53dd4daecc3",
      "0x794ab8f8e307a7a6823a80a22ed51b12" },
    { "0x7115b6d32a901faf20ac0", "0xfffffffffffffffe", "0x7115b", "0x6d32a901fb002d76" },
    { "0x7fffffffffffffff0000000000000001", "0xd56c222207c6c03bf449fd", "0x998930dba7",
      "0x2eee82cc5b3b3a3e84cf6" },
    { "0x1e258d2684806d26f27401fa03c49fdbd3ece9f2c2f8c6c083f5783ea",
      "0xfffffffffffffffe7fffffffffffffff0000000000000001", "0x1e258d268",
      "0x4806d271fac55b3c3c49fdbf212771942f8c6c065cfeb182" },
    { "0x31e84fb363b9edacb4b2e7245e07b59d80a5527a25fb65b55ea14843a", "0x80000000000000000000000000000001",
      "0x63d09f66c773db596965ce48b", "0x607b59d1cd4b3135e878a5bf53b79faf" },
    { "0x800000000000000000000000000000010000000000000000fffffffffffffffe", "0x8000000000000000",
      "0x1000000000000000000000000000000020000000000000001", "0x7ffffffffffffffe" },
    { "0x9f9c4384fec0f409efac292", "0x8000000000000001", "0x13f38870", "0x4fec0f408b073a22" },
    { "0x147422790bb018cd5d187a9fda2ef65322a48cbbc6c9419f48c75", "0xfffffffffffffffe7fffffffffffffff",
      "0x147422790bb018cd7bc6a", "0xe556bb71b8770c29f34d2795a6cc48df" },
    { "0x7676c2bfa1f10856aab1d", "0x7fffffffffffffff", "0xeced8", "0x2bfa1f10857979f5" },
    { "0x7cdeb5d0b22a431f16d68f3d658c99a206c2856", "0x9b8e9a8", "0xcd7f9165aafa538a32cf3ad7d9b1adbd",
      "0x7d91f4e" },
    { "0x180000000000000007fffffffffffffff0000000000000002", "0xffffffffffffffff",
      "0x180000000000000020000000000000001", "0x3" },
    { "0x80000000000000017fffffffffffffff0000000000000001", "0x2a2a7a9863a366aa6cfd49403fcf6d859526e3d0",
      "0x3091ec7e7", "0xa184b4a45fa587c2c4de7b1e656d1842c71bf51" },
    { "0x771c23e17d4ffa0ffc7383bf9e6fb2b700e5e81305fbec3a2dc378f2", "0x667cd607924dedecf7eda11",
      "0x1298529c1a07ccd3f3605230480ae17540", "0x2880f5ceef687e701722fb2" },
    { "0x7fffffffffffffff8000000000000000fffffffffffffffe0000000000000002",
      "0x800000000000000000000000000000000000000000000001", "0xffffffffffffffff",
      "0xfffffffffffffffd0000000000000003" },
    { "0xfffffffffffffffe00000000000000000000000000000002ffffffffffffffff",
      "0x38bd3c6908a6ab0fbf433e0300755f64bba86df7", "0x4830a04c11c39d6ef347efda0",
      "0x7b327713144a81b467ef9e0cf811cbff67c2a9f" },
    { "0x19efc46c08039cd862", "0x18000000000000001", "0x11", "0x6fc46c08039cd851" },
    { "0x7ffffffffffffffffffffffffffffffe", "0x14a368a7", "0x633b9f9edb0b1d8a0aef35b95", "0xe2bb9cb" },
    { "0xcea52b88122e140fc055310b43b6dd001a2fd3e74c00f42a43f0473f9d8024", "0x31d90afe967ebdb0ef1f01228c26bb2",
      "0x42540db4f9c37176780220bf5f4c9739", "0x10fe384c5f502c2215decb477f58782" },
    { "0x378d04e4e8d8d2f71377dcedb6ce85a45a5209", "0x2", "0x1bc68272746c697b89bbee76db6742d22d2904", "0x1" },
    { "0x2", "0x1", "0x2", "0x0" },
    { "0x8000000000000000", "0x7fffffffffffffff", "0x1", "0x1" },
    { "0x200000000000000018000000000000001", "0x8000000000000000fffffffffffffffe", "0x3",
      "0x7ffffffffffffffe8000000000000007" },
    { "0x800000000000000000000000000000017fffffffffffffff0000000000000000", "0xba2d3eca751dcbbb757b6e24482",
      "0xb0013aa6cfce19e17b1359624080bd6d312fa", "0xb72d6f503311178e6225b11f50c" },
    { "0xfa556835c021fa1bc31e4b9749d04ce533b893a58607bfbf00552293", "0x8000000000000000",
      "0x1f4aad06b8043f437863c972e93a099ca6771274b", "0x607bfbf00552293" },
    { "0x58e129097b1ac9d7e9ce77af7978c5f2f3ca661d34979b3cbf93e3fb1f925cb",
      "0xed15b31110c8f033b91536f784ccd0b3a175", "0x5ff87762e5c6c1023c8736715c0",
      "0x5a265fb8c7d88b35fe1ac58f0b4ee9ee750b" },
    { "0x175fe1142f1a4bf3b3bcb9bcea17870d5e24c6c60fb7f36ee",
      "0x800000000000000100000000000000028000000000000000", "0x2",
      "0x75fe1142f1a4bf393bcb9bcea17870d0e24c6c60fb7f36ee" },
};

static const char *const muldiv_rows[][4] = {
    /* a, b, d, a * b / d or NULL when it does not fit */
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe", NULL },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x2", "0x2",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x1", NULL },
    { "0x8000000000000000000000000000000000000000000000000000000000000000", "0x2", "0x1", NULL },
    { "0x8000000000000000000000000000000000000000000000000000000000000000", "0x2", "0x2",
      "0x8000000000000000000000000000000000000000000000000000000000000000" },
    { "0x0", "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x1", "0x0" },
    { "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x0",
      "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "0x0" },
    { "0xde0b6b3a7640000", "0x6a42fc8d3b6000", "0x845cb223b8af332740000", "0xb2427d03" },
    { "0x2ec1818e811892f902bd23f0824128b2f330c5c7fd0a6a3a450", "0x10000000000000000", "0x13d9c1724",
      "0x25afab498637cbf897e362570d3dbb130352f68382e57c78a592c8da271" },
    { "0x39263059f28c105d", "0x20000000000000000ffffffffffffffff0000000000000000", "0x2481e27a1c08a6a63ec",
      "0x3217e161666c137f28000ac34946cfe7430db854284977" },
    { "0x12474e94e3bf91", "0x10000000000000001",
      "0x8000000000000001800000000000000180000000000000007fffffffffffffff", "0x0" },
    { "0xc7a2ea20b2f14c942e05319acb5c7427", "0xfffffffffffffffe",
      "0xa6b0a18e8830e07bc1e398f1012bd4acefaecbd389be4bcfc49b64a08", "0x0" },
    { "0x4958e9f8ede0d7ac3baea9e13deef86ab1031d0f646e1f40a097c976bf46c69",
      "0x119a774c9df6acc011cdd9474031b7f26144b98289fcd", "0x18000000000000001", NULL },
    { "0x16355ab2cd31ee315128862c33a4fb774eb52",
      "0x8000000000000001000000000000000100000000000000028000000000000000", "0x2fffffffffffffffe", NULL },
    { "0x8000000000000001", "0x20000000000000000fffffffffffffffe",
      "0xf83f73f16dbf4a8b2b0c4312d20203626f3fe39c0", "0x107fe84f" },
    { "0x8000000000000000", "0xffffffffffffffff", "0x15d39d0a89a2ef80f58ee8571f4998d7c", "0x0" },
    { "0x8000000000000001", "0x43c71bbd87a86557b6fb7ebfeaa1551a28f7b324e4e25a15fc899e4fd58dbe", "0x348",
      NULL },
    { "0x3085", "0x162ac34446e883a1d45de0099784b5a818", "0xffffffffffffffffffffffffffffffffffffffffffffffff",
      "0x0" },
    { "0x5d5b06258e7e26f36a8483f8b8", "0xfffffffffffffffe", "0x5f4de2c089aea6429b1491e24",
      "0xfac3fd85de7670973" },
    { "0x192daae785729763a12917c1a26f88938703800149e259b",
      "0xe8c1477abec539007d1034d726c86b9c3a23cde67a9b75fc3947249fc2d0a1", "0x18ddc501e8e72789", NULL },
    { "0x2bd22188287e8c5c715f8c74fc1e27e9e06f59b44e92effddeeaa842bc19", "0x2",
      "0x95f3678bc8d40783f0a072a98d2", "0x959fc8cdb25b7d25bd894f11a59d79bf6" },
    { "0x27ffffffffffffffffffffffffffffffe", "0x27fffffffffffffff8000000000000001", "0x8000000000000001",
      "0xc7fffffffffffffe48000000000000031ffffffffffffff9e" },
    { "0x2", "0x18000000000000001", "0x18000000000000001", "0x2" },
    { "0xfffffffffffffffe", "0x8000000000000000800000000000000100000000000000010000000000000000",
      "0xffffffffffffffff80000000000000018000000000000001", "0x7fffffffffffffffbfffffffffffffff" },
    { "0x2a1292618550e40d54712ea6b36471fde41f229dd06aa8b9e0231b3e14",
      "0x1fffffffffffffffeffffffffffffffff0000000000000001", "0x2fffffffffffffffe0000000000000002", NULL },
    { "0x7fffffffffffffff", "0x7f3dc6e7836a4b4d19ec12955d6f0",
      "0x4fcd55daf106db8dee081179a071e518ae4525b4b1b75321c5296", "0x0" },
    { "0x24ba2e1619fb9af5084768b8c54dd0ba5626467ba04a10547b401ba85", "0xffffffffffffffff",
      "0xfffffffffffffffe", "0x24ba2e1619fb9af52d0196cedf496bafa7e20b60998f16f974ddebede" },
    { "0x42551b3c17a9262453bf491", "0xb34e7e9ee51d9212824c83c8cb28eb4ed2e3895e8b6b263cfa5e",
      "0x36702eefa279b02e3d8dccb1c51d0eba0ea8", "0xda7bc065aee8aad7223d140902815bad30e5acd" },
    { "0xfffffffffffffffe00000000000000010000000000000000", "0xfffffffffffffffe0000000000000001",
      "0xfffffffffffffffe7fffffffffffffff80000000000000000000000000000000", "0xfffffffffffffffd" },
    { "0xffffffffffffffff", "0xfffffffffffffffe", "0xfffffffffffffffefffffffffffffffe", "0x0" },
    { "0xfffffffffffffffe00000000000000028000000000000001", "0x1bbab27f604b8157d03edb92009758340",
      "0x7fffffffffffffff00000000000000018000000000000001ffffffffffffffff", "0x377564fec09702afa" },
    { "0x15eedf653ac4da9afb81392137161c16b00fd7bb", "0x80000000000000007fffffffffffffff",
      "0x10000000000000000", "0xaf76fb29d626d4d88b80c4338ed7b58bfd9a908e0c633705c86b2bc" },
    { "0xaa4c515a0cce60e2ec40a", "0xeb3d6ab0b94af3a4b05e1aeb153d69c", "0x8000000000000001fffffffffffffffe",
      "0x138f9d3ac6b41747d976e" },
    { "0x800000000000000080000000000000008000000000000000", "0xfffffffffffffffe",
      "0x800000000000000000000000000000000000000000000002", "0xfffffffffffffffe" },
    { "0x1447c6b789ef81365acc3f88af5933736dcca7f0c99e80b5244a4767e1fa",
      "0x7fffffffffffffff00000000000000020000000000000001",
      "0xfffffffffffffffffffffffffffffffefffffffffffffffe0000000000000000",
      "0xa23e35bc4f7c09b191e590ccdbd18838ecd853a8e4c" },
    { "0x0", "0x18000000000000000", "0x282d561", "0x0" },
    { "0xfffffffffffffffe8000000000000001",
      "0x8000000000000001000000000000000100000000000000010000000000000001",
      "0x3b348922d7c1a624dcbab5b3733c1ae917",
      "0x22976f8d697ca9d38a8b5b988c05acf1356832991591edc70a0d72282508ccf" },
    { "0xc458272f498dbfa8af06bcf7e91457db7aa068f113a5397f", "0x2",
      "0x7b7fec403312ead222930ae9158d4a89f03bc5a", "0x32dff11f66" },
    { "0x8000000000000001ffffffffffffffff0000000000000001fffffffffffffffe",
      "0xcc08c90473ee4c717fdfe48ef631e563408c4653cde776200b5774510ca",
      "0x7f4f5f7d5f12481b1c025d1e4d0a313932904757f1cba4a227f39047b2c10",
      "0xcd23db908771fedc7999c4031ea54e5b18b947f1bb90740b6dbd29534741dd" },
    { "0x4a1319d42435f10300ee379c65f21201e4eaa3556c35b7e448", "0x8000000000000000fffffffffffffffe",
      "0xffffffffffffffff80000000000000000000000000000001", "0x25098cea121af881dd0efc17603c76444d" },
    { "0x1cdae7c8f097ddfcbc9f3308ce500eb4e1128b88073065b8c35", "0xc0580dc5ab6a8ad9cb",
      "0x197d6cff718569908f6c0301b2153158ce400721f84", "0xd9bcac1d768e3e0d528ff47b5e" },
    { "0xfffffffffffffffe0000000000000000", "0x164950dc2", "0xfffffffffffffffe7fffffffffffffff",
      "0x164950dc1" },
    { "0x6ad6a9b", "0x82ce786f6fad79364406c053f895fc55", "0xcfdcc257076d490ae25f4b1c6d80de7cf4c73f2bc8ff1c38",
      "0x0" },
    { "0x3bb0caa7612", "0x24de962a6da4fd57c5", "0x178e10e702bb71c68", "0x5d6e530593ec" },
    { "0x14e3e23f9ee8bc8bd1e6912bd313bee41785bc6", "0x559dba78eaca2887bb1d1244d039b72",
      "0x4cf98296259c8a4a915d0", "0x173c4220e7ddff3226bfe7ef8ad1dbab056e15f6589c2f848" },
    { "0x800000000000000180000000000000008000000000000001ffffffffffffffff", "0x22cb8d14c173910e33e7c6567",
      "0xfffffffffffffffe8000000000000000ffffffffffffffff", "0x1165c68a60b9c887683de099eb4406606a387a688" },
    { "0x7fffffffffffffff", "0xc0856947a7a452e704d607a4732",
      "0xffffffffffffffff00000000000000028000000000000000fffffffffffffffe", "0x0" },
};

static void divisions(void)
{
    for (size_t i = 0; i < sizeof division_rows / sizeof division_rows[0]; i++) {
        struct u256 a = of_hex(division_rows[i][0]), b = of_hex(division_rows[i][1]), quot, rem;
        char text[U256_HEX_LEN + 1];

        CHECK(u256_div(&quot, &rem, a, b));
        u256_hex(text, quot);
        CHECK_STR(text, division_rows[i][2]);
        u256_hex(text, rem);
        CHECK_STR(text, division_rows[i][3]);
    }
}

static void muldivs(void)
{
    for (size_t i = 0; i < sizeof muldiv_rows / sizeof muldiv_rows[0]; i++) {
        const char *const *row = muldiv_rows[i];
        char text[U256_HEX_LEN + 1];
        struct u256 v;

        if (!u256_muldiv(&v, of_hex(row[0]), of_hex(row[1]), of_hex(row[2]))) {
            CHECK(row[3] == NULL);
            continue;
        }
        u256_hex(text, v);
        CHECK_STR(text, row[3] != NULL ? row[3] : "no value");
    }
}

static void zero_does_not_divide(void)
{
    struct u256 one = u256_from_u64(1), v;

    CHECK(!u256_div(&v, NULL, one, U256_ZERO));
    CHECK(!u256_muldiv(&v, one, one, U256_ZERO));
    CHECK(u256_div(&v, NULL, U256_ZERO, one) && u256_is_zero(v));
}

static void overflow_is_reported(void)
{
    struct u256 max, v, one = u256_from_u64(1), half = { { 0, 0, 0, (uint64_t)1 << 63 } };
    struct u256 root = { { 0, 0, 1, 0 } }; /* 2^128 */
    uint64_t small;

    CHECK(u256_parse(&max, MAX_TEXT));
    CHECK(u256_add(&v, max, U256_ZERO) && u256_cmp(v, max) == 0);
    CHECK(!u256_add(&v, max, one));
    CHECK(!u256_add(&v, half, half));
    CHECK(!u256_sub(&v, U256_ZERO, one));
    CHECK(u256_cmp(u256_difference(U256_ZERO, one), max) == 0 &&
          u256_cmp(u256_difference(U256_ZERO, max), one) == 0);
    CHECK(u256_sub(&v, max, max) && u256_is_zero(v));
    CHECK(u256_is_zero(u256_sub_or_zero(U256_ZERO, one)) && u256_is_zero(u256_sub_or_zero(one, max)));
    CHECK(u256_is_zero(u256_sub_or_zero(max, max)) && u256_cmp(u256_sub_or_zero(max, U256_ZERO), max) == 0);
    CHECK(!u256_mul(&v, root, root));
    CHECK(!u256_mul(&v, half, u256_from_u64(2)));
    CHECK(u256_mul(&v, max, one) && u256_cmp(v, max) == 0);
    CHECK(u256_mul(&v, max, U256_ZERO) && u256_is_zero(v));
    CHECK(u256_to_u64(&small, u256_from_u64(UINT64_MAX)) && small == UINT64_MAX);
    CHECK(!u256_to_u64(&small, root));
}

static void decimal_text(void)
{
    static const char *const same[] = { "0",
                                        "1",
                                        "9",
                                        "10",
                                        "9999999999999999999",
                                        "10000000000000000000",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "100000000000000000000000000000000000000",
                                        MAX_TEXT };
    static const char *const bad[] = {
        "",
        "+1",
        "-1",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "a",
        "\xd9\xa1",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936", /* 2^256 */
        "999999999999999999999999999999999999999999999999999999999999999999999999999999",
    };
    char text[U256_DECIMAL_LEN + 1];
    struct u256 v;

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        CHECK(u256_parse(&v, same[i]));
        u256_decimal(text, v);
        CHECK_STR(text, same[i]);
    }
    CHECK(u256_parse(&v, "000" MAX_TEXT));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!u256_parse(&v, bad[i]));
}

static void hex_text(void)
{
    static const char *const same[] = {
        "0x0",
        "0x1",
        "0xf",
        "0x10",
        "0xffffffffffffffff",
        "0x10000000000000000",
        "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
    };
    static const char *const bad[] = {
        "",
        "0",
        "0x",
        "0X1",
        "1",
        "0xg",
        "-0x1",
        "0x 1",
        "0x1 ",
        "x1",
        "0x@",
        "0x`",
        "0x10000000000000000000000000000000000000000000000000000000000000000"
    };
    char text[U256_HEX_LEN + 1];
    struct u256 v;

    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        CHECK(u256_parse_hex(&v, same[i]));
        u256_hex(text, v);
        CHECK_STR(text, same[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!u256_parse_hex(&v, bad[i]));
    CHECK(u256_parse_hex(&v, "0x0000000000000000000000000000000000000000000000000000000000000000000aBcDeF"));
    u256_hex(text, v);
    CHECK_STR(text, "0xabcdef");
}

static void bytes(void)
{
    uint8_t be[U256_BYTES + 1] = { 0 };
    struct u256 v = { { 4, 3, 2, 1 } }, back;

    u256_to_be(be, v);
    CHECK(be[31] == 4 && be[23] == 3 && be[15] == 2 && be[7] == 1);
    CHECK(u256_cmp(u256_from_be(be), v) == 0);
    CHECK(u256_from_be_n(&back, (const uint8_t *)"\x01\x02", 2) && u256_cmp(back, u256_from_u64(0x102)) == 0);
    CHECK(u256_from_be_n(&back, NULL, 0) && u256_is_zero(back));
    CHECK(!u256_from_be_n(&back, be, U256_BYTES + 1));
}

/* For operands whose results fit 128 bits the compiler's own arithmetic must agree. */
static void agrees_with_128_bits(void)
{
    for (int i = 0; i < 20000; i++) {
        u128 a = ((u128)next_random() << 64 | next_random()) >> (1 + next_random() % 127);
        u128 b = (((u128)next_random() << 64 | next_random()) >> (1 + next_random() % 127)) + 1;
        uint64_t c = next_random(), d = next_random();
        struct u256 v, rem;

        CHECK(u256_add(&v, of_u128(a), of_u128(b)) && to_u128(v) == a + b);
        CHECK(u256_sub(&v, of_u128(a), of_u128(b)) == (a >= b));
        CHECK(a < b || to_u128(v) == a - b);
        CHECK(u256_mul(&v, u256_from_u64(c), u256_from_u64(d)) && to_u128(v) == (u128)c * d);
        CHECK(u256_div(&v, &rem, of_u128(a), of_u128(b)) && to_u128(v) == a / b && to_u128(rem) == a % b);
        CHECK((u256_cmp(of_u128(a), of_u128(b)) < 0) == (a < b));
    }
}

/* a = q * b + r with r < b, and (a * b) / b = a. */
static void division_undoes_multiplication(void)
{
    for (int i = 0; i < 20000; i++) {
        struct u256 a = any_u256(), b = any_u256(), quot, rem, back;

        if (u256_is_zero(b))
            continue;
        CHECK(u256_div(&quot, &rem, a, b) && u256_cmp(rem, b) < 0);
        CHECK(u256_mul(&back, quot, b) && u256_add(&back, back, rem) && u256_cmp(back, a) == 0);
        CHECK(u256_muldiv(&back, a, b, b) && u256_cmp(back, a) == 0);
    }
}

TEST_MAIN(TEST(divisions), TEST(muldivs), TEST(zero_does_not_divide), TEST(overflow_is_reported),
          TEST(decimal_text), TEST(hex_text), TEST(bytes), TEST(agrees_with_128_bits),
          TEST(division_undoes_multiplication))
