// Circle's word on what a transfer to the venue costs: GET /v2/burn/USDC/fees/DOMAIN/19?forward=true&hyperCoreDeposit=true.

import { DOMAINS, VENUE_DOMAIN } from '../../perps.mjs';
import { Refusal } from '../refusal.mjs';
import { routed, routesOf } from '../routes.mjs';

const FAST = 1000, STANDARD = 2000;
const FORWARDING = 200_000; // millionths of a dollar

const ROUTES = routesOf([['GET', '/v2/burn/USDC/fees/:from/:to', fees]]);

function fees({ from, to, query }) {
    if (!Object.values(DOMAINS).includes(Number(from)) || Number(to) !== VENUE_DOMAIN) throw new Refusal(404, 'No fees for this route');
    const forward = query.get('forward') === 'true' ? { forwardFee: { low: FORWARDING, med: FORWARDING, high: FORWARDING } } : {};
    return { json: [{ finalityThreshold: FAST, minimumFee: 1, ...forward }, { finalityThreshold: STANDARD, minimumFee: 0, ...forward }] };
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
