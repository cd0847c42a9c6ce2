// Builds the state of sandbox chains: exchanges with seeded pools, aggregators, lending, prediction markets and the ways to
// perpetuals, at their mainnet addresses.
//
//   node build-chain.mjs CHAIN OUTFILE [CHAIN OUTFILE …]

import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { ZeroAddress, parseUnits, toBeHex } from 'ethers';
import * as aggregators from './aggregators.mjs';
import { BUILDER, deploy, dumpState } from './builder.mjs';
import { launch, rpc } from './chain.mjs';
import { UNISWAP, compileMorpho, compileOwnContracts } from './contracts.mjs';
import * as exchanges from './exchanges.mjs';
import * as aave from './lending/aave.mjs';
import * as morpho from './lending/morpho.mjs';
import * as perps from './perps.mjs';
import * as polymarket from './polymarket.mjs';
import { MULTICALL, chainNamed } from './world.mjs';

const BUILDER_BALANCE = parseUnits('1000000000', 18);
const BASE_FEE = 1_000_000_000;
// What stands on chains next to their tokens.
const EVERYWHERE = [exchanges, aggregators];
const LENDING = [aave, morpho];
const BEYOND = { ethereum: [...LENDING, perps], base: [...LENDING, perps], arbitrum: [perps], polygon: [polymarket] };
// Pools are older than the longest average that is asked of them.
const AGE_S = 3600;

/** [contract, mainnet address, constructor arguments] of what every chain has. */
function common({ tokens }, own) {
    const list = [[own.Multicall, MULTICALL, []]];
    for (const [symbol, { address, kind, name, decimals }] of Object.entries(tokens)) {
        if (kind === 'WETH9') list.push([UNISWAP.WETH9, address, []]);
        else list.push([own[kind], address, [name, symbol, decimals]]);
    }
    return list;
}

/** The published contract of wrapped coins has its name and symbol in its first two places, for ether. */
async function nameWrapped(url, { coin, wrapped, tokens }) {
    for (const [slot, text] of [[0, `Wrapped ${coin}`], [1, wrapped]]) {
        const word = `0x${Buffer.from(text).toString('hex').padEnd(62, '0')}${(2 * text.length).toString(16).padStart(2, '0')}`;
        await rpc(url, 'anvil_setStorageAt', [tokens[wrapped].address, toBeHex(slot, 32), word]);
    }
}

/** The finished state without the traces of building: no rich builder, no history. */
function tidy(state) {
    // The builder's ETH and the fees it paid were only a means; its liquidity is kept by the pools.
    for (const address of [BUILDER, ZeroAddress]) delete state.accounts[address.toLowerCase()];
    // Without its history the chain starts at block 0 with all of this in place, as if by a genesis file.
    return {
        ...state,
        block: { ...state.block, number: '0x0', basefee: BASE_FEE },
        best_block_number: 0,
        blocks: [],
        transactions: [],
    };
}

async function build(name, outFile, own) {
    const chain = chainNamed(name);
    const parts = [...EVERYWHERE, ...BEYOND[name] ?? []];
    const { child, url } = await launch(chain.id, await freePort(), [
        '--prune-history', '--timestamp', String(Math.floor(Date.now() / 1000) - AGE_S),
    ], 'ignore');
    // The node must not outlive this program, however it ends.
    const kill = () => child.kill('SIGKILL');
    process.on('exit', kill);
    try {
        await rpc(url, 'anvil_impersonateAccount', [BUILDER]);
        await rpc(url, 'anvil_setBalance', [BUILDER, toBeHex(BUILDER_BALANCE)]);
        await deploy(url, [...common(chain, own), ...parts.flatMap(({ inventory }) => inventory(chain, own))]);
        await nameWrapped(url, chain);
        for (const { furnish } of parts) await furnish(url, chain, own);
        for (const { verify } of parts) await verify(url, chain, own);
        const state = tidy(await dumpState(url));
        const temporary = `${outFile}.${process.pid}.tmp`;
        writeFileSync(temporary, JSON.stringify(state));
        renameSync(temporary, outFile);
    } finally {
        kill();
        process.off('exit', kill);
    }
}

function freePort() {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.on('error', reject);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

async function main(args) {
    if (args.length === 0 || args.length % 2 !== 0) throw new Error('usage: build-chain.mjs CHAIN OUTFILE [CHAIN OUTFILE …]');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
    const own = { ...compileMorpho(), ...compileOwnContracts() };
    for (let i = 0; i < args.length; i += 2) await build(args[i], args[i + 1], own);
}

main(process.argv.slice(2)).then(
    () => process.exit(0),
    (error) => { console.error(`build-chain.mjs: ${error.message}`); process.exit(1); },
);
