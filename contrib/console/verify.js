// Whether a webhook is signed with a secret, as Standard Webhooks has it: HMAC-SHA256 over "id.timestamp.body".

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** Whether this page may use the browser's cryptography: https, or this machine itself. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/** headers: those of the delivery; body: its text as it came. While a secret is renewed there are two signatures. */
export async function isSigned(secret, headers, body) {
    const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    const message = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
    const signatures = headers['webhook-signature'].split(' ').filter((each) => each.startsWith('v1,')).map((each) => each.slice(3));
    const checks = await Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, bytesOf(signature), message)));
    return checks.includes(true);
}
