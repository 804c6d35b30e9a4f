// What `npm test` and `npm run test:system` do: `run.ts unit server road [--gate]`.
// Prints what the run cost. With --gate, more CPU than the limit fails it; the clock, which hangs on the machine, never does.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CPU_LIMIT_SECONDS, ROOT, runTiers } from './tiers.js';

const { values, positionals } = parseArgs({
  options: { gate: { type: 'boolean', default: false }, report: { type: 'string' } },
  allowPositionals: true,
});
const report = values.report ?? join(ROOT, '.data', 'test-report.json');
const { isGreen, passed, failed, skipped, cpuSeconds, usualCpuSeconds, clockSeconds } = await runTiers({
  names: positionals,
  report,
});
const usual = `${Math.round(usualCpuSeconds)} s at the machine's usual speed`;
const limit = values.gate ? `${usual}, of ${CPU_LIMIT_SECONDS}` : usual;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
console.log(`CPU ${Math.round(cpuSeconds)} s (${limit}), ${Math.round(clockSeconds)} s by the clock`);
const isTooDear = values.gate && usualCpuSeconds > CPU_LIMIT_SECONDS;
if (isTooDear)
  console.error(`more CPU than ${CPU_LIMIT_SECONDS} s: see what each file uses, and cut the dearest`);
process.exitCode = isGreen && !isTooDear ? 0 : 1;
