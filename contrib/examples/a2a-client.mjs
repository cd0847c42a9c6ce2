#!/usr/bin/env node
// a2a-client.mjs SENTENCE: has another agent, the gateway, do what the sentence says, over A2A 1.0; when it asks back, the
// answer is read from the terminal. For Node.js 18 or later.
//   KEY=svc_sk_… contrib/examples/a2a-client.mjs 'Swap 0.1 ETH to USDC on base'
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const GATEWAY = process.env.GATEWAY ?? 'http://127.0.0.1:8080';
const ENDED = ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_REJECTED', 'TASK_STATE_CANCELED'];

/** Where the agent listens, as its card says. */
async function address() {
    const card = await (await fetch(`${GATEWAY}/.well-known/agent-card.json`)).json();
    const { url } = card.supportedInterfaces.find((each) => each.protocolBinding === 'JSONRPC' && each.protocolVersion === '1.0');
    return url;
}

/** The result of a request; throws the message of an error. */
async function ask(url, method, params) {
    const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: `Bearer ${process.env.KEY ?? ''}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params }),
    });
    const { result, error } = await response.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
}

/** A message, or what it is about, becomes a task. */
async function say(url, text, taskId) {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...(taskId && { taskId }) };
    return (await ask(url, 'SendMessage', { message })).task;
}

/** What the task says of itself, and the hint of a refusal. */
function wordsOf({ status: { state, message } }) {
    const said = message?.parts.flatMap(({ text, data }) => [text, data?.hint]).filter(Boolean);
    return said ? [...new Set(said)].join('. ') : state;
}

/** The task, once it has ended. */
async function followed(url, task, answers) {
    console.log(wordsOf(task));
    if (ENDED.includes(task.status.state)) return task;
    if (task.status.state === 'TASK_STATE_INPUT_REQUIRED') {
        const { value, done } = await answers.next();
        if (done) throw new Error('the question got no answer');
        return followed(url, await say(url, value, task.id), answers);
    }
    let now = task;
    while (now.status.state === task.status.state) {
        await sleep(1000);
        now = await ask(url, 'GetTask', { id: task.id });
    }
    return followed(url, now, answers);
}

async function main(sentence = 'Show my balances') {
    const lines = createInterface({ input: process.stdin });
    const answers = lines[Symbol.asyncIterator]();
    const url = await address();
    const { status } = await followed(url, await say(url, sentence), answers);
    lines.close();
    process.exitCode = status.state === 'TASK_STATE_COMPLETED' ? 0 : 1;
}

main(process.argv[2]).catch((error) => {
    console.error(error.cause?.message ?? error.message);
    process.exit(1);
});
