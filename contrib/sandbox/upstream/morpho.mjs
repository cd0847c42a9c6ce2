// Morpho's catalogue: GraphQL at /graphql, the markets of a chain as its documentation has them. It knows those that the
// sandbox's chains have.
//
// True to docs.morpho.org and to a query that was answered on 2026-09-24.
//
// Set by a test, in addition to what all have, lies about the first market that it names:
//
//   foreign_oracle   another oracle than its id stands for
//   other_symbol     the symbol of another token
//   unlisted         it is not listed
//   unknown_id       a market before it that the chain does not have, whose id and terms agree
//   no_list          an error, as GraphQL has them, in place of the list

import { getAddress } from 'ethers';
import { idOf, paramsOf } from '../lending/morpho.mjs';
import { CHAINS } from '../world.mjs';

const SINCE = 1_704_067_200; // the first market's
const DAY = 24 * 3600;
const STRANGER = getAddress(`0x${'22'.repeat(20)}`);
const FAULTS = ['foreign_oracle', 'other_symbol', 'unlisted', 'unknown_id', 'no_list'];

const assetOf = ({ tokens }, symbol) => ({ address: tokens[symbol].address, symbol, decimals: tokens[symbol].decimals });

function itemOf(chain, { terms: [loan, collateral], ...market }, i) {
    const params = paramsOf(chain, { terms: [loan, collateral, market.lltv], ...market });
    const [, , oracle, irm, lltv] = params;
    return {
        marketId: idOf(params),
        lltv: String(lltv),
        loanAsset: assetOf(chain, loan),
        collateralAsset: assetOf(chain, collateral),
        oracle: { address: oracle },
        irmAddress: irm,
        listed: true,
        creationTimestamp: SINCE + i * DAY,
        warnings: i === 0 ? [] : [{ type: 'bad_debt_unrealized', level: i === 1 ? 'RED' : 'YELLOW' }],
    };
}

/** As the chain has them: { terms: [loan, collateral], lltv, oracle }. */
const marketsOf = ({ lending }) => lending.morpho.markets.map(({ terms: [loan, collateral, lltv], oracle }) => ({ terms: [loan, collateral], lltv, oracle }));

const LIES = {
    foreign_oracle: (chain, [first, ...rest]) => [{ ...first, oracle: { address: STRANGER } }, ...rest],
    other_symbol: (chain, [first, ...rest]) => [{ ...first, loanAsset: { ...first.loanAsset, symbol: first.collateralAsset.symbol } }, ...rest],
    unlisted: (chain, [first, ...rest]) => [{ ...first, listed: false }, ...rest],
    unknown_id: (chain, items) => [itemOf(chain, { ...marketsOf(chain)[0], oracle: STRANGER }, 0), ...items],
};

export class Morpho {
    faults = FAULTS;
    #wrong;

    constructor({ wrong }) {
        this.#wrong = wrong;
    }

    answer({ method, path, body }) {
        if (method !== 'POST' || path !== '/graphql') return { status: 404, json: { error: 'not found' } };
        const { query = '' } = JSON.parse(body);
        const [, id] = /chainId_in:\[(\d+)\]/.exec(query) ?? [];
        const chain = Object.values(CHAINS).find((each) => each.id === Number(id));
        if (id === undefined || this.#wrong('no_list')) return { json: { errors: [{ message: 'Cannot query field' }], data: null } };
        let items = chain?.lending === undefined ? [] : marketsOf(chain).map((market, i) => itemOf(chain, market, i));
        for (const [name, lie] of Object.entries(LIES)) if (items.length > 0 && this.#wrong(name)) items = lie(chain, items);
        return { json: { data: { markets: { items } } } };
    }
}
