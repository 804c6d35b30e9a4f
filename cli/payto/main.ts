#!/usr/bin/env node
// `payto`: the command line of the API (docs/operating.md#the-command-line).
import { processIo } from './io.js';
import { run } from './run.js';

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());

// An open connection must not keep the process alive, so it exits once its output is written.
const exitCode = await run(process.argv.slice(2), processIo(stopping.signal));
process.stdout.write('', () => process.exit(exitCode));
