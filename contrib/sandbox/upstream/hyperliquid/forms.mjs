// The forms of requests. A request of another form is answered before its signer is looked up. Members come in one order,
// which is the order that is signed; those with a "?" may be absent.

import { isAddress, isHexString } from 'ethers';

const isText = (value) => typeof value === 'string' && value.length <= 100;
const isFlag = (value) => typeof value === 'boolean';
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isWhole = Number.isSafeInteger;
const isNumber = (value) => typeof value === 'string' && /^\d{1,30}(\.\d{1,30})?$/.test(value);
const isCloid = (value) => isHexString(value, 16);
const isHolder = (value) => isText(value) && isAddress(value.toLowerCase());
const isChainId = (value) => typeof value === 'string' && /^0x[0-9a-f]{1,8}$/.test(value);
const isOneOf = (...words) => (value) => words.includes(value);
const isListOf = (form) => (value) => Array.isArray(value) && value.length > 0 && value.every(form);
const isOid = (value) => isCount(value) || isCloid(value);

/** A test for objects with these members, in this order, and no others. */
function form(members) {
    const names = Object.keys(members).map((name) => name.replace('?', ''));
    return (value) => {
        if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
        const given = Object.keys(value);
        const inOrder = given.every((name, i) => names.indexOf(name) > (i === 0 ? -1 : names.indexOf(given[i - 1])));
        return inOrder && Object.entries(members).every(([name, test]) => {
            if (name.endsWith('?') && !Object.hasOwn(value, name.slice(0, -1))) return true;
            return test(value[name.replace('?', '')]);
        });
    };
}

const isOrder = form({
    a: isCount, b: isFlag, p: isNumber, s: isNumber, r: isFlag,
    t: (value) => [
        form({ limit: form({ tif: isOneOf('Gtc', 'Ioc', 'Alo', 'FrontendMarket') }) }),
        form({ trigger: form({ isMarket: isFlag, triggerPx: isNumber, tpsl: isOneOf('tp', 'sl') }) }),
    ].some((test) => test(value)),
    'c?': isCloid,
});
const SIGNED = { signatureChainId: isChainId, hyperliquidChain: isOneOf('Mainnet', 'Testnet') };
/** Members of what a user signs are named in the struct: their order in the request does not matter. */
const signed = (members) => {
    const all = { type: isText, ...SIGNED, ...members };
    return (value) => Object.keys(all).length === Object.keys(value).length && Object.entries(all).every(([name, test]) => test(value[name]));
};

const ACTIONS = {
    order: form({
        type: isText, orders: isListOf(isOrder), grouping: isOneOf('na', 'normalTpsl', 'positionTpsl'), 'builder?': form({ b: isHolder, f: isCount }),
    }),
    cancel: form({ type: isText, cancels: isListOf(form({ a: isCount, o: isCount })) }),
    cancelByCloid: form({ type: isText, cancels: isListOf(form({ asset: isCount, cloid: isCloid })) }),
    modify: form({ type: isText, oid: isOid, order: isOrder }),
    batchModify: form({ type: isText, modifies: isListOf(form({ oid: isOid, order: isOrder })) }),
    updateLeverage: form({ type: isText, asset: isCount, isCross: isFlag, leverage: isCount }),
    updateIsolatedMargin: form({ type: isText, asset: isCount, isBuy: isFlag, ntli: isWhole }),
    scheduleCancel: form({ type: isText, 'time?': isCount }),
    noop: form({ type: isText }),
    reserveRequestWeight: form({ type: isText, weight: isCount }),
    vaultTransfer: form({ type: isText, vaultAddress: isHolder, isDeposit: isFlag, usd: isCount }),
    agentSetAbstraction: form({ type: isText, abstraction: isOneOf('i', 'u', 'p') }),
    usdClassTransfer: signed({ amount: isText, toPerp: isFlag, nonce: isCount }),
    usdSend: signed({ destination: isHolder, amount: isNumber, time: isCount }),
    withdraw3: signed({ destination: isHolder, amount: isNumber, time: isCount }),
    approveAgent: signed({ agentAddress: isHolder, agentName: isText, nonce: isCount }),
    approveBuilderFee: signed({ maxFeeRate: isText, builder: isHolder, nonce: isCount }),
    userSetAbstraction: signed({ user: isHolder, abstraction: isOneOf('disabled', 'unifiedAccount', 'portfolioMargin'), nonce: isCount }),
    sendToEvmWithData: signed({
        token: isText, amount: isNumber, sourceDex: isText, destinationRecipient: isHolder, addressEncoding: isOneOf('hex', 'base58'),
        destinationChainId: isCount, gasLimit: isCount, data: isHexString, nonce: isCount,
    }),
};

const isPart = (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value);
const REQUEST = {
    action: (value) => Object.hasOwn(ACTIONS, value?.type) && ACTIONS[value.type](value),
    nonce: isCount,
    signature: (value) => isPart(value?.r) && isPart(value?.s) && (value.v === 27 || value.v === 28),
    vaultAddress: (value) => value == null || isHolder(value),
    expiresAfter: (value) => value == null || isCount(value),
};

/** The request of a body; undefined for what is none. */
export function requestIn(body) {
    try {
        const request = JSON.parse(body);
        return Object.entries(REQUEST).every(([name, test]) => test(request[name])) ? request : undefined;
    } catch {
        return undefined;
    }
}
