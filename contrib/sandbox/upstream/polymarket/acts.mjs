// What happens to markets when a test wants it: { market: its id, outcome: which one won, by name or number }.

import { Interface } from 'ethers';
import { KINDS, payouts, questionId } from '../../polymarket.mjs';
import { cancelOrders } from './orders.mjs';
import { changedMarket, hasEnded } from './world.mjs';

const LEDGERS = {
    ctf: new Interface(['function reportPayouts(bytes32, uint256[])']),
    v3: new Interface(['function reportPayouts(bytes32, uint256[2])']),
};

export const actsOf = (world) => ({
    resolve: (value) => resolve(world, value),
    pause: (value) => become(world, value, 'paused'),
    resume: (value) => become(world, value, 'open'),
});

/** Decided on the chain; what rests is canceled. */
async function resolve(world, value) {
    const market = marketIn(world, value, ({ status }) => status === 'resolved');
    const winner = outcomeIn(market, value.outcome);
    world.store.keep({ markets: [changedMarket(market, { status: 'closed' })] });
    cancelOrders(world, [...world.live].filter((order) => order.market === market.id));
    const codec = LEDGERS[market.kind === 'v3' ? 'v3' : 'ctf'];
    const data = codec.encodeFunctionData('reportPayouts', [questionId(market), payouts(winner)]);
    const hash = await world.operator.send(`resolve ${market.id}`, KINDS[market.kind].ledger, data);
    await world.operator.receipt(hash);
    world.operator.finalReceipt(hash).catch(() => {});
    world.store.keep({ markets: [changedMarket(market, { status: 'resolved', winner })] });
    return { market: market.id, winner, hash };
}

function become(world, value, status) {
    const market = marketIn(world, value, hasEnded);
    world.store.keep({ markets: [changedMarket(market, { status })] });
    return { market: market.id, status };
}

function marketIn({ markets }, value, isOver) {
    const market = markets.find(({ id }) => id === String(value?.market));
    if (market === undefined) throw new Error(`no market ${value?.market}`);
    if (isOver(market)) throw new Error(`market ${market.id} is ${market.status}`);
    return market;
}

function outcomeIn({ outcomes }, wanted) {
    const outcome = outcomes.findIndex((name, i) => name.toLowerCase() === String(wanted).toLowerCase() || i === wanted);
    if (outcome === -1) throw new Error(`no outcome ${wanted}`);
    return outcome;
}
