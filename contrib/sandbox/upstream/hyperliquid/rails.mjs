// The ways of dollars between the venue and the chains. What is transferred to the bridge, or burnt for the venue through
// Circle's contract, is credited once it is some blocks deep; what is withdrawn is paid out of the same contracts.
//
// A deposit: { id, chain, way (bridge, cctp), user, amount (credited), isSpot, why (nothing was, if so) }.

import { setTimeout as sleep } from 'node:timers/promises';
import {
    Interface, JsonRpcProvider, Network, dataLength, dataSlice, toNumber, toUtf8Bytes, zeroPadBytes, zeroPadValue,
} from 'ethers';
import {
    BRIDGE, DOMAINS, FORWARDER, MESSENGER, OPERATOR, VENUE_DOMAIN,
} from '../../perps.mjs';
import { followLogs } from '../logs.mjs';
import { Sender } from '../sender.mjs';
import { DOLLAR, textOf } from './amounts.mjs';
import { feeOf } from './iris.mjs';
import { credit } from './ledger.mjs';
import { SYSTEM_ADDRESS } from './transfers.mjs';
import { commit, touch } from './world.mjs';

const DEPTH = 3; // blocks above a deposit before it counts
const AGAIN_MS = 3000;
const LEAST = 5n * DOLLAR; // less is lost in the bridge
const SPOT = 4294967295;
const HOOK = zeroPadBytes(toUtf8Bytes('cctp-forward'), 24);
const HOOK_LENGTH = 56;

const EVENTS = new Interface([
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event DepositForBurn(address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, '
        + 'bytes32 destinationTokenMessenger, bytes32 destinationCaller, uint256 maxFee, uint32 indexed minFinalityThreshold, bytes hookData)',
]);
const TOPICS = [['Transfer', 'DepositForBurn'].map((name) => EVENTS.getEvent(name).topicHash)];
const PAYER = new Interface(['function pay(address token, address to, uint256 amount)']);
const FORWARDER_WORD = zeroPadValue(FORWARDER, 32).toLowerCase();

export class Rails {
    #chains;
    #store;
    #senders = {};
    #heads = {}; // the newest block of each chain that was looked at
    #ready = new Set(); // chains on which what was on its way when the last process ended was sent again

    /** Of the chains [{ name, id, url, tokens }], those that dollars come from. */
    constructor(chains, store) {
        this.#chains = chains.filter(({ name }) => DOMAINS[name] !== undefined);
        this.#store = store;
    }

    /** Whether Circle's contract pays out on the chain of a domain. */
    reaches(domain) {
        return this.#chains.some(({ name }) => DOMAINS[name] === domain);
    }

    /** [{ chain, block }]: how far each chain has been looked at. */
    heads() {
        return Object.entries(this.#heads).map(([chain, block]) => ({ chain, block }));
    }

    /** Goes on where the last process ended, and looks at the chains from then on. */
    start(world) {
        for (const chain of this.#chains) {
            const provider = new JsonRpcProvider(chain.url, new Network(chain.name, chain.id), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
            this.#senders[chain.name] = new Sender(provider, OPERATOR.key, this.#store, `transactions_${chain.name}`);
            this.#run(world, chain).catch((error) => console.error(error));
        }
    }

    async #run(world, chain) {
        const { name, url, tokens } = chain;
        await this.#senders[name].resume();
        this.#ready.add(name);
        for (const withdrawal of this.#store.rows('withdrawals').values()) {
            if (withdrawal.state === 'paying' && this.#chainFor(withdrawal)?.name === name) this.#pay(withdrawal);
        }
        const address = name === 'arbitrum' ? [tokens.USDC.address, MESSENGER] : [MESSENGER];
        await followLogs({ url, address, topics: TOPICS, store: this.#store, id: name, depth: DEPTH }, (logs, head) => {
            takeAll(world, chain, logs);
            this.#heads[name] = head;
        });
    }

    // ---------------------------------------------------------------- out

    #chainFor({ rail, domain }) {
        return this.#chains.find(({ name }) => (rail === 'bridge' ? name === 'arbitrum' : DOMAINS[name] === domain));
    }

    /** Pays what is due. */
    payDue() {
        for (const withdrawal of this.#store.rows('withdrawals').values()) {
            if (withdrawal.state !== 'waiting' || withdrawal.due > Date.now() || !this.#ready.has(this.#chainFor(withdrawal)?.name)) continue;
            this.#keep(withdrawal, { state: 'paying' });
            this.#pay(withdrawal);
        }
    }

    async #pay(withdrawal) {
        const { name, tokens } = this.#chainFor(withdrawal);
        const payer = withdrawal.rail === 'bridge' ? BRIDGE : MESSENGER;
        const data = PAYER.encodeFunctionData('pay', [tokens.USDC.address, withdrawal.destination, withdrawal.amount]);
        const sender = this.#senders[name];
        for (;;) {
            try {
                const transaction = await sender.send(withdrawal.id, payer, data);
                this.#keep(withdrawal, { transaction });
                await sender.receipt(transaction);
                this.#keep(withdrawal, { state: 'paid' });
                await sender.finalReceipt(transaction);
                return;
            } catch (error) {
                console.error(`a withdrawal: ${error.shortMessage ?? error.message}`);
                await sleep(AGAIN_MS);
            }
        }
    }

    #keep(withdrawal, changes) {
        this.#store.keep({ withdrawals: [Object.assign(withdrawal, changes)] });
    }
}

// ---------------------------------------------------------------- in

/** Credits what logs tell of, each once. The place within its transaction is what a log keeps when its block is another one. */
function takeAll(world, chain, logs) {
    const seen = new Map();
    for (const log of logs) {
        const place = seen.get(log.transactionHash) ?? 0;
        seen.set(log.transactionHash, place + 1);
        const { name, args } = EVENTS.parseLog(log);
        const deposit = DEPOSITS[name](chain, args);
        if (deposit !== undefined) takeOne(world, { id: `${chain.name} ${log.transactionHash} ${place}`, chain: chain.name, transaction: log.transactionHash, ...deposit });
    }
}

function takeOne(world, deposit) {
    if (world.store.rows('deposits').has(deposit.id)) return;
    world.store.rows('deposits').set(deposit.id, deposit);
    touch(world, 'deposits', deposit);
    if (deposit.amount > 0n) credit(world, deposit.user, deposit.amount, deltaOf(deposit), deposit.isSpot);
    commit(world);
}

function deltaOf({ way, user, amount, isSpot, nonce }) {
    const usdc = textOf(amount);
    if (way === 'bridge') return { type: 'deposit', usdc };
    return {
        type: 'send', user: SYSTEM_ADDRESS, destination: user, sourceDex: 'spot', destinationDex: isSpot ? 'spot' : '', token: 'USDC', amount: usdc, usdcValue: usdc,
        fee: '0.0', nativeTokenFee: '0.0', nonce, feeToken: 'USDC',
    };
}

const DEPOSITS = {
    Transfer(chain, { from, to, value }) {
        if (to !== BRIDGE || chain.name !== 'arbitrum') return undefined;
        const deposit = { way: 'bridge', user: from.toLowerCase(), amount: value, isSpot: false };
        return value < LEAST ? { ...deposit, amount: 0n, why: 'too little' } : deposit;
    },
    DepositForBurn(chain, { amount, mintRecipient, destinationDomain, destinationCaller, maxFee, minFinalityThreshold, hookData }) {
        if (toNumber(destinationDomain) !== VENUE_DOMAIN) return undefined;
        const lost = (why) => ({ way: 'cctp', user: undefined, amount: 0n, isSpot: false, why });
        if (mintRecipient.toLowerCase() !== FORWARDER_WORD || destinationCaller.toLowerCase() !== FORWARDER_WORD) return lost('not for the forwarder');
        const target = targetIn(hookData);
        if (target === undefined) return lost('a hook that says nothing');
        const fee = feeOf(amount, toNumber(minFinalityThreshold));
        if (maxFee < fee || amount <= fee) return { ...lost('the fee is not paid'), user: target.user };
        return { way: 'cctp', ...target, amount: amount - fee, fee };
    },
};

/** { user, isSpot } of the data that the forwarder reads. */
function targetIn(hook) {
    if (dataLength(hook) !== HOOK_LENGTH || dataSlice(hook, 0, 24) !== HOOK || dataSlice(hook, 24, 32) !== '0x0000000000000018') return undefined;
    const dex = toNumber(dataSlice(hook, 52, 56));
    return dex === 0 || dex === SPOT ? { user: dataSlice(hook, 32, 52), isSpot: dex === SPOT } : undefined;
}
