// Writes gateway.conf(5) from the table of settings:
//   build/test/rows settings | node contrib/docs/settings.mjs >contrib/docs/man/gateway.conf.5

import { readFileSync } from 'node:fs';
import { escaped, title, wrapped } from './roff.mjs';

const rows = readFileSync(0, 'utf8').trim().split('\n').map((line) => line.split('\t'));
const entries = rows.map(([name, preset, allowed, meaning]) => [
    '.TP',
    `.B ${escaped(name)}`,
    wrapped(escaped(meaning)),
    wrapped(`It must be ${escaped(allowed)}.`),
    ...(preset === '-' ? [] : [preset === '' ? 'Nothing by default.' : wrapped(`By default: ${escaped(preset)}`)]),
].join('\n'));

process.stdout.write(`.\\" Written by contrib/docs/settings.mjs from the table of settings.
${title('GATEWAY.CONF', 5, 'File formats')}
.SH NAME
gateway.conf \\- settings of the gateway, the signer and the jobs
.SH DESCRIPTION
Lines are
.IR "name" " = " "value" ;
empty lines, and those that begin with #, mean nothing.
If a name occurs twice the last line wins.
.B include
.I path
reads another file, or all files *.conf of a folder in the order of their names,
relative to the file that says so.
\${NAME} and \${NAME:\\-default} are taken from the environment.
.PP
Programs read the file named by
.BR \\-c ,
else by the variable GATEWAY_CONF, else the one installed with them.
.B gateway \\-\\-check
says everything that is wrong with the settings and with what they name;
.B gateway \\-\\-settings
prints those in force, and where each comes from.
The gateway takes up new ones on SIGHUP, jobs when they next start.
.SH SETTINGS
Words in angle brackets stand for a chain such as ethereum, a provider of routes
such as lifi, or a tier of agents such as standard.
Where no default is named, it is built in for each of them.
${entries.join('\n')}
.SH EXAMPLES
The sample that is installed as
.I gateway.conf
explains each setting at length.
`);
