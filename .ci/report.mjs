// Ends a CI run: repeats each failed test with its reason, because often only the end of a log is stored. Then sums vitest's
// reports: `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const LINES_OF_WHY = 12;

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
reports.flatMap(({ testResults }) => testResults).forEach(printFailures);

const sum = (...names) =>
  reports.reduce((all, report) => names.reduce((part, name) => part + report[name], all), 0);
const passed = sum('numPassedTests');
const failed = sum('numFailedTests');
const skipped = sum('numPendingTests', 'numTodoTests');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = reports.length > 0 && reports.every(({ success }) => success) && passed > 0 ? 0 : 1;

/** If a whole file fails, for example at an import, it has no failed tests. */
function printFailures({ name, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(process.cwd(), name);
  if (tests.length === 0 && status === 'failed') print(file, message);
  for (const { fullName, failureMessages } of tests)
    print(`${file}: ${fullName}`, failureMessages.join('\n'));
}

function print(what, why) {
  const lines = why.split('\n').slice(0, LINES_OF_WHY);
  console.log([`FAILED ${what}`, ...lines.map((line) => `    ${line}`)].join('\n'));
}
