// Links in the documents lead to files, and to headings, that are there. Prints those that do not, then "N passed, N failed".

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pages = execFileSync('find', ['.', '-name', '.git', '-prune', '-o', '-name', 'node_modules', '-prune', '-o', '(', '-path', './build', '-o', '-path', './var', ')', '-prune', '-o', '-name', '*.md', '-print'], { encoding: 'utf8' })
    .trim().split('\n').sort();

/** As forges name them. */
const anchor = (heading) => heading.toLowerCase().replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
const withoutCode = (text) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
const anchors = (page) => [...readFileSync(page, 'utf8').replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading));

let [passed, failed] = [0, 0];
for (const page of pages) {
    for (const [, target] of withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target)) continue;
        const [path, name] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (existsSync(file) && (name === undefined || anchors(file).includes(name))) {
            passed++;
        } else {
            failed++;
            console.log(`${page}: ${target}`);
        }
    }
}
console.log(`${passed} passed, ${failed} failed`);
