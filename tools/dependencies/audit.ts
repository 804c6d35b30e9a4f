// `npm run audit:dependencies`: looks for known vulnerabilities in the packages that ship. Exits with 1 for one that is not in
// accepted.json. Without access to npm's advisories it prints a warning and exits with 0.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { Accepted, judgeAudit } from './judge.js';

const ACCEPTED = join(import.meta.dirname, 'accepted.json');
const ROOT = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 60_000;

const accepted = Accepted.parse(JSON.parse(await readFile(ACCEPTED, 'utf8')));
const { stdout } = await execa('npm', ['audit', '--omit=dev', '--json'], {
  cwd: ROOT,
  reject: false,
  timeout: TIMEOUT_MS,
});
const verdict = judgeAudit(stdout, accepted);
if (verdict.kind === 'unknown') {
  console.warn(`WARNING: the packages were not checked for vulnerabilities: ${verdict.why}`);
} else {
  for (const id of verdict.unused)
    console.warn(
      `WARNING: tools/dependencies/accepted.json has ${id}, which no package has any more. Delete it.`,
    );
  for (const line of verdict.refused) console.error(line);
  if (verdict.refused.length > 0) {
    console.error('Update these packages, or add a row with a reason to tools/dependencies/accepted.json.');
    process.exitCode = 1;
  } else {
    console.log('no known vulnerability in the packages that ship');
  }
}
