// Which calls the web server gives to the workers that never wait: written from the endpoint table (build/test/rows) into
// conf/lighttpd.conf and conf/apache.conf, between the lines that name this file.
//   node tests/split.mjs [--check]
// --check changes nothing and names the files that are not as the table has them.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const V1 = 'v1/agent/';
// Any other value of a {…} may go to the other workers: it is hardly one that exists.
const SEGMENT = '[A-Za-z0-9_-]+';
const BEGIN = /^# ---- by tests\/split\.mjs ----\n/m;
const END = '# ----\n';

/** { method, path, waits } of each row. */
export function rows() {
    return execFileSync(`${ROOT}build/test/rows`, { encoding: 'utf8' }).trim().split('\n').map((line) => {
        const [method, path, kind] = line.split(' ');
        return { method, path, waits: kind === 'waits' };
    });
}

const pattern = (path) => path.replaceAll('.', '\\.').replace(/\{.*?\}/, SEGMENT);

/** [methods, paths] as regular expressions. OPTIONS never waits, at any path. */
function splits() {
    const fast = rows().filter(({ waits }) => !waits);
    const methods = [...new Set(fast.map(({ method }) => method))].sort();
    return [['^OPTIONS$', '^/'], ...methods.map((method) => {
        const paths = fast.filter((row) => row.method === method).map(({ path }) => path.slice(1));
        const inV1 = paths.filter((path) => path.startsWith(V1)).map((path) => pattern(path.slice(V1.length)));
        const others = paths.filter((path) => !path.startsWith(V1)).map(pattern);
        return [method === 'GET' ? '^(GET|HEAD)$' : `^${method}$`, `^/(${[`${V1}(${inV1.join('|')})`, ...others].join('|')})$`];
    })];
}

const WRITERS = {
    'conf/lighttpd.conf': ([method, path]) => `$HTTP["request-method"] =~ "${method}" { $HTTP["url"] =~ "${path}" { fastcgi.server = var.fast } }\n`,
    'conf/apache.conf': ([method, path]) => `RewriteCond "%{REQUEST_METHOD}" "${method}"\nRewriteRule "${path}" "unix:\${GATEWAY_RUN}/fast.sock|fcgi://fast$0" [P]\n`,
};

/** The files whose part is not as the table has it, with the text that they should have. */
export function outdated() {
    return Object.entries(WRITERS).flatMap(([name, write]) => {
        const text = readFileSync(ROOT + name, 'utf8');
        const { index, 0: begin } = BEGIN.exec(text);
        const at = index + begin.length;
        const expected = text.slice(0, at) + splits().map(write).join('') + text.slice(text.indexOf(END, at));
        return text === expected ? [] : [[name, expected]];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    for (const [name, expected] of outdated()) {
        if (process.argv[2] === '--check') console.log(`${name} is not as the endpoint table has it: run node tests/split.mjs`);
        else writeFileSync(ROOT + name, expected);
    }
}
