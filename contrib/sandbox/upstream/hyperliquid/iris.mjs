// Circle's word on what a transfer to the venue costs: GET /v2/burn/USDC/fees/DOMAIN/19?forward=true&hyperCoreDeposit=true.
//
// True to developers.circle.com of 2026, but that the least fee is whole here, where the real one has places (1.3).

import { DOMAINS, VENUE_DOMAIN } from '../../perps.mjs';
import { Refusal } from '../refusal.mjs';
import { routed, routesOf } from '../routes.mjs';

const FAST = 1000, STANDARD = 2000; // finality
const FAST_BPS = 1; // of the amount
const FORWARDING = 200_000; // millionths of a dollar

/** What is taken of an amount on its way to the venue, in millionths. */
export const feeOf = (amount, threshold) => BigInt(FORWARDING) + (threshold <= FAST ? (amount * BigInt(FAST_BPS)) / 10_000n : 0n);

const ROUTES = routesOf([['GET', '/v2/burn/USDC/fees/:from/:to', fees]]);

function fees({ from, to, query }) {
    if (!Object.values(DOMAINS).includes(Number(from)) || Number(to) !== VENUE_DOMAIN) throw new Refusal(404, 'No fees for this route');
    const forward = query.get('forward') === 'true' ? { forwardFee: { low: FORWARDING, med: FORWARDING, high: FORWARDING } } : {};
    return { json: [{ finalityThreshold: FAST, minimumFee: FAST_BPS, ...forward }, { finalityThreshold: STANDARD, minimumFee: 0, ...forward }] };
}

export const iris = {
    answer(request) {
        try {
            const { handler, call } = routed(ROUTES, request);
            return handler(call);
        } catch (error) {
            if (error instanceof Refusal) return error.answer;
            throw error;
        }
    },
};
