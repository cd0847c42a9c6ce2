// The code of the sandbox's contracts, each as { abi, bytecode }: what is published, and our own.

import { createHash } from 'node:crypto';
import {
    existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const CACHE = process.env.SANDBOX_CACHE ?? fileURLToPath(new URL('../../var/sandbox', import.meta.url));

/** The compiler's answer, which is kept: to load it and to compile takes seconds. */
function compiled(input) {
    const { version } = require('solc/package.json');
    const file = join(CACHE, `contracts-${createHash('sha256').update(version + input).digest('hex').slice(0, 16)}.json`);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    const output = require('solc').compile(input);
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, output);
    renameSync(`${file}.${process.pid}`, file);
    return output;
}

/** { name: { abi, bytecode } } of the contracts in folders below a directory; `edit` has the last word on each source. */
function compileFolders(root, folders, edit = (text) => text) {
    const sources = {};
    for (const folder of folders) {
        for (const name of readdirSync(join(root, folder)).filter((entry) => entry.endsWith('.sol'))) {
            const file = join(folder, name);
            sources[file] = { content: edit(readFileSync(join(root, file), 'utf8')) };
        }
    }
    const output = JSON.parse(compiled(JSON.stringify({
        language: 'Solidity',
        sources,
        settings: {
            evmVersion: 'cancun',
            optimizer: { enabled: true, runs: 1000 },
            outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
    })));
    const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
    const contracts = {};
    for (const file of Object.values(output.contracts)) {
        for (const [name, { abi, evm }] of Object.entries(file)) contracts[name] = { abi, bytecode: `0x${evm.bytecode.object}` };
    }
    return contracts;
}

/** Those in contracts/ and below, all at once: they are compiled for all callers when a chain was built. */
export function compileOwnContracts() {
    return compileFolders(fileURLToPath(new URL('contracts', import.meta.url)), ['', 'aggregators', 'lending', 'perps', 'polymarket']);
}

/** Morpho, which is published as source, and for one compiler alone; ours does as well. */
export function compileMorpho() {
    const root = join(dirname(require.resolve('@morpho-org/morpho-blue/package.json')), 'src');
    const folders = ['', 'interfaces', 'libraries', 'mocks', 'mocks/interfaces'];
    return compileFolders(root, folders, (text) => text.replace('pragma solidity 0.8.19;', 'pragma solidity ^0.8.19;'));
}

/** A published build artefact in the form { abi, bytecode }. */
export function artefact(path) {
    const { abi, bytecode } = require(`${path}.json`);
    return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` };
}

export const UNISWAP = {
    WETH9: artefact('@uniswap/v2-periphery/build/WETH9'),
    FactoryV2: artefact('@uniswap/v2-core/build/UniswapV2Factory'),
    RouterV2: artefact('@uniswap/v2-periphery/build/UniswapV2Router02'),
    FactoryV3: artefact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory'),
    Positions: artefact('@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager'),
    Quoter: artefact('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2'),
    RouterV3: artefact('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter'),
    Router02: artefact('@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02'),
};

export const CONDITIONAL_TOKENS = artefact('@gnosis.pm/conditional-tokens-contracts/build/contracts/ConditionalTokens');
