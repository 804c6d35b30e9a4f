// What `npm run build` runs last: makes the one file that holds all workflow code, so that workers start at once.
// Usage: node dist/worker/bundle.js
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BUILT, bundleWorkflows } from './workflow-code.js';

const { code } = await bundleWorkflows(fileURLToPath(new URL('../workflows/index.js', import.meta.url)));
await writeFile(BUILT, code);
console.log(`workflow bundle: ${Math.round(code.length / 1024)} kB`);
