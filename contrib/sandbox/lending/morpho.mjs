// Morpho Blue, compiled from its source, at mainnet's address, and its markets. The contract of its rates is the one of its
// tests: so much percent a year as percent are borrowed.

import { AbiCoder, keccak256, parseEther } from 'ethers';
import { BUILDER, contractAt, expect } from '../builder.mjs';
import { MORPHO } from '../world.mjs';
import { feedOf } from './feeds.mjs';
import { borrowedOf, hand } from './money.mjs';

const TERMS = ['address', 'address', 'address', 'address', 'uint256'];
// So many times what is owed for it, collateral is worth.
const COVER = 2;

/** What identifies a market to the contract: [loan token, collateral, oracle, contract of rates, lltv]. */
export function paramsOf({ tokens, lending }, { terms: [loan, collateral, lltv], oracle }) {
    return [tokens[loan].address, tokens[collateral].address, oracle, lending.morpho.irm, parseEther(lltv)];
}

export const idOf = (params) => keccak256(AbiCoder.defaultAbiCoder().encode(TERMS, params));

/** [contract, mainnet address, constructor arguments] of Morpho, the rates and the oracles. */
export function inventory(chain, own) {
    const { irm, markets } = chain.lending.morpho;
    const oracles = markets.map(({ oracle, terms: [loan, collateral] }) => [own.MarketOracle, oracle, [
        feedOf(chain, collateral), feedOf(chain, loan), chain.tokens[collateral].decimals, chain.tokens[loan].decimals,
    ]]);
    return [[own.Morpho, MORPHO, [BUILDER]], [own.IrmMock, irm, []], ...oracles];
}

/** Opens the markets, lends to them and borrows from them. */
export async function furnish(url, chain, own) {
    const { irm, markets } = chain.lending.morpho;
    const morpho = contractAt(url, own.Morpho, MORPHO);
    await morpho.send('enableIrm', [irm]);
    for (const lltv of new Set(markets.map(({ terms }) => terms[2]))) await morpho.send('enableLltv', [parseEther(lltv)]);
    for (const market of markets) {
        await morpho.send('createMarket', [paramsOf(chain, market)]);
        await lend(url, chain, own, market);
    }
}

async function lend(url, chain, own, market) {
    const { terms: [loan, collateral], lent } = market;
    const { feeds } = chain.lending;
    const morpho = contractAt(url, own.Morpho, MORPHO);
    const params = paramsOf(chain, market);
    const loaned = await hand(url, chain, own, loan, lent, MORPHO);
    const debt = borrowedOf(loaned);
    const worth = Number(borrowedOf(BigInt(lent))) * feeds[loan].price / feeds[collateral].price;
    const pledged = await hand(url, chain, own, collateral, Math.ceil(COVER * worth), MORPHO);
    await morpho.send('supply', [params, loaned, 0, BUILDER, '0x']);
    await morpho.send('supplyCollateral', [params, pledged, BUILDER, '0x']);
    await morpho.send('borrow', [params, debt, 0, BUILDER, BUILDER]);
}

/** Refuses a world in which a market has another id than it should. */
export async function verify(url, chain, own) {
    const morpho = contractAt(url, own.Morpho, MORPHO);
    for (const market of chain.lending.morpho.markets) {
        const params = paramsOf(chain, market);
        expect('the id of a market', idOf(params), market.id);
        expect(`the terms of ${market.id}`, (await morpho.call('idToMarketParams', [market.id])).join(), params.join());
    }
}
