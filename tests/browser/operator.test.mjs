// Section: browser
// The operator's page in a browser, by real clicks: it shows what the API shows, acts with a reason, and is usable by keyboard
// and screen reader and on a narrow screen; nothing others wrote becomes markup.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import {
    granted, receiver, refused, register, stackOutput, until,
} from '../api/lib.mjs';
import {
    NARROW, WIDE, close, open, picture, visit,
} from './browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><b>bold</b>';
const REASON = 'a test in a browser';
const REFUSED = 'Failed to load resource'; // what a browser notes of an answer that a test asks for
const NAME = `browser-${process.pid}`;
const agentctl = (...args) => stackOutput('agentctl', ...args);

let token, reader, agent;

before(async () => {
    await open();
    token = (await agentctl('token', NAME)).trim();
    reader = (await agentctl('token', `${NAME}-reader`, '--read-only')).trim();
    agent = await register({ name: HOSTILE });
    await agentctl('tier', agent.id, 'unlimited');
    await agent.wallet('ethereum', '1');
});
after(async () => {
    await close();
    await agentctl('resume', 'all');
    for (const name of [NAME, `${NAME}-reader`]) await agentctl('token', name, '--revoke');
});

const button = (page, name) => page.getByRole('button', { name, exact: true });
const settled = (page) => page.waitForFunction(() => document.querySelector('main').childElementCount > 0 && !document.querySelector('[aria-busy="true"]'));
const row = (page, text) => page.getByRole('row').filter({ hasText: text });

async function flawless({ page, faults }) {
    await settled(page);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(' ')}`), [], page.url());
    assert.deepEqual(await faults(), [], page.url());
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
}

async function goTo(page, path) {
    await page.evaluate((to) => { location.hash = to; }, `#/operator${path}`);
    await settled(page);
}

async function signedIn(key = token, options = {}) {
    const tab = await visit('/console/#/operator', options);
    await tab.page.getByLabel('Token').fill(key);
    await button(tab.page, 'Sign in').click();
    await button(tab.page, 'Sign out').waitFor();
    await settled(tab.page);
    return tab;
}

/** Presses a button of an act and gives the reason; with `word`, types that, too. */
async function ordered(page, name, { word, within = page } = {}) {
    await button(within, name).click();
    const dialog = page.getByRole('dialog');
    const go = dialog.getByRole('button', { name, exact: true });
    assert.equal(await go.isDisabled(), true, 'not without a reason');
    await dialog.getByLabel('Reason').fill(REASON);
    if (word !== undefined) {
        assert.equal(await go.isDisabled(), true, 'not without the word');
        await dialog.getByLabel(`Type ${word} to confirm`).fill(word);
    }
    await go.click();
    await dialog.waitFor({ state: 'detached' });
    await settled(page);
}

test('a wrong token is refused, a good one opens the page and is gone with the tab', async () => {
    const tab = await visit('/console/#/operator', { expected: [REFUSED] });
    await tab.page.getByLabel('Token').fill(`svc_op_${'x'.repeat(43)}`);
    await button(tab.page, 'Sign in').click();
    await tab.page.getByRole('alert').getByText('Invalid or missing token').waitFor();
    await flawless(tab);
    await tab.page.getByLabel('Token').fill(token);
    await button(tab.page, 'Sign in').click();
    await button(tab.page, 'Sign out').waitFor();
    await tab.page.reload();
    await tab.page.getByLabel('Token').waitFor();
    assert.equal(await tab.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])), '[{},{},""]');
    await tab.close();
});

test('the charts show a swap, by chain and time', async () => {
    const hook = await receiver();
    await agent.listen(hook.url);
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01'));
    const tab = await signedIn();
    await until('the swap in the charts', async () => {
        await tab.page.getByLabel('Span').selectOption('day');
        await settled(tab.page);
        await tab.page.getByLabel('Span').selectOption('hour');
        await settled(tab.page);
        return await tab.page.getByRole('img', { name: 'Volume', exact: true }).count() === 1;
    });
    for (const title of ['Volume', 'Swaps', 'Success', 'Time to answer', 'Webhook deliveries']) await tab.page.getByRole('img', { name: title, exact: true }).waitFor();
    const bars = await tab.page.locator('figure.chart', { hasText: 'Swaps' }).first().locator('rect').evaluateAll((all) => all.filter((each) => Number(each.getAttribute('height')) > 0).length);
    assert.ok(bars > 0, 'something is drawn');
    await flawless(tab);
    await tab.close();
    hook.close();
});

test('the kill switch wants a reason and the word, and resumes', async () => {
    const tab = await signedIn();
    await ordered(tab.page, 'Stop all trading', { word: 'stop' });
    await tab.page.getByText('Nothing is signed for any agent.').waitFor();
    await flawless(tab);
    const quote = await agent.quote('ETH', 'USDC', '0.01');
    refused(await agent.execute(quote), 'Trading is paused by the operator');
    await ordered(tab.page, 'Resume trading', { word: 'resume' });
    await button(tab.page, 'Stop all trading').waitFor();
    granted(await agent.execute(quote));
    await goTo(tab.page, '/audit');
    await row(tab.page, REASON).first().waitFor();
    assert.match(await row(tab.page, REASON).first().innerText(), new RegExp(`operator ${NAME}[^]*resume`));
    await tab.close();
});

test('an agent with a hostile name is found, shown as text, stopped, banned and put into another tier', async () => {
    const tab = await signedIn();
    await goTo(tab.page, '/agents');
    await tab.page.getByLabel('Id, wallet or name').fill(agent.id);
    await button(tab.page, 'Search').click();
    await tab.page.getByRole('link', { name: HOSTILE, exact: true }).click();
    await tab.page.getByRole('heading', { name: HOSTILE, exact: true }).waitFor();
    await ordered(tab.page, 'Stop');
    await button(tab.page, 'Resume').waitFor();
    await flawless(tab);
    await ordered(tab.page, 'Resume');
    await ordered(tab.page, 'Ban');
    await until('the ban', async () => (await agent.get('/me')).status === 401);
    await ordered(tab.page, 'Unban');
    await until('its end', async () => (await agent.get('/me')).status === 200);
    await tab.page.getByLabel('Tier').fill('premium');
    await ordered(tab.page, 'Change tier');
    await until('the tier', async () => granted(await agent.get('/me')).agent.rate_limit_tier === 'premium');
    await tab.page.getByLabel('Tier').fill('no such');
    await ordered(tab.page, 'Change tier').catch(() => {});
    await tab.page.getByText('is no tier of this service').waitFor();
    await tab.page.getByLabel('Tier').fill('unlimited');
    await ordered(tab.page, 'Change tier');
    await tab.close();
});

test('approvals are granted and denied', async () => {
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '1' } }));
    const asks = async () => granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.02')), 202).approval_id;
    const [one, other] = [await asks(), await asks()];
    const status = async (id) => granted(await agent.get(`/approvals/${id}`)).approval.status;
    const tab = await signedIn();
    await goTo(tab.page, '/approvals');
    await flawless(tab);
    const mine = row(tab.page, '0.02 ETH');
    await ordered(tab.page, 'Approve', { within: mine.first() });
    await until('the grant', async () => [await status(one), await status(other)].includes('granted'));
    await ordered(tab.page, 'Deny', { within: mine.first() });
    await until('the denial', async () => [await status(one), await status(other)].sort().join() === 'denied,granted');
    await tab.close();
});

test('swaps, webhooks and what has a name are shown', async () => {
    const tab = await signedIn();
    await goTo(tab.page, `/swaps/${agent.id}`);
    await tab.page.getByText('0.01 ETH on ethereum').first().waitFor();
    await tab.page.getByRole('link', { name: /^#\d+$/ }).last().click();
    await tab.page.getByRole('heading', { name: 'What happened' }).waitFor();
    await flawless(tab);
    await goTo(tab.page, `/webhooks/${agent.id}`);
    await row(tab.page, 'swap.completed').first().waitFor();
    await flawless(tab);
    await ordered(tab.page, 'Send again', { within: row(tab.page, 'swap.completed').first() });
    await tab.page.getByText('It is sent again').waitFor(); // the audit log is read once
    await goTo(tab.page, '/audit');
    await row(tab.page, 'redeliver').first().waitFor();
    await flawless(tab);
    await goTo(tab.page, '/find');
    await tab.page.getByLabel('Text').fill(agent.id);
    await button(tab.page, 'Find').click();
    await tab.page.getByRole('link', { name: agent.id }).waitFor();
    await flawless(tab);
    await tab.close();
});

test('status and load are shown', async () => {
    const tab = await signedIn();
    for (const [path, text] of [['/status', 'ethereum'], ['/load', 'Of the host that answers']]) {
        await goTo(tab.page, path);
        await tab.page.getByText(text).first().waitFor();
        await flawless(tab);
    }
    await tab.close();
});

test('a token that is read-only sees everything and can press nothing', async () => {
    const tab = await signedIn(reader);
    assert.equal(await button(tab.page, 'Stop all trading').isDisabled(), true);
    await goTo(tab.page, `/agents/${agent.id}`);
    for (const name of ['Stop', 'Ban', 'Change tier']) assert.equal(await button(tab.page, name).isDisabled(), true);
    await flawless(tab);
    await tab.close();
});

for (const [size, viewport] of [['wide', WIDE], ['narrow', NARROW]]) {
    for (const colorScheme of ['light', 'dark']) {
        test(`the pages fit a ${size} screen, ${colorScheme}`, async () => {
            const tab = await signedIn(token, { viewport, colorScheme });
            for (const path of ['', '/status', '/agents', `/agents/${agent.id}`, '/load', '/swaps', '/webhooks', '/approvals', '/find', '/audit']) {
                await goTo(tab.page, path);
                await picture(tab.page, `operator${path.split('/').slice(0, 2).join('-')}${path.includes(agent.id) ? '-one' : ''}-${size}-${colorScheme}`);
                const [width, there] = await tab.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
                assert.ok(width <= there, `${path} is ${width} wide on ${there}`);
                await flawless(tab);
            }
            await tab.close();
        });
    }
}
