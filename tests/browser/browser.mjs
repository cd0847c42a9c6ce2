// A browser at the running stack: pages that note all faults that a visitor should not see - violations of the policy for content,
// errors, requests that leave the service.

import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { PATIENCE_MS } from '../patience.mjs';

export const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080';

// The same engine without the windows, which took a third of what a click costs.
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
// Root runs it in tests, and machines for tests have little shared memory.
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

export const WIDE = { width: 1280, height: 900 }, NARROW = { width: 360, height: 740 };

let browser;

export async function open() {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export const close = () => browser?.close();

/** A page of a tab of its own, with `faults`: what went wrong on it so far. `expected` are texts of errors that are meant to be. */
export async function visit(path, { viewport = WIDE, colorScheme = 'light', expected = [] } = {}) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC', baseURL: GATEWAY });
    const page = await context.newPage();
    const faults = [];
    const fault = (what, text) => { if (!expected.some((each) => text.includes(each))) faults.push(`${what}: ${text}`); };
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) fault(message.type(), `${message.text()} ${message.location().url}`); });
    page.on('pageerror', (error) => fault('exception', error.stack));
    page.on('request', (request) => { if (!request.url().startsWith(GATEWAY) && !request.url().startsWith('data:')) fault('request', request.url()); });
    await page.addInitScript(() => {
        globalThis.violations = [];
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => globalThis.violations.push(`${violatedDirective} ${blockedURI}`));
    });
    await page.goto(path);
    return { page, faults: async () => [...faults, ...(await page.evaluate(() => globalThis.violations)).map((each) => `policy: ${each}`)], close: () => context.close() };
}

/** A picture for people to look at, where SCREENSHOTS names a folder. */
export async function picture(page, name) {
    if (!process.env.SCREENSHOTS) return;
    mkdirSync(process.env.SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
}
