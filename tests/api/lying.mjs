// How one lies about a member of an answer, in six ways.

import { AbiCoder } from 'ethers';

export const WAYS = ['absent', 'zero', 'unit', 'twice', 'million', 'type'];

const SCALED = { zero: () => 0n, unit: (n) => n + 1n, twice: (n) => n * 2n, million: (n) => n * 1_000_000n };
const WORD = 66; // characters of a word in hex

function otherOf(value, way) {
    if (way === 'type') return typeof value === 'string' ? 7 : 'seven';
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'number') return Number.isInteger(value) ? Number(SCALED[way](BigInt(value))) : { zero: 0, unit: value + 1, twice: value * 2, million: value * 1e6 }[way];
    if (/^0x[0-9a-f]+$/i.test(value) && value.length <= WORD) return `0x${SCALED[way](BigInt(value)).toString(16).padStart(value.length === WORD ? WORD - 2 : 0, '0')}`;
    if (/^\d+$/.test(value)) return String(SCALED[way](BigInt(value)));
    if (typeof value === 'string') return { zero: '', unit: `${value.slice(0, -1)}${value.at(-1) === '1' ? '2' : '1'}`, twice: value + value, million: value.repeat(20) }[way];
    return { zero: 0, unit: 1, twice: [], million: {} }[way];
}

/** The document, in which the member at that path is false. */
export function falsified(document, path, way) {
    const copy = structuredClone(document);
    const parent = path.slice(0, -1).reduce((each, name) => each?.[name], copy);
    const name = path.at(-1);
    if (parent === undefined || parent === null) return copy;
    if (way === 'absent') Array.isArray(parent) ? parent.splice(name, 1) : delete parent[name];
    else parent[name] = otherOf(parent[name], way);
    return copy;
}

/** The paths of all members that are not made of others. */
export function leavesOf(value, path = []) {
    if (typeof value !== 'object' || value === null) return [path];
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, Array.isArray(value) ? Number(name) : name]));
}

// ---------------------------------------------------------------- prices of pools

const ARRAYS = AbiCoder.defaultAbiCoder();
const CALLS = ['tuple(address target, bool allowFailure, bytes data)[]'], RESULTS = ['tuple(bool ok, bytes data)[]'];
const OBSERVED = ['int56[]', 'uint160[]'];
const AGGREGATE = '0x82ad56cb', OBSERVE = '0x883bdbfd', PATHS = '0xd06ca61f', QUOTERS = [PATHS, '0xc6a5026a', '0xcdca1753'];
const FACTOR = 1000n, TICKS = 69_081n; // 1.0001 ** 69081 is a thousand

/** What the pools say, otherwise: `observed(ticks, seconds)` of the ticks within so many seconds, `paid(amount)`; of undefined nothing. */
function poolsSay({ method, params }, answer, { observed, paid }) {
    const { data = '', input = data } = params[0] ?? {};
    if (method !== 'eth_call' || !input.startsWith(AGGREGATE) || answer.result === undefined) return undefined;
    const [calls] = ARRAYS.decode(CALLS, `0x${input.slice(10)}`);
    const [results] = ARRAYS.decode(RESULTS, answer.result);
    const lies = results.map(({ ok, data: said }, i) => {
        const asked = calls[i].data;
        if (!ok || said === '0x') return [ok, said];
        if (asked.startsWith(OBSERVE)) {
            const [[from, to], seconds] = ARRAYS.decode(OBSERVED, said);
            const moved = observed(to - from, BigInt(`0x${asked.slice(10 + 64 * 2, 10 + 64 * 3)}`));
            if (typeof moved === 'string') return [true, moved];
            return moved === undefined ? [false, '0x'] : [true, ARRAYS.encode(OBSERVED, [[from, BigInt.asIntN(56, from + moved)], [...seconds]])];
        }
        if (!QUOTERS.some((each) => asked.startsWith(each))) return [ok, said];
        const words = said.slice(2).match(/.{64}/g);
        const at = asked.startsWith(PATHS) ? words.length - 1 : 0;
        const amount = paid(BigInt(`0x${words[at]}`));
        if (typeof amount === 'string') return [true, amount];
        if (amount === undefined) return [false, '0x'];
        words[at] = amount.toString(16).padStart(64, '0');
        return [true, `0x${words.join('')}`];
    });
    return { ...answer, result: ARRAYS.encode(RESULTS, [lies]) };
}

/** What `say` makes of what reads by these selectors say, which are some of many in a call. */
const readsSaid = (selectors, say) => ({ method, params }, answer) => {
    const { data = '', input = data } = params?.[0] ?? {};
    if (method !== 'eth_call' || !input.startsWith(AGGREGATE) || answer.result === undefined) return undefined;
    const [calls] = ARRAYS.decode(CALLS, `0x${input.slice(10)}`);
    const isAsked = ({ data: asked }) => selectors.some((each) => asked.startsWith(each));
    if (!calls.some(isAsked)) return undefined;
    const lies = ARRAYS.decode(RESULTS, answer.result)[0].map(({ ok, data: said }, i) => (isAsked(calls[i]) ? say(said) : [ok, said]));
    return { ...answer, result: ARRAYS.encode(RESULTS, [lies]) };
};

/** A read by that selector is false in that way. */
export const readAs = (selector, way) => readsSaid([selector], (said) => (way === 'absent' ? [false, '0x'] : [true, way === 'type' ? '0x07' : otherOf(said, way)]));
/** All reads by these selectors show nothing but zeros. */
export const readsZeros = (...selectors) => readsSaid(selectors, (said) => [true, `0x${'0'.repeat(said.length - 2)}`]);

const same = (value) => value;

/** A thousandth of each price of ether against dollars, in pools of dollars and ether in this order, now and on average. */
export const pricesLess = (call, answer) => poolsSay(call, answer, { observed: (ticks, seconds) => ticks + TICKS * seconds, paid: (amount) => amount / FACTOR });

/** Their average, or what they pay, is false in that way. */
export function pricesAs(which, way) {
    const lie = (value) => (way === 'absent' ? undefined : way === 'type' ? '0x07' : SCALED[way](value));
    return (call, answer) => poolsSay(call, answer, which === 'average' ? { observed: lie, paid: same } : { observed: same, paid: lie });
}
