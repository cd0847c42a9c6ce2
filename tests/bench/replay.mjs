// Services and nodes that take no time (replay.c): each question is put to the real one once.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PROCESSES = 2;

/** `services` are [name, url] or [name, url, only]; each is at `${base}/${name}` then. */
export async function startReplay(program, services) {
    const named = services.map(([name, url, only]) => `${name}${only ? `,${only}` : ''}=${url}`);
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', '--', program, String(PROCESSES), ...named], {
        detached: true, stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = await once(child.stdout, 'data');
    const base = `http://127.0.0.1:${String(port).trim()}`;
    const own = async (page) => (await fetch(`${base}/_/${page}`)).json();
    return {
        base,
        pid: child.pid,
        /** From now on it answers after `how` milliseconds, or is 'stalled', or says 'garbage'. */
        set: (name, how) => own(`${name}/${how}`),
        /** [{ asked, name, method, path, body }] of each question; the path is the service's own. */
        asked: async () => (await own('asked')).map(({ asked, question }) => {
            const [method, path, body] = question.split('\t');
            const [, name] = path.split('/', 2);
            return { asked, name, method, path: path.slice(name.length + 1), body };
        }),
        stop: async () => {
            child.kill('SIGTERM');
            await once(child, 'exit');
        },
    };
}
