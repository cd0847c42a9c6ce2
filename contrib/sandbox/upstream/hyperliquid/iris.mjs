// Circle's word on what a transfer to the venue costs: GET /v2/burn/USDC/fees/DOMAIN/19?forward=true&hyperCoreDeposit=true.
//
// True to developers.circle.com of 2026, whose least fee has places (1.3), and to that all of it is taken; that what a division
// leaves is rounded up is the unkinder reading.

import { DOMAINS, VENUE_DOMAIN } from '../../perps.mjs';
import { Refusal } from '../refusal.mjs';
import { routed, routesOf } from '../routes.mjs';

const FAST = 1000, STANDARD = 2000; // finality
const FAST_BPS = 1.3; // of the amount
const FAST_SHARE = 13n, WHOLE = 100_000n;
const FORWARDING = 200_000; // millionths of a dollar

/** What is taken of an amount on its way to the venue, in millionths. */
export const feeOf = (amount, threshold) => BigInt(FORWARDING) + (threshold <= FAST ? (amount * FAST_SHARE + WHOLE - 1n) / WHOLE : 0n);

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
