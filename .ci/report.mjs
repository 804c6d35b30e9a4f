// Prints the closing line of a test run, taken from vitest's own report: `N passed, N failed`.
import { readFileSync } from 'node:fs';

const [, , file] = process.argv;
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const skipped = numPendingTests + numTodoTests;
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = success && numPassedTests > 0 ? 0 : 1;
