// Prints the closing line of a CI run, the sum of vitest's own reports: `N passed, N failed`.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (...names) =>
  reports.reduce((all, report) => names.reduce((part, name) => part + report[name], all), 0);
const passed = sum('numPassedTests');
const failed = sum('numFailedTests');
const skipped = sum('numPendingTests', 'numTodoTests');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = reports.length > 0 && reports.every(({ success }) => success) && passed > 0 ? 0 : 1;
