// GET /healthz, GET /readyz.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from './lib.mjs';

for (const path of ['/healthz', '/readyz']) {
    test(`${path} is green and needs no key`, async () => {
        const answer = await send('GET', path);
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.headers['content-type'], /^application\/json\b/);
        assert.match(answer.headers['cache-control'], /no-store/);
        assert.ok(!/password|svc_sk_|whsec_|\/var\/|\.sock/.test(answer.text), answer.text);
    });
}
