// Every statement that the database server executes while something happens: { thread, ms, examined, text }, in the order in
// which they ended. The server's slow query log, with nothing too fast for it; connections made before are not in it.

import { readFileSync, rmSync } from 'node:fs';

export async function statementsDuring(stack, during) {
    const file = `${stack.settings.GATEWAY_PRIVATE}/statements.log`;
    const before = Object.fromEntries(await stack.sql(
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('slow_query_log', 'slow_query_log_file', 'long_query_time')"));
    await stack.sql(`SET GLOBAL slow_query_log_file = '${file}'; SET GLOBAL long_query_time = 0; SET GLOBAL slow_query_log = 1`);
    try {
        await during();
    } finally {
        await stack.sql(`SET GLOBAL slow_query_log = ${before.slow_query_log}; SET GLOBAL long_query_time = ${before.long_query_time};
            SET GLOBAL slow_query_log_file = '${before.slow_query_log_file}'`);
    }
    const text = readFileSync(file, 'latin1');
    rmSync(file);
    return parse(text);
}

/** The transactions among them, each with all of its statements. */
export function transactionsOf(statements) {
    const open = new Map();
    const done = [];
    for (const statement of statements) {
        if (/^(START TRANSACTION|BEGIN)/i.test(statement.text)) open.set(statement.thread, []);
        open.get(statement.thread)?.push(statement);
        if (!/^(COMMIT|ROLLBACK)/i.test(statement.text)) continue;
        if (open.has(statement.thread)) done.push(open.get(statement.thread));
        open.delete(statement.thread);
    }
    return done;
}

function parse(log) {
    return log.split(/^# User@Host:/m).slice(1).map((entry) => ({
        thread: /Thread_id: (\d+)/.exec(entry)?.[1] ?? /Id: +(\d+)/.exec(entry)?.[1],
        ms: Number(/Query_time: ([\d.]+)/.exec(entry)?.[1]) * 1000,
        examined: Number(/Rows_examined: (\d+)/.exec(entry)?.[1]),
        text: entry.slice(entry.search(/SET timestamp=\d+;\n/)).replace(/^SET timestamp=\d+;\n/, '').trim(),
    }));
}
