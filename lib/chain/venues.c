#include "chain/venues.h"

#include <string.h>

/* V2 and V3 may be missing on a chain. */
static const struct venue venues[] = {
    { "ethereum", "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D", "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "optimism", "0x4A7b5Da61326A6379179b40d00F57E5bbDC962c2", "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "bsc", "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", "0x78D78E420Da98ad378D7799bE8f4AF69033EB077",
      "0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2" },
    { "polygon", "0xedf6066a2b290C185783862C7F4776A2C8077AD1", "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "arbitrum", "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", "0x61fFE014bA17989E743c5F6cB21bF9697530B21e",
      "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45" },
    { "base", "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", "0x3d4e44Eb1374240CE5F1B871ab261CD16335B76a",
      "0x2626664c2603336E57B271c5C0b26F421741e481" },
    { "avalanche", "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24", "0xbe0F5544EC67e9B3b2D979aaA43f18Fd87E6257F",
      "0xbb00FF08d01D300023C629E8fFfFcb65A5a578cE" },
};

const struct venue *venue_of(const struct chain *c)
{
    for (size_t i = 0; i < sizeof venues / sizeof venues[0]; i++)
        if (strcmp(venues[i].chain, c->key) == 0)
            return &venues[i];
    return NULL;
}
